// Acknowledging warnings in the console, and taking that back (contract 12.4). GET /console/api/health lists them.
import { Type } from 'typebox';

import { requestAuthor } from '../audit/request-author.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { acknowledgeWarning, reopenWarning } from '../watch/acknowledge-warning.ts';
import { WarningNameSchema } from './warnings.schema.ts';

export type ConsoleWarningsDependencies = { readonly database: Database; readonly clock: Clock };

/** Both are idempotent: a repeated request changes nothing. */
export function registerConsoleWarnings(scope: App, { database, clock }: ConsoleWarningsDependencies): void {
  const schema = { body: WarningNameSchema, response: { 204: Type.Null() } };
  for (const [path, change] of [
    ['/api/warnings/acknowledge', acknowledgeWarning],
    ['/api/warnings/reopen', reopenWarning],
  ] as const) {
    scope.post(path, { config: { permission: 'operate' }, schema }, async (request, reply) => {
      await database.tx((tx) => change(tx, { ...request.body, author: requestAuthor(request) }, clock.now()));
      return reply.code(204).send(null);
    });
  }
}

// Takes requests for a link to a new password, for users who cannot sign in (contract 7.12; decision 078).
import { Type } from 'typebox';

import { requestOrigin } from '../audit/request-author.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { addressNet } from '../sessions/sign-in-guard.rules.ts';
import { limitSignIns } from '../sessions/sign-in-limit.route.ts';
import { requestPasswordLink } from '../users/request-password-link.ts';
import { PasswordLinkBody } from './session.schema.ts';

export type PasswordLinksDependencies = { readonly database: Database; readonly clock: Clock };

const DELAYED = {
  status: 429,
  code: 'sign_in_delayed',
  detail: 'There were too many requests from here or for this address. This one was not taken.',
} as const;

/** Does not look for the account: response, work and time are the same for every address. */
export function registerPasswordLinks(scope: App, { database, clock }: PasswordLinksDependencies): void {
  scope.post(
    '/api/password-links',
    { onRequest: limitSignIns(clock), schema: { body: PasswordLinkBody, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const email = request.body.email.toLowerCase();
      const input = { email, net: addressNet(request.ip), origin: requestOrigin(request) };
      const seconds = await database.tx((tx) => requestPasswordLink(tx, input, clock.now()));
      if (seconds === 0) return reply.code(204).send(null);
      return sendProblem(request, reply, { ...DELAYED, headers: { 'retry-after': String(seconds) } });
    },
  );
}

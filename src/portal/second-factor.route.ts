// Routes by which a user of a partner or supplier sets up a second factor (contract 7.12).
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { partnerAuthor } from '../audit/request-author.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { principalOf } from '../platform/http/scope.ts';
import { CodeBody, NewSecondFactorSchema } from '../sessions/second-factor.schema.ts';
import type { SessionKeeper } from '../sessions/session-keeper.ts';
import { beginUserFactor, confirmUserFactor } from '../users/user-factor.ts';
import type { PartnerKind } from '../users/user.rules.ts';

export type PortalSecondFactorDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: SessionKeeper;
};

const WRONG_CODE = { field: 'code', code: 'not_allowed_value', message: 'is not the code that the app shows now' };

/** Not found for a session that a token or key has opened: it has no second factor. */
export function registerPortalSecondFactor(
  scope: App,
  { database, clock, sessions }: PortalSecondFactorDependencies,
): void {
  scope.post(
    '/api/second-factor',
    { config: { emptyBody: true }, schema: { response: { 200: NewSecondFactorSchema } } },
    async (request, reply) => {
      const { user } = principalOf(request);
      if (user === undefined) return sendProblem(request, reply, NOT_FOUND);
      const started = await database.tx((tx) => beginUserFactor(tx, user.userId));
      return started.ok ? reply.send(started.value) : sendProblem(request, reply, { status: 409, code: started.code });
    },
  );
  scope.post(
    '/api/second-factor/confirm',
    { schema: { body: CodeBody, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { user, ownerKey } = principalOf(request);
      if (user === undefined) return sendProblem(request, reply, NOT_FOUND);
      const kind = kindOf(request);
      // Apps show the code in two groups of digits, and users type the gap.
      const code = request.body.code.replaceAll(/\s/g, '');
      const input = { ...user, kind, ownerKey, code, ...partnerAuthor(request, kind) };
      const outcome = await database.tx((tx) => confirmUserFactor(tx, input, clock.now()));
      if (outcome.ok) {
        sessions.discard();
        return reply.code(204).send(null);
      }
      return outcome.code === 'code_wrong'
        ? sendProblem(request, reply, { status: 422, code: 'validation_failed', errors: [WRONG_CODE] })
        : sendProblem(request, reply, { status: 409, code: outcome.code });
    },
  );
}

function kindOf(request: FastifyRequest): PartnerKind {
  return principalOf(request).session?.kind === 'supplier' ? 'supplier' : 'buyer';
}

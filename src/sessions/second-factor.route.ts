// Routes by which an operator sets up a second factor, also when the console requires one first (decision 030).
import type { OperatorId, Uuid } from '../base/ids.ts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requestOrigin } from '../audit/request-author.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { principalOf } from '../platform/http/scope.ts';
import { beginSecondFactor, confirmSecondFactor } from './enrol-second-factor.ts';
import { CodeBody, NewSecondFactorSchema } from './second-factor.schema.ts';
import type { SessionKeeper } from './session-keeper.ts';

export type SecondFactorDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: SessionKeeper;
};

const WRONG_CODE = { field: 'code', code: 'not_allowed_value', message: 'is not the code that the app shows now' };

export function registerSecondFactor(scope: App, { database, clock, sessions }: SecondFactorDependencies): void {
  scope.post(
    '/api/second-factor',
    { config: { permission: 'own', emptyBody: true }, schema: { response: { 200: NewSecondFactorSchema } } },
    async (request, reply) => {
      const { operatorId } = operatorOf(request);
      const started = await database.tx((tx) => beginSecondFactor(tx, operatorId));
      return started.ok ? reply.send(started.value) : sendProblem(request, reply, { status: 409, code: started.code });
    },
  );
  scope.post(
    '/api/second-factor/confirm',
    { config: { permission: 'own' }, schema: { body: CodeBody, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { operatorId, name } = operatorOf(request);
      // Apps show the code in two groups of digits, and users type the gap.
      const code = request.body.code.replaceAll(/\s/g, '');
      const confirmation = { operatorId, name, code, origin: requestOrigin(request) };
      const outcome = await database.tx((tx) => confirmSecondFactor(tx, confirmation, clock.now()));
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

/** In an operator's session the operator's id takes the place of a credential's. */
function operatorOf(request: FastifyRequest): { readonly operatorId: OperatorId; readonly name: string } {
  const { credentialId, ownerKey: name } = principalOf(request);
  const openedWith: Uuid = credentialId;
  return { operatorId: openedWith as OperatorId, name };
}

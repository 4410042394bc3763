// Routes by which a signed-in user sets up a second factor: an operator, also when the console requires one first (decision 030), or a user of a
// partner or supplier (contract 7.12).
import type { OperatorId, Uuid } from '../base/ids.ts';
import type { Outcome } from '../base/outcome.ts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requestOrigin } from '../audit/request-author.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import type { Permission } from '../platform/http/permission.rules.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { principalOf } from '../platform/http/scope.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  type NewSecondFactor,
  type SecondFactorConfirmation,
} from './enrol-second-factor.ts';
import { CodeBody, NewSecondFactorSchema } from './second-factor.schema.ts';
import type { SessionKeeper } from './session-keeper.ts';

type SecondFactorDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: SessionKeeper;
};

/** Whose second factor it is, and the operations on it. */
export type SecondFactorOwners<Owner> = {
  /** Of a route of the console; those of the portal are in `route-rights.ts`. */
  readonly config: { readonly permission?: Permission };
  /** Null for a session that no account with a password has opened: it has no second factor. */
  readonly ownerOf: (request: FastifyRequest) => Owner | null;
  readonly begin: (tx: Tx, owner: Owner) => Promise<Outcome<NewSecondFactor, 'second_factor_set'>>;
  /** `code` has six digits. */
  readonly confirm: (
    tx: Tx,
    confirmation: Owner & { readonly code: string },
    now: Date,
  ) => Promise<Outcome<null, 'second_factor_set' | 'code_wrong'>>;
};

const WRONG_CODE = { field: 'code', code: 'not_allowed_value', message: 'is not the code that the app shows now' };

export function registerSecondFactor<Owner>(
  scope: App,
  { config, ownerOf, begin, confirm }: SecondFactorOwners<Owner>,
  { database, clock, sessions }: SecondFactorDependencies,
): void {
  scope.post(
    '/api/second-factor',
    { config: { ...config, emptyBody: true }, schema: { response: { 200: NewSecondFactorSchema } } },
    async (request, reply) => {
      const owner = ownerOf(request);
      if (owner === null) return sendProblem(request, reply, NOT_FOUND);
      const started = await database.tx((tx) => begin(tx, owner));
      return started.ok ? reply.send(started.value) : sendProblem(request, reply, { status: 409, code: started.code });
    },
  );
  scope.post(
    '/api/second-factor/confirm',
    { config, schema: { body: CodeBody, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const owner = ownerOf(request);
      if (owner === null) return sendProblem(request, reply, NOT_FOUND);
      // Apps show the code in two groups of digits, and users type the gap.
      const code = request.body.code.replaceAll(/\s/g, '');
      const outcome = await database.tx((tx) => confirm(tx, { ...owner, code }, clock.now()));
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

export const operatorFactors: SecondFactorOwners<Omit<SecondFactorConfirmation, 'code'>> = {
  config: { permission: 'own' },
  ownerOf(request) {
    // In an operator's session the operator's id takes the place of a credential's.
    const { credentialId, ownerKey: name } = principalOf(request);
    const openedWith: Uuid = credentialId;
    return { operatorId: openedWith as OperatorId, name, origin: requestOrigin(request) };
  },
  begin: (tx, { operatorId }) => beginSecondFactor(tx, operatorId),
  confirm: confirmSecondFactor,
};

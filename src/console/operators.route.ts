// The console's operators: list, invite, change role and address, disable, reset the second factor, send a link to a new password.
import { strict as assert } from 'node:assert';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { requestAuthor } from '../audit/request-author.ts';
import { typeId, uuidOf } from '../base/ids.ts';
import type { Outcome } from '../base/outcome.ts';
import type { Brand } from '../marketplace/brand.schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { addressOf, demandOwnAddress } from '../platform/http/own-address.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { principalOf } from '../platform/http/scope.ts';
import {
  type OperatorChange,
  resetSecondFactor,
  setOperatorDisabled,
  setOperatorEmail,
  setOperatorRole,
} from '../sessions/change-operator.ts';
import { findOperator, findTakenOperator, listOperators } from '../sessions/list-operators.ts';
import type { OperatorRole } from '../sessions/operator.rules.ts';
import { SentLinkSchema } from '../users/invitation.schema.ts';
import {
  invite,
  listInvitations,
  renewInvitation,
  type SentInvitation,
  withdrawInvitation,
  withdrawLinks,
} from '../users/invitations.ts';
import { linkRefusal } from '../users/link-refusal.ts';
import { type InvitationPost, sendInvitation, type SentMail } from '../users/send-invitation.ts';
import {
  InvitationParams,
  NewOperatorBody,
  OperatorEmailBody,
  OperatorParams,
  OperatorRoleBody,
  OperatorsSchema,
} from './operators.schema.ts';

export type ConsoleOperatorsDependencies = InvitationPost & {
  readonly database: Database;
  readonly clock: Clock;
  /** Called after sessions have ended or their rights have changed. */
  readonly onChanged: () => void;
  readonly brand: () => Brand;
  readonly timeZone: () => string;
  /** The address of the service from its settings; null where it is not set. */
  readonly publicUrl: () => string | null;
};

const OWNER = { kind: 'operator', ownerKey: '' } as const;
/** More than any marketplace has. */
const SHOWN = 500;
const config = { permission: 'operators' } as const;
const empty = { permission: 'operators', emptyBody: true } as const;

export function registerConsoleOperators(scope: App, dependencies: ConsoleOperatorsDependencies): void {
  registerList(scope, dependencies);
  registerInvitations(scope, dependencies);
  registerChanges(scope, dependencies);
  registerPasswordLink(scope, dependencies);
}

function registerList(scope: App, { database, clock }: ConsoleOperatorsDependencies): void {
  scope.get('/api/operators', { config, schema: { response: { 200: OperatorsSchema } } }, async (request, reply) => {
    const { ownerKey: own } = principalOf(request);
    const { operators, invitations } = await database.tx(
      async (tx) => ({
        operators: await listOperators(tx, { after: null, limit: SHOWN }, clock.now()),
        invitations: await listInvitations(tx, OWNER),
      }),
      { snapshot: true },
    );
    return reply.send({
      data: operators.map(({ createdAt, disabledAt, lastUsedAt, secondFactor: hasSecondFactor, ...operator }) => ({
        ...{ ...operator, hasSecondFactor, isYou: operator.name === own },
        createdAt: createdAt.toISOString(),
        disabledAt: disabledAt?.toISOString() ?? null,
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
      invitations: invitations.map(({ invitationId, name, email, roles, invitedBy, createdAt, expiresAt }) => ({
        invitationId: typeId('invitation', invitationId),
        ...{ name, email, role: roleIn(roles), invitedBy },
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      })),
    });
  });
}

function registerInvitations(scope: App, dependencies: ConsoleOperatorsDependencies): void {
  const { database, clock } = dependencies;
  const preHandler = demandOwnAddress(dependencies.publicUrl);
  scope.post(
    '/api/operators/invitations',
    { preHandler, config, schema: { body: NewOperatorBody, response: { 200: SentLinkSchema } } },
    async (request, reply) => {
      const { name, role } = request.body;
      const email = request.body.email.toLowerCase();
      const input = { ...OWNER, name, email, roles: [role], accountId: null, ...requestAuthor(request) };
      const sent = await database.tx(async (tx) =>
        (await findTakenOperator(tx, { name, email })) === null
          ? invite(tx, input, clock.now())
          : ({ ok: false, code: 'operator_exists' } as const),
      );
      if (!sent.ok) return sendProblem(request, reply, linkRefusal(sent));
      return reply.send({ mail: await mailTo(request, dependencies, { ...sent.value, email, name }) });
    },
  );
  scope.post(
    '/api/operators/invitations/:invitationId/resend',
    { preHandler, config: empty, schema: { params: InvitationParams, response: { 200: SentLinkSchema } } },
    async (request, reply) => {
      const invitationId = uuidOf('invitation', request.params.invitationId);
      if (invitationId === null) return sendProblem(request, reply, NOT_FOUND);
      const input = { ...OWNER, invitationId, ...requestAuthor(request) };
      const renewed = await database.tx((tx) => renewInvitation(tx, input, clock.now()));
      if (!renewed.ok) return sendProblem(request, reply, linkRefusal(renewed));
      return reply.send({ mail: await mailTo(request, dependencies, renewed.value) });
    },
  );
  scope.post(
    '/api/operators/invitations/:invitationId/withdraw',
    { config: empty, schema: { params: InvitationParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const invitationId = uuidOf('invitation', request.params.invitationId);
      if (invitationId === null) return sendProblem(request, reply, NOT_FOUND);
      const input = { ...OWNER, invitationId, ...requestAuthor(request) };
      const withdrawn = await database.tx((tx) => withdrawInvitation(tx, input, clock.now()));
      return withdrawn.ok ? reply.code(204).send(null) : sendProblem(request, reply, NOT_FOUND);
    },
  );
}

function registerChanges(scope: App, dependencies: ConsoleOperatorsDependencies): void {
  const change = async (
    request: FastifyRequest,
    reply: FastifyReply,
    work: (tx: Tx, input: OperatorChange, now: Date) => Promise<ChangedOperator>,
  ): Promise<void> => {
    const { database, clock, onChanged } = dependencies;
    const { name } = request.params as { readonly name: string };
    const input = { name, ...requestAuthor(request) };
    const outcome = await database.tx((tx) => work(tx, input, clock.now()));
    if (outcome.ok) {
      onChanged();
      void reply.code(204).send(null);
    } else {
      const isMissing = outcome.code === 'operator_not_found';
      sendProblem(request, reply, isMissing ? NOT_FOUND : { status: 409, code: outcome.code });
    }
  };
  const response = { 204: Type.Null() };
  scope.post(
    '/api/operators/:name/role',
    { config, schema: { params: OperatorParams, body: OperatorRoleBody, response } },
    (request, reply) =>
      change(request, reply, (tx, input, now) => setOperatorRole(tx, { ...input, role: request.body.role }, now)),
  );
  scope.post(
    '/api/operators/:name/email',
    { config, schema: { params: OperatorParams, body: OperatorEmailBody, response } },
    (request, reply) =>
      change(request, reply, async (tx, input, now) => {
        const outcome = await setOperatorEmail(tx, { ...input, email: request.body.email.toLowerCase() }, now);
        if (outcome.ok) await withdrawLinks(tx, outcome.value.operatorId);
        return outcome;
      }),
  );
  for (const [verb, disabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    scope.post(
      `/api/operators/:name/${verb}`,
      { config: empty, schema: { params: OperatorParams, response } },
      (request, reply) =>
        change(request, reply, (tx, input, now) => setOperatorDisabled(tx, { ...input, disabled }, now)),
    );
  }
  scope.post(
    '/api/operators/:name/reset-second-factor',
    { config: empty, schema: { params: OperatorParams, response } },
    (request, reply) => change(request, reply, resetSecondFactor),
  );
}

type ChangedOperator = Outcome<unknown, 'operator_not_found' | 'operator_exists' | 'last_admin'>;

function registerPasswordLink(scope: App, dependencies: ConsoleOperatorsDependencies): void {
  const { database, clock } = dependencies;
  scope.post(
    '/api/operators/:name/send-password-link',
    {
      preHandler: demandOwnAddress(dependencies.publicUrl),
      config: empty,
      schema: { params: OperatorParams, response: { 200: SentLinkSchema } },
    },
    async (request, reply) => {
      const { name } = request.params;
      const author = requestAuthor(request);
      const operator = await findOperator(database, name);
      if (operator?.disabledAt !== null) return sendProblem(request, reply, NOT_FOUND);
      const { email, role, operatorId: accountId } = operator;
      if (email === null) return sendProblem(request, reply, { status: 409, code: 'email_missing' });
      const input = { ...OWNER, name, email, roles: [role], accountId, ...author };
      const sent = await database.tx((tx) => invite(tx, input, clock.now()));
      if (!sent.ok) return sendProblem(request, reply, linkRefusal(sent));
      const link = { ...sent.value, email, name, isNewPassword: true };
      return reply.send({ mail: await mailTo(request, dependencies, link) });
    },
  );
}

type Addressed = SentInvitation & {
  readonly email: string;
  readonly name: string;
  readonly isNewPassword?: boolean;
};

function mailTo(
  request: FastifyRequest,
  dependencies: ConsoleOperatorsDependencies,
  { email, name, isNewPassword = false, ...invitation }: Addressed,
): Promise<SentMail> {
  return sendInvitation(dependencies, {
    ...{ kind: 'operator', to: email, account: null, signsInAs: name, isNewPassword, invitation },
    baseUrl: addressOf(request, dependencies.publicUrl()),
    brand: dependencies.brand(),
    timeZone: dependencies.timeZone(),
    invitedBy: principalOf(request).ownerKey,
  });
}

function roleIn([role]: readonly string[]): OperatorRole {
  assert(role !== undefined, 'an invitation of an operator has no role');
  return role as OperatorRole;
}

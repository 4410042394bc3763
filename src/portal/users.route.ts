// The portal's users of a partner or supplier: list, invite, change roles, remove, send a link to a new password (contract 7.12).
import { strict as assert } from 'node:assert';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { partnerAuthor } from '../audit/request-author.ts';
import { typeId, uuidOf } from '../base/ids.ts';
import type { Brand } from '../marketplace/brand.schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { type UserRole, userRoles } from '../platform/http/permission.rules.ts';
import { principalOf } from '../platform/http/scope.ts';
import { SentLinkSchema } from '../users/invitation.schema.ts';
import {
  invite,
  listInvitations,
  renewInvitation,
  type SentInvitation,
  withdrawInvitation,
} from '../users/invitations.ts';
import {
  findUser,
  findUserOf,
  listUsers,
  removeUser,
  resetUserFactor,
  setUserRoles,
  type UserChange,
} from '../users/portal-users.ts';
import { type InvitationPost, sendInvitation, type SentMail } from '../users/send-invitation.ts';
import { normalizedRoles, type PartnerKind } from '../users/user.rules.ts';
import { NewUserBody, UserInvitationParams, UserParams, UserRolesBody, UsersSchema } from './users.schema.ts';

export type PortalUsersDependencies = InvitationPost & {
  readonly database: Database;
  readonly clock: Clock;
  /** Called after sessions have ended or their rights have changed. */
  readonly onChanged: () => void;
  /** The name of the partner or supplier. */
  readonly nameOf: (kind: PartnerKind, key: string) => string;
  readonly brand: () => Brand;
  readonly timeZone: () => string;
  /** The address of the service from its settings; null where it is not set. */
  readonly publicUrl: () => string | null;
};

type Owner = { readonly kind: PartnerKind; readonly ownerKey: string };

export function registerPortalUsers(scope: App, dependencies: PortalUsersDependencies): void {
  registerList(scope, dependencies);
  registerInvitations(scope, dependencies);
  registerChanges(scope, dependencies);
  registerPasswordLink(scope, dependencies);
}

function ownerOf(request: FastifyRequest): Owner {
  const { ownerKey, session } = principalOf(request);
  assert(session !== undefined && session.kind !== 'operator', 'the route is outside the portal');
  return { kind: session.kind, ownerKey };
}

const authorOf = (request: FastifyRequest) => partnerAuthor(request, ownerOf(request).kind);

function registerList(scope: App, { database }: PortalUsersDependencies): void {
  scope.get('/api/users', { schema: { response: { 200: UsersSchema } } }, async (request, reply) => {
    const { user: own } = principalOf(request);
    const owner = ownerOf(request);
    const { users, invitations } = await database.tx(
      async (tx) => ({ users: await listUsers(tx, owner), invitations: await listInvitations(tx, owner) }),
      { snapshot: true },
    );
    return reply.send({
      data: users.map(({ userId, createdAt, lastUsedAt, ...user }) => ({
        ...{ ...user, userId: typeId('user', userId), isYou: userId === own?.userId },
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
      invitations: invitations.map(({ invitationId, email, name, roles, invitedBy, createdAt, expiresAt }) => ({
        invitationId: typeId('invitation', invitationId),
        ...{ email, name, invitedBy, roles: userRoles.filter((role) => roles.includes(role)) },
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      })),
    });
  });
}

function registerInvitations(scope: App, dependencies: PortalUsersDependencies): void {
  const { database, clock } = dependencies;
  scope.post(
    '/api/users/invitations',
    { schema: { body: NewUserBody, response: { 200: SentLinkSchema } } },
    async (request, reply) => {
      const owner = ownerOf(request);
      const email = request.body.email.toLowerCase();
      const [name, roles] = [request.body.name.trim(), normalizedRoles(request.body.roles)];
      const input = { ...owner, email, name, roles, accountId: null, ...authorOf(request) };
      // An address that belongs to another account is invited all the same: the answer must not tell.
      const sent = await database.tx(async (tx) =>
        (await findUserOf(tx, owner, email)) === null ? invite(tx, input, clock.now()) : null,
      );
      if (sent === null) return sendProblem(request, reply, { status: 409, code: 'account_exists' });
      return reply.send({ mail: await mailTo(request, dependencies, { ...sent, email }) });
    },
  );
  scope.post(
    '/api/users/invitations/:invitationId/resend',
    { config: { emptyBody: true }, schema: { params: UserInvitationParams, response: { 200: SentLinkSchema } } },
    async (request, reply) => {
      const invitationId = uuidOf('invitation', request.params.invitationId);
      if (invitationId === null) return sendProblem(request, reply, NOT_FOUND);
      const input = { ...ownerOf(request), invitationId, ...authorOf(request) };
      const renewed = await database.tx((tx) => renewInvitation(tx, input, clock.now()));
      if (!renewed.ok) return sendProblem(request, reply, NOT_FOUND);
      return reply.send({ mail: await mailTo(request, dependencies, renewed.value) });
    },
  );
  scope.post(
    '/api/users/invitations/:invitationId/withdraw',
    { config: { emptyBody: true }, schema: { params: UserInvitationParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const invitationId = uuidOf('invitation', request.params.invitationId);
      if (invitationId === null) return sendProblem(request, reply, NOT_FOUND);
      const input = { ...ownerOf(request), invitationId, ...authorOf(request) };
      const withdrawn = await database.tx((tx) => withdrawInvitation(tx, input, clock.now()));
      return withdrawn.ok ? reply.code(204).send(null) : sendProblem(request, reply, NOT_FOUND);
    },
  );
}

function registerChanges(scope: App, dependencies: PortalUsersDependencies): void {
  const change = async (
    request: FastifyRequest,
    reply: FastifyReply,
    work: (tx: Tx, input: UserChange, now: Date) => ReturnType<typeof removeUser>,
  ): Promise<void> => {
    const { database, clock, onChanged } = dependencies;
    const userId = uuidOf('user', (request.params as { readonly userId: string }).userId);
    const input = { ...ownerOf(request), ...authorOf(request) };
    const isDone = userId !== null && (await database.tx((tx) => work(tx, { ...input, userId }, clock.now()))).ok;
    if (isDone) {
      onChanged();
      void reply.code(204).send(null);
    } else sendProblem(request, reply, NOT_FOUND);
  };
  const response = { 204: Type.Null() };
  scope.post(
    '/api/users/:userId/roles',
    { schema: { params: UserParams, body: UserRolesBody, response } },
    (request, reply) => {
      const roles: readonly UserRole[] = request.body.roles;
      return change(request, reply, (tx, input, now) => setUserRoles(tx, { ...input, roles }, now));
    },
  );
  scope.post(
    '/api/users/:userId/remove',
    { config: { emptyBody: true }, schema: { params: UserParams, response } },
    (request, reply) => change(request, reply, removeUser),
  );
  scope.post(
    '/api/users/:userId/reset-second-factor',
    { config: { emptyBody: true }, schema: { params: UserParams, response } },
    (request, reply) => change(request, reply, resetUserFactor),
  );
}

function registerPasswordLink(scope: App, dependencies: PortalUsersDependencies): void {
  const { database, clock } = dependencies;
  scope.post(
    '/api/users/:userId/send-password-link',
    { config: { emptyBody: true }, schema: { params: UserParams, response: { 200: SentLinkSchema } } },
    async (request, reply) => {
      const userId = uuidOf('user', request.params.userId);
      const owner = ownerOf(request);
      if (userId === null) return sendProblem(request, reply, NOT_FOUND);
      const found = await database.tx(async (tx) => {
        const user = await findUser(tx, { ...owner, userId });
        if (user === null) return null;
        const { email, name, roles } = user;
        const input = { ...owner, email, name, roles, accountId: userId, ...authorOf(request) };
        return { ...(await invite(tx, input, clock.now())), email };
      });
      if (found === null) return sendProblem(request, reply, NOT_FOUND);
      return reply.send({ mail: await mailTo(request, dependencies, { ...found, isNewPassword: true }) });
    },
  );
}

type Addressed = SentInvitation & { readonly email: string; readonly isNewPassword?: boolean };

function mailTo(
  request: FastifyRequest,
  dependencies: PortalUsersDependencies,
  { email, isNewPassword = false, ...invitation }: Addressed,
): Promise<SentMail> {
  const { kind, ownerKey } = ownerOf(request);
  const account = dependencies.nameOf(kind, ownerKey);
  return sendInvitation(dependencies, {
    ...{ kind, to: email, account, signsInAs: email, isNewPassword, invitation },
    baseUrl: dependencies.publicUrl() ?? `${request.protocol}://${request.host}`,
    brand: dependencies.brand(),
    timeZone: dependencies.timeZone(),
    invitedBy: principalOf(request).user?.email ?? account,
  });
}

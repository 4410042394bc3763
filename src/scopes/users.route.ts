// The users of a partner or supplier, in the portal and at the console: list, invite, change roles, remove, send a link to a new password
// (contract 7.12).
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Type } from 'typebox';

import type { AuditAuthor } from '../audit/audit-event.ts';
import { typeId, uuidOf } from '../base/ids.ts';
import type { Brand } from '../marketplace/brand.schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { addressOf, demandOwnAddress } from '../platform/http/own-address.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { type Permission, type UserRole, userRoles } from '../platform/http/permission.rules.ts';
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
import { linkRefusal } from '../users/link-refusal.ts';
import { type InvitationPost, sendInvitation, type SentMail } from '../users/send-invitation.ts';
import { normalizedRoles, type PartnerKind } from '../users/user.rules.ts';
import { NewUserBody, UserInvitationParams, UserParams, UserRolesBody, UsersSchema } from './users.schema.ts';

export type UsersDependencies = InvitationPost & {
  readonly database: Database;
  readonly clock: Clock;
  /** Called after sessions have ended or their rights have changed. */
  readonly onChanged: () => void;
  readonly brand: () => Brand;
  readonly timeZone: () => string;
  /** The address of the service from its settings; null where it is not set. */
  readonly publicUrl: () => string | null;
};

/** Where the routes are, and who asks there about whose users. */
export type UsersPlace = {
  /** Such as `/api/users`. */
  readonly path: string;
  /** Of a route of the console; those of the portal are in `route-rights.ts`. */
  readonly config: { readonly permission?: Permission };
  /** Null for one that does not exist. */
  readonly accountOf: (request: FastifyRequest) => Account | null | Promise<Account | null>;
  readonly authorOf: (request: FastifyRequest) => AuditAuthor;
  /** As the email of an invitation names the one who sends it. */
  readonly inviterOf: (request: FastifyRequest, account: Account) => string;
  /** Limits the links that are sent; none for operators. */
  readonly linkRate?: onRequestHookHandler;
};

type Owner = { readonly kind: PartnerKind; readonly ownerKey: string };
type Account = Owner & { readonly name: string };
type Dependencies = UsersDependencies & UsersPlace;

export function registerUsers(scope: App, place: UsersPlace, given: UsersDependencies): void {
  const dependencies = { ...given, ...place };
  registerList(scope, dependencies);
  registerInvitations(scope, dependencies);
  registerChanges(scope, dependencies);
  registerPasswordLink(scope, dependencies);
}

const ownerOf = ({ kind, ownerKey }: Account): Owner => ({ kind, ownerKey });

function registerList(scope: App, { database, path, config, accountOf }: Dependencies): void {
  scope.get(path, { config, schema: { response: { 200: UsersSchema } } }, async (request, reply) => {
    const { user: own } = principalOf(request);
    const account = await accountOf(request);
    if (account === null) return sendProblem(request, reply, NOT_FOUND);
    const owner = ownerOf(account);
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

function registerInvitations(scope: App, dependencies: Dependencies): void {
  const { database, clock, path, config, accountOf, authorOf } = dependencies;
  const hooks = linkHooks(dependencies);
  scope.post(
    `${path}/invitations`,
    { ...hooks, config, schema: { body: NewUserBody, response: { 200: SentLinkSchema } } },
    async (request, reply) => {
      const account = await accountOf(request);
      if (account === null) return sendProblem(request, reply, NOT_FOUND);
      const owner = ownerOf(account);
      const email = request.body.email.toLowerCase();
      const [name, roles] = [request.body.name.trim(), normalizedRoles(request.body.roles)];
      const input = { ...owner, email, name, roles, accountId: null, ...authorOf(request) };
      // An address that belongs to another account is invited all the same: the answer must not tell.
      const sent = await database.tx(async (tx) =>
        (await findUserOf(tx, owner, email)) === null
          ? invite(tx, input, clock.now())
          : ({ ok: false, code: 'account_exists' } as const),
      );
      if (!sent.ok) return sendProblem(request, reply, linkRefusal(sent));
      return reply.send({ mail: await mailTo(request, dependencies, account, { ...sent.value, email }) });
    },
  );
  scope.post(
    `${path}/invitations/:invitationId/resend`,
    {
      ...hooks,
      config: { ...config, emptyBody: true },
      schema: { params: UserInvitationParams, response: { 200: SentLinkSchema } },
    },
    async (request, reply) => {
      const invitationId = uuidOf('invitation', request.params.invitationId);
      const account = await accountOf(request);
      if (invitationId === null || account === null) return sendProblem(request, reply, NOT_FOUND);
      const input = { ...ownerOf(account), invitationId, ...authorOf(request) };
      const renewed = await database.tx((tx) => renewInvitation(tx, input, clock.now()));
      if (!renewed.ok) return sendProblem(request, reply, linkRefusal(renewed));
      return reply.send({ mail: await mailTo(request, dependencies, account, renewed.value) });
    },
  );
  scope.post(
    `${path}/invitations/:invitationId/withdraw`,
    {
      config: { ...config, emptyBody: true },
      schema: { params: UserInvitationParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const invitationId = uuidOf('invitation', request.params.invitationId);
      const account = await accountOf(request);
      if (invitationId === null || account === null) return sendProblem(request, reply, NOT_FOUND);
      const input = { ...ownerOf(account), invitationId, ...authorOf(request) };
      const withdrawn = await database.tx((tx) => withdrawInvitation(tx, input, clock.now()));
      return withdrawn.ok ? reply.code(204).send(null) : sendProblem(request, reply, NOT_FOUND);
    },
  );
}

function registerChanges(scope: App, dependencies: Dependencies): void {
  const { database, clock, onChanged, path, config, accountOf, authorOf } = dependencies;
  const change = async (
    request: FastifyRequest,
    reply: FastifyReply,
    work: (tx: Tx, input: UserChange, now: Date) => ReturnType<typeof removeUser>,
  ): Promise<void> => {
    const userId = uuidOf('user', (request.params as { readonly userId: string }).userId);
    const account = await accountOf(request);
    if (userId === null || account === null) {
      sendProblem(request, reply, NOT_FOUND);
      return;
    }
    const input = { ...ownerOf(account), userId, ...authorOf(request) };
    if ((await database.tx((tx) => work(tx, input, clock.now()))).ok) {
      onChanged();
      void reply.code(204).send(null);
    } else sendProblem(request, reply, NOT_FOUND);
  };
  const response = { 204: Type.Null() };
  scope.post(
    `${path}/:userId/roles`,
    { config, schema: { params: UserParams, body: UserRolesBody, response } },
    (request, reply) => {
      const roles: readonly UserRole[] = request.body.roles;
      return change(request, reply, (tx, input, now) => setUserRoles(tx, { ...input, roles }, now));
    },
  );
  scope.post(
    `${path}/:userId/remove`,
    { config: { ...config, emptyBody: true }, schema: { params: UserParams, response } },
    (request, reply) => change(request, reply, removeUser),
  );
  scope.post(
    `${path}/:userId/reset-second-factor`,
    { config: { ...config, emptyBody: true }, schema: { params: UserParams, response } },
    (request, reply) => change(request, reply, resetUserFactor),
  );
}

function registerPasswordLink(scope: App, dependencies: Dependencies): void {
  const { database, clock, path, config, accountOf, authorOf } = dependencies;
  scope.post(
    `${path}/:userId/send-password-link`,
    {
      ...linkHooks(dependencies),
      config: { ...config, emptyBody: true },
      schema: { params: UserParams, response: { 200: SentLinkSchema } },
    },
    async (request, reply) => {
      const userId = uuidOf('user', request.params.userId);
      const account = await accountOf(request);
      if (userId === null || account === null) return sendProblem(request, reply, NOT_FOUND);
      const owner = ownerOf(account);
      const found = await database.tx(async (tx) => {
        const user = await findUser(tx, { ...owner, userId });
        if (user === null) return null;
        const { email, name, roles } = user;
        const input = { ...owner, email, name, roles, accountId: userId, ...authorOf(request) };
        return { email, sent: await invite(tx, input, clock.now()) };
      });
      if (found === null) return sendProblem(request, reply, NOT_FOUND);
      const { email, sent } = found;
      if (!sent.ok) return sendProblem(request, reply, linkRefusal(sent));
      const link = { ...sent.value, email, isNewPassword: true };
      return reply.send({ mail: await mailTo(request, dependencies, account, link) });
    },
  );
}

/** Links begin with an address that no request chooses, and are sent at a rate. */
function linkHooks({ publicUrl, linkRate }: Dependencies) {
  return { preHandler: demandOwnAddress(publicUrl), ...(linkRate === undefined ? {} : { onRequest: linkRate }) };
}

type Addressed = SentInvitation & { readonly email: string; readonly isNewPassword?: boolean };

function mailTo(
  request: FastifyRequest,
  dependencies: Dependencies,
  account: Account,
  { email, isNewPassword = false, ...invitation }: Addressed,
): Promise<SentMail> {
  return sendInvitation(dependencies, {
    ...{ kind: account.kind, to: email, account: account.name, signsInAs: email, isNewPassword, invitation },
    baseUrl: addressOf(request, dependencies.publicUrl()),
    brand: dependencies.brand(),
    timeZone: dependencies.timeZone(),
    invitedBy: dependencies.inviterOf(request, account),
  });
}

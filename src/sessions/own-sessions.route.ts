// Routes of the portal and the console that list and end the caller's own sessions (decision 022).
import { strict as assert } from 'node:assert';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requestOrigin } from '../audit/request-author.ts';
import { type SessionId, type UserId, uuidOf } from '../base/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { principalOf } from '../platform/http/scope.ts';
import { endSession } from './end-session.ts';
import { listSessions } from './list-sessions.ts';
import type { SessionKeeper } from './session-keeper.ts';
import { OwnSessionsSchema } from './own-sessions.schema.ts';
import type { SessionKind } from './session.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';

export type OwnSessionsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: SessionKeeper;
};

export function registerOwnSessions(scope: App, { database, clock, sessions }: OwnSessionsDependencies): void {
  scope.get(
    '/api/sessions',
    { config: { permission: 'own' }, schema: { response: { 200: OwnSessionsSchema } } },
    async (request, reply) => {
      const { ownerKey, kind, sessionId: own, userId } = sessionOf(request);
      // One statement needs no transaction around it.
      const open = await listSessions(database, { kind, ownerKey, userId }, clock.now());
      return reply.send({
        data: open.map(({ id, sessionId, label, userEmail, createdAt, lastUsedAt, expiresAt }) => ({
          ...{ id, label, userEmail },
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
          isThisSession: sessionId === own,
        })),
      });
    },
  );

  scope.delete(
    '/api/sessions/:id',
    {
      config: { permission: 'own' },
      schema: { params: Type.Object({ id: Type.String() }), response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const { ownerKey, kind, userId, email } = sessionOf(request);
      const actor = { type: kind, name: email ?? ownerKey };
      const sessionId = uuidOf('session', request.params.id);
      const origin = requestOrigin(request);
      const isEnded =
        sessionId !== null &&
        (await database.tx((tx) => endSession(tx, { kind, ownerKey, sessionId, userId, actor, origin }, clock.now())))
          .ok;
      if (!isEnded) return sendProblem(request, reply, NOT_FOUND);
      sessions.discard();
      return reply.code(204).send(null);
    },
  );
}

type Own = {
  readonly ownerKey: string;
  readonly kind: SessionKind;
  readonly sessionId: SessionId;
  /** A user sees and ends only own sessions; null for a token or key, which may do so with all of its owner. */
  readonly userId: UserId | null;
  readonly email: string | null;
};

function sessionOf(request: FastifyRequest): Own {
  const { ownerKey, session, user } = principalOf(request);
  assert(session !== undefined, 'the route is outside a scope with sessions');
  return { ownerKey, ...session, userId: user?.userId ?? null, email: user?.email ?? null };
}

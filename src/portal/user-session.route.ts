// Sign-in to the portal by email address, password and one-time code (contract 7.12; decision 078).
import type { FastifyReply, FastifyRequest } from 'fastify';

import { requestOrigin } from '../audit/request-author.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { sessionCookie, setSessionCookie } from '../platform/http/session-cookie.ts';
import { endPresentedSession } from '../sessions/end-session.ts';
import type { PasswordSlots } from '../sessions/password-slots.ts';
import { beginAttempt } from '../sessions/sign-in-guard.ts';
import { addressNet } from '../sessions/sign-in-guard.rules.ts';
import { limitSignIns } from '../sessions/sign-in-limit.route.ts';
import { recordFailedSignIn } from '../sessions/sign-in.ts';
import { admitUser, checkUserPassword, findSigningUser } from '../users/sign-in-user.ts';
import { guardName } from '../users/user.rules.ts';
import { PortalSessionSchema, type UserSignIn, UserSignInSchema } from './session.schema.ts';
import { type PortalSessionDependencies, sessionBody } from './session.route.ts';

export type UserSessionDependencies = PortalSessionDependencies & { readonly passwordSlots: PasswordSlots };

const CHALLENGE = { 'www-authenticate': 'Session realm="lead-marketplace"' };
const REFUSED = {
  status: 401,
  code: 'unauthorized',
  detail: 'The email address, password or code is wrong.',
  headers: CHALLENGE,
} as const;
const NO_CODE = { status: 401, code: 'totp_required', headers: CHALLENGE } as const;
const BUSY = { status: 503, code: 'unavailable', headers: { 'retry-after': '1' } } as const;

export function registerUserSignIn(scope: App, dependencies: UserSessionDependencies): void {
  const { clock, passwordSlots } = dependencies;
  scope.post(
    '/api/session/password',
    { onRequest: limitSignIns(clock), schema: { body: UserSignInSchema, response: { 200: PortalSessionSchema } } },
    async (request, reply) => {
      const isChecked = await passwordSlots.run(() => signIn(request, reply, dependencies));
      return isChecked ? reply : sendProblem(request, reply, BUSY);
    },
  );
}

async function signIn(
  request: FastifyRequest<{ Body: UserSignIn }>,
  reply: FastifyReply,
  dependencies: UserSessionDependencies,
): Promise<FastifyReply> {
  const { database, clock, sessions, partnerOf, refresh } = dependencies;
  const email = request.body.email.trim().toLowerCase();
  const attempt = { name: guardName(email), net: addressNet(request.ip) };
  const origin = requestOrigin(request);
  const seconds = await database.tx((tx) => beginAttempt(tx, attempt, clock.now()));
  if (seconds > 0) {
    const headers = { 'retry-after': String(seconds) };
    return sendProblem(request, reply, { status: 429, code: 'sign_in_delayed', headers });
  }
  // Outside any transaction, because hashing is slow.
  const user = await checkUserPassword(database, { email, password: request.body.password });
  if (user !== null && partnerOf(user.kind, user.ownerKey) === null) await refresh();
  const partner = user === null ? null : partnerOf(user.kind, user.ownerKey);
  // Only after the right password: nobody else learns anything about the account.
  if (user?.kind === 'buyer' && partner?.status === 'suspended') {
    return sendProblem(request, reply, { status: 403, code: 'partner_suspended' });
  }
  const admitted = user === null || partner === null ? null : user;
  const now = clock.now();
  const replaced = sessionCookie(request, 'portal');
  const outcome = await database.tx(async (tx) => {
    const userAgent = request.headers['user-agent'] ?? '';
    const code = compactCode(request.body.code);
    const opened =
      admitted === null ? null : await admitUser(tx, { user: admitted, attempt, code, userAgent, origin }, now);
    if (opened === null || (!opened.ok && opened.code === 'code_wrong')) {
      const known = await findSigningUser(tx, email);
      if (known !== null) await recordFailedSignIn(tx, { ...known, target: email, origin }, now);
    } else if (opened.ok && replaced !== null) {
      await endPresentedSession(tx, { secret: replaced, origin }, now);
    }
    return opened;
  });
  if (admitted === null || outcome === null) return sendProblem(request, reply, REFUSED);
  if (!outcome.ok) return sendProblem(request, reply, outcome.code === 'totp_required' ? NO_CODE : REFUSED);
  sessions.discard();
  setSessionCookie(reply, 'portal', outcome.value.secret, outcome.value.expiresAt);
  const { kind, ownerKey, name, roles, totpSecret } = admitted;
  const session = {
    ...{ kind, ownerKey, sessionId: outcome.value.sessionId },
    user: { email, name, roles, hasSecondFactor: totpSecret !== null },
  };
  return reply.send(sessionBody(session, dependencies));
}

/** Removes spaces: authenticator apps show the code in two groups. */
function compactCode(code: string | undefined): string | null {
  const digits = code?.replaceAll(/\s/g, '') ?? '';
  return digits === '' ? null : digits;
}

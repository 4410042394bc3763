// Sign-in to the console by name, password and one-time code; the current session; sign-out (decision 022).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requestOrigin } from '../audit/request-author.ts';
import { typeId } from '../base/ids.ts';
import type { PageBrand } from '../marketplace/brand.schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { clearSessionCookie, sessionCookie, setSessionCookie } from '../platform/http/session-cookie.ts';
import { addressNet } from '../sessions/sign-in-guard.rules.ts';
import { admitOperator, checkPassword, shownName, recordFailedSignIn } from '../sessions/sign-in.ts';
import { endPresentedSession } from '../sessions/end-session.ts';
import { type OperatorAccess, permissionsOf } from '../sessions/operator.rules.ts';
import type { OpenIdProvider } from '../platform/outbound/openid-provider.ts';
import type { PasswordSlots } from '../sessions/password-slots.ts';
import type { OpenSession, SessionKeeper } from '../sessions/session-keeper.ts';
import { beginAttempt } from '../sessions/sign-in-guard.ts';
import { limitSignIns } from '../sessions/sign-in-limit.route.ts';
import { type ConsoleSession, ConsoleSessionSchema, type SignIn, SignInBody } from './session.schema.ts';

export type ConsoleSessionDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: SessionKeeper;
  readonly passwordSlots: PasswordSlots;
  readonly currency: () => string;
  readonly timeZone: () => string;
  readonly brand: () => PageBrand;
  readonly isDemo: () => boolean;
  /** Null where operators sign in by password only. */
  readonly openId: OpenIdProvider | null;
  /** Whether every operator must have a second factor. */
  readonly requireTotp: boolean;
};

const REFUSED = {
  status: 401,
  code: 'unauthorized',
  detail: 'The name, password or code is wrong.',
  headers: { 'www-authenticate': 'Session realm="lead-marketplace"' },
} as const;
const NO_CODE = { status: 401, code: 'totp_required', headers: REFUSED.headers } as const;
const BUSY = { status: 503, code: 'unavailable', headers: { 'retry-after': '1' } } as const;

export function registerConsoleSession(scope: App, dependencies: ConsoleSessionDependencies): void {
  const { database, clock, sessions, passwordSlots } = dependencies;
  scope.post(
    '/api/session',
    { onRequest: limitSignIns(clock), schema: { body: SignInBody, response: { 200: ConsoleSessionSchema } } },
    async (request, reply) => {
      const isChecked = await passwordSlots.run(() => signIn(request, reply, dependencies));
      return isChecked ? reply : sendProblem(request, reply, BUSY);
    },
  );

  // Never a 401: the page asks whether to show the sign-in form.
  scope.get('/api/session', { schema: { response: { 200: ConsoleSessionSchema } } }, async (request, reply) => {
    const secret = sessionCookie(request, 'console');
    const session = secret === null ? null : await sessions.find(secret, { attended: true });
    const operator = session?.operator ?? null;
    const view = session === null || operator === null ? null : sessionView({ ...session, operator }, dependencies);
    return reply.send(responseOf(view, dependencies));
  });

  scope.delete('/api/session', { schema: { response: { 204: Type.Null() } } }, async (request, reply) => {
    const secret = sessionCookie(request, 'console');
    const origin = requestOrigin(request);
    if (secret !== null) await database.tx((tx) => endPresentedSession(tx, { secret, origin }, clock.now()));
    sessions.discard();
    clearSessionCookie(reply, 'console');
    return reply.code(204).send(null);
  });
}

async function signIn(
  request: FastifyRequest<{ Body: SignIn }>,
  reply: FastifyReply,
  dependencies: ConsoleSessionDependencies,
): Promise<FastifyReply> {
  const { database, clock, sessions, isDemo } = dependencies;
  const { password, code } = request.body;
  const name = request.body.name.trim().toLowerCase();
  const attempt = { name, net: addressNet(request.ip) };
  const origin = requestOrigin(request);
  const seconds = await database.tx((tx) => beginAttempt(tx, attempt, clock.now()));
  if (seconds > 0) {
    const headers = { 'retry-after': String(seconds) };
    return sendProblem(request, reply, { status: 429, code: 'sign_in_delayed', headers });
  }
  // Outside any transaction, because hashing is slow.
  const found = await checkPassword(database, { name, password });
  // The printed demo password is valid only in a demo.
  const operator = found?.isDemo === true && !isDemo() ? null : found;
  const now = clock.now();
  const replaced = sessionCookie(request, 'console');
  const outcome = await database.tx(async (tx) => {
    const admitted =
      operator === null
        ? null
        : await admitOperator(
            tx,
            { operator, attempt, code: compactCode(code), userAgent: request.headers['user-agent'] ?? '', origin },
            now,
          );
    if (admitted === null || (!admitted.ok && admitted.code === 'code_wrong')) {
      const ownerKey = await shownName(tx, name);
      await recordFailedSignIn(tx, { kind: 'operator', ownerKey, target: ownerKey, origin }, now);
    } else if (admitted.ok && replaced !== null) {
      await endPresentedSession(tx, { secret: replaced, origin }, now);
    }
    return admitted;
  });
  if (operator === null || outcome === null) return sendProblem(request, reply, REFUSED);
  if (!outcome.ok) return sendProblem(request, reply, outcome.code === 'totp_required' ? NO_CODE : REFUSED);
  sessions.discard();
  setSessionCookie(reply, 'console', outcome.value.secret, outcome.value.expiresAt);
  const { name: ownerKey, role, totpSecret } = operator;
  const state = { role, hasSecondFactor: totpSecret !== null };
  const session = { ownerKey, sessionId: outcome.value.sessionId, operator: state };
  return reply.send(responseOf(sessionView(session, dependencies), dependencies));
}

function responseOf(
  session: ConsoleSession['session'],
  { isDemo, openId, brand }: ConsoleSessionDependencies,
): ConsoleSession {
  return { session, isDemo: isDemo(), provider: openId?.name ?? null, brand: brand() };
}

/** Removes spaces: authenticator apps show the code in two groups. */
function compactCode(code: string | undefined): string | null {
  const digits = code?.replaceAll(/\s/g, '') ?? '';
  return digits === '' ? null : digits;
}

type SignedIn = Pick<OpenSession, 'ownerKey' | 'sessionId'> & { readonly operator: OperatorAccess };

function sessionView(
  { ownerKey, sessionId, operator: { role, hasSecondFactor } }: SignedIn,
  { currency, timeZone, requireTotp }: ConsoleSessionDependencies,
): NonNullable<ConsoleSession['session']> {
  return {
    ...{ id: typeId('session', sessionId), kind: 'operator', ownerKey, name: ownerKey, currency: currency() },
    timeZone: timeZone(),
    role,
    permissions: [...permissionsOf(role)],
    secondFactor: hasSecondFactor ? 'set' : requireTotp ? 'required' : 'none',
  };
}

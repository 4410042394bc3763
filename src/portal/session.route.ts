// Sign-in to the portal by token or key; the current session; sign-out (decision 022).
import { Type } from 'typebox';
import type { AuditOrigin } from '../audit/audit-event.ts';
import { requestOrigin } from '../audit/request-author.ts';
import { typeId } from '../base/ids.ts';
import type { Authenticator, Principal } from '../credentials/authenticator.ts';
import { findPresented } from '../credentials/find-credentials.ts';
import { parseSecret } from '../credentials/secret-text.ts';
import { idKindOf } from '../credentials/credential.ts';
import type { PageBrand } from '../marketplace/brand.schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { userRoles } from '../platform/http/permission.rules.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { clearSessionCookie, sessionCookie, setSessionCookie } from '../platform/http/session-cookie.ts';
import { endPresentedSession } from '../sessions/end-session.ts';
import { openSession } from '../sessions/open-session.ts';
import type { OpenSession, SessionKeeper } from '../sessions/session-keeper.ts';
import { limitSignIns } from '../sessions/sign-in-limit.route.ts';
import { recordFailedSignIn } from '../sessions/sign-in.ts';
import { PortalSessionSchema, type PortalSession, SignInSchema } from './session.schema.ts';

type PartnerKind = 'buyer' | 'supplier';

/** A buyer or supplier of the current configuration. */
export type PartnerFacts = {
  readonly name: string;
  /** A suspended buyer cannot sign in. */
  readonly status: string;
  readonly timeZone?: string;
  readonly betaTools?: readonly string[];
};

export type PortalSessionDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly authenticator: Authenticator;
  readonly sessions: SessionKeeper;
  /** From the current configuration; null if it is not in there. */
  readonly partnerOf: (kind: PartnerKind, key: string) => PartnerFacts | null;
  /** Reloads the configuration, for an owner that may have just been added. */
  readonly refresh: () => Promise<unknown>;
  readonly currency: () => string;
  readonly brand: () => PageBrand;
  readonly isDemo: () => boolean;
  readonly hasMailServer: boolean;
  readonly publicUrl: () => string | null;
};

const kindsOf = { buyer_token: 'buyer', supplier_key: 'supplier', operator_token: null } as const;
const REFUSED = { status: 401, code: 'unauthorized', detail: 'That token or key is not valid.' } as const;
const CHALLENGE = { 'www-authenticate': 'Session realm="lead-marketplace"' };

export function registerPortalSession(scope: App, dependencies: PortalSessionDependencies): void {
  registerSignIn(scope, dependencies);
  registerReading(scope, dependencies);
  registerSignOut(scope, dependencies);
}

function registerSignIn(scope: App, dependencies: PortalSessionDependencies): void {
  const { database, clock, sessions, partnerOf, refresh } = dependencies;
  scope.post(
    '/api/session',
    { onRequest: limitSignIns(clock), schema: { body: SignInSchema, response: { 200: PortalSessionSchema } } },
    async (request, reply) => {
      const { credential } = request.body;
      const kind = kindsOf[parseSecret(credential)?.kind ?? 'operator_token'];
      const principal = kind === null ? null : await principalOf(dependencies, kind, credential);
      const now = clock.now();
      const origin = requestOrigin(request);
      if (kind === null || principal === null) {
        if (kind !== null) await database.tx((tx) => recordRefusedSignIn(tx, { credential, kind, origin }, now));
        return sendProblem(request, reply, { ...REFUSED, headers: CHALLENGE });
      }
      if (partnerOf(kind, principal.ownerKey) === null) await refresh();
      const partner = partnerOf(kind, principal.ownerKey);
      if (partner === null) return sendProblem(request, reply, { ...REFUSED, headers: CHALLENGE });
      if (kind === 'buyer' && partner.status === 'suspended') {
        return sendProblem(request, reply, { status: 403, code: 'partner_suspended' });
      }
      const owner = { kind, ownerKey: principal.ownerKey, openedWith: principal.credentialId };
      const replaced = sessionCookie(request, 'portal');
      const opened = await database.tx(async (tx) => {
        // Ends a session that this browser already has (it may be planted), and never reuses its id: no session fixation.
        if (replaced !== null) await endPresentedSession(tx, { secret: replaced, origin }, now);
        return openSession(tx, { owner, userAgent: request.headers['user-agent'] ?? '', origin }, now);
      });
      sessions.discard();
      setSessionCookie(reply, 'portal', opened.secret, opened.expiresAt);
      return reply.send(sessionBody({ ...owner, sessionId: opened.sessionId, user: null }, dependencies));
    },
  );
}

function registerReading(scope: App, dependencies: PortalSessionDependencies): void {
  const { sessions, partnerOf, refresh } = dependencies;
  // Never a 401: the page asks whether to show the sign-in form.
  scope.get('/api/session', { schema: { response: { 200: PortalSessionSchema } } }, async (request, reply) => {
    const secret = sessionCookie(request, 'portal');
    const session = secret === null ? null : await sessions.find(secret, { attended: true });
    if (session !== null && session.kind !== 'operator' && partnerOf(session.kind, session.ownerKey) === null)
      await refresh();
    return reply.send(sessionBody(session, dependencies));
  });
}

function registerSignOut(scope: App, { database, clock, sessions }: PortalSessionDependencies): void {
  scope.delete('/api/session', { schema: { response: { 204: Type.Null() } } }, async (request, reply) => {
    const secret = sessionCookie(request, 'portal');
    const origin = requestOrigin(request);
    if (secret !== null) await database.tx((tx) => endPresentedSession(tx, { secret, origin }, clock.now()));
    sessions.discard();
    clearSessionCookie(reply, 'portal');
    return reply.code(204).send(null);
  });
}

function principalOf(
  { authenticator }: PortalSessionDependencies,
  kind: PartnerKind,
  credential: string,
): Principal | null | Promise<Principal | null> {
  return authenticator.authenticate(kind === 'buyer' ? 'buyer_token' : 'supplier_key', credential);
}

type Shown = Pick<OpenSession, 'kind' | 'ownerKey' | 'sessionId' | 'user'>;

/** Without a session for null, for an operator, and for an owner that is no longer in the configuration. */
export function sessionBody(session: Shown | null, dependencies: PortalSessionDependencies): PortalSession {
  const { isDemo, brand, hasMailServer, publicUrl } = dependencies;
  return {
    session: session === null ? null : sessionView(session, dependencies),
    isDemo: isDemo(),
    mailsPasswordLinks: hasMailServer && publicUrl() !== null,
    brand: brand(),
  };
}

function sessionView(
  { kind, ownerKey, sessionId, user }: Shown,
  { partnerOf, currency }: Pick<PortalSessionDependencies, 'partnerOf' | 'currency'>,
): PortalSession['session'] {
  if (kind === 'operator') return null;
  const partner = partnerOf(kind, ownerKey);
  if (partner === null) return null;
  const { name, status, timeZone, betaTools } = partner;
  return {
    id: typeId('session', sessionId),
    kind,
    ownerKey,
    name,
    status,
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(betaTools === undefined ? {} : { betaTools: [...betaTools] }),
    currency: currency(),
    user: user === null ? null : { email: user.email, name: user.name, hasSecondFactor: user.hasSecondFactor },
    rights: [...(user?.roles ?? userRoles)],
  };
}

type Refused = { readonly credential: string; readonly kind: PartnerKind; readonly origin: AuditOrigin };

/** Recorded for the owner if the secret was once valid; any other text has no owner. */
async function recordRefusedSignIn(
  tx: Parameters<typeof recordFailedSignIn>[0],
  { credential, kind, origin }: Refused,
  now: Date,
): Promise<void> {
  const found = await findPresented(tx, credential);
  if (found === null) return;
  const target = typeId(idKindOf(found.kind), found.credentialId);
  await recordFailedSignIn(tx, { kind, ownerKey: found.owner, target, origin }, now);
}

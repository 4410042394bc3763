// Sign-in to the console through an OpenID Connect provider: sends the browser there, and takes it back (contract 7.12; decision 085).
import cookies from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { requestOrigin } from '../audit/request-author.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sessionCookie, setSessionCookie } from '../platform/http/session-cookie.ts';
import { type OpenIdProvider, ProviderFault } from '../platform/outbound/openid-provider.ts';
import { endPresentedSession } from '../sessions/end-session.ts';
import {
  admitIdentity,
  newProviderSignIn,
  SIGN_IN_WITHIN_MS,
  storeProviderSignIn,
  takeSignIn,
} from '../sessions/provider-sign-in.ts';
import { ownAddress } from '../platform/http/own-address.ts';
import type { SessionKeeper } from '../sessions/session-keeper.ts';
import { recordFailedSignIn } from '../sessions/sign-in.ts';
import { limitSignIns } from '../sessions/sign-in-limit.route.ts';
import type { ProviderSignInFault } from './session.schema.ts';

export type ProviderSignInDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: SessionKeeper;
  readonly provider: OpenIdProvider;
  readonly publicUrl: () => string | null;
  readonly isDemo: () => boolean;
};

const START = '/api/provider-sign-in';
const CALLBACK = '/api/provider-sign-in/callback';
const HOME = '/console';
/** As for an unknown name: what the provider said may be of anybody. */
const UNKNOWN = { kind: 'operator', ownerKey: 'unknown name', target: 'unknown name' } as const;
// Codes of providers are far shorter.
const VALUE_MAX = 4_096;
/** In characters; lists with many filters have long addresses. */
const PAGE_MAX = 4_000;

const StartQuery = Type.Object({ to: Type.Optional(Type.String()) });
const CallbackQuery = Type.Object({
  code: Type.Optional(Type.String({ maxLength: VALUE_MAX })),
  state: Type.Optional(Type.String({ maxLength: VALUE_MAX })),
  error: Type.Optional(Type.String({ maxLength: VALUE_MAX })),
});

/** Of the console's own pages: it is a link on the sign-in page. */
export function registerProviderSignIn(scope: App, dependencies: ProviderSignInDependencies): void {
  const { database, clock, provider } = dependencies;
  scope.get(START, { onRequest: limitSignIns(clock), schema: { querystring: StartQuery } }, async (request, reply) => {
    const origin = ownAddress(dependencies.publicUrl(), request);
    if (origin === null) {
      return failed(request, reply, {
        error: new ProviderFault('the public address is not set'),
        fault: 'provider_failed',
      });
    }
    const signIn = newProviderSignIn(`${origin}/console${CALLBACK}`);
    const returnTo = pageIn(request.query.to);
    try {
      const url = await provider.authorizationUrl(signIn.proof, signIn.state);
      await database.tx((tx) => storeProviderSignIn(tx, { ...signIn, returnTo }, clock.now()));
      keepBrowser(reply, signIn.browser, new Date(clock.now().getTime() + SIGN_IN_WITHIN_MS));
      return await reply.redirect(url);
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      return failed(request, reply, { error, fault: 'provider_failed' });
    }
  });
}

/**
 * The browser comes from the provider, so this request may not have to be of the same origin; its state and cookie prove that the sign-in was
 * begun here. The session's cookie is not sent along with requests from other sites; the page that is opened afterwards has it.
 */
export function registerProviderCallback(app: App, dependencies: ProviderSignInDependencies): void {
  const { database, clock, sessions, provider, isDemo } = dependencies;
  void app.register(
    (inner, _options, done) => {
      const scope = inner as App;
      scope.scopeName = 'own pages';
      void scope.register(cookies, { hook: false });
      scope.get(
        CALLBACK,
        { onRequest: limitSignIns(clock), schema: { hide: true, querystring: CallbackQuery } },
        async (request, reply) => {
          reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
          const { code, state = '', error } = request.query;
          const browser = keptBrowser(request);
          keepBrowser(reply, '', new Date(0));
          const taken = await database.tx((tx) => takeSignIn(tx, { state, browser }, clock.now()));
          if (taken === null) return failed(request, reply, { fault: 'sign_in_over' });
          if (code === undefined) {
            const fault = error === 'access_denied' ? 'sign_in_canceled' : 'provider_failed';
            return failed(request, reply, { error: new ProviderFault('the provider returned an error'), fault });
          }
          const origin = requestOrigin(request);
          try {
            const identity = await provider.identify(code, taken.proof);
            const userAgent = request.headers['user-agent'] ?? '';
            const now = clock.now();
            const admitted = await database.tx(async (tx) => {
              const outcome = await admitIdentity(tx, { identity, isDemo: isDemo(), userAgent, origin }, now);
              const replaced = sessionCookie(request, 'console');
              if (!outcome.ok) {
                await recordFailedSignIn(tx, { ...UNKNOWN, origin }, now);
              } else if (replaced !== null) await endPresentedSession(tx, { secret: replaced, origin }, now);
              return outcome;
            });
            if (!admitted.ok) return await failed(request, reply, { fault: 'not_an_operator' });
            sessions.discard();
            setSessionCookie(reply, 'console', admitted.value.secret, admitted.value.expiresAt);
            return await reply.redirect(taken.returnTo);
          } catch (fault) {
            if (!(fault instanceof ProviderFault)) throw fault;
            await database.tx((tx) => recordFailedSignIn(tx, { ...UNKNOWN, origin }, clock.now()));
            return failed(request, reply, { error: fault, fault: 'provider_failed' });
          }
        },
      );
      done();
    },
    { prefix: HOME },
  );
}

type Failure = { readonly fault: ProviderSignInFault; readonly error?: ProviderFault };

/** Back to the sign-in page, which says what to do. What the provider said is in the log. */
function failed(request: FastifyRequest, reply: FastifyReply, { error, fault }: Failure): FastifyReply {
  if (error !== undefined) request.log.warn({ err: error }, 'sign-in through the identity provider failed');
  return reply.redirect(`${HOME}?signIn=${fault}`);
}

/** A page of the console; its overview for anything else. */
function pageIn(to: string | undefined): string {
  if (to !== undefined && to.length > PAGE_MAX) return HOME;
  const here = 'https://console.invalid';
  const url = URL.parse(to ?? '', here);
  const isOwn = url?.origin === here && (url.pathname === HOME || url.pathname.startsWith(`${HOME}/`));
  return isOwn && !url.pathname.startsWith(`${HOME}/api/`) ? `${url.pathname}${url.search}` : HOME;
}

function nameFor(request: FastifyRequest): string {
  return request.protocol === 'https' ? '__Host-console-sign-in' : 'console-sign-in';
}

/** Unlike the session's cookie it comes along when the provider sends the browser back. */
function keepBrowser(reply: FastifyReply, value: string, expires: Date): void {
  const { request } = reply;
  const secure = request.protocol === 'https';
  reply.setCookie(nameFor(request), value, { path: '/', httpOnly: true, sameSite: 'lax', secure, expires });
}

function keptBrowser(request: FastifyRequest): string {
  return request.server.parseCookie(request.raw.headers.cookie ?? '')[nameFor(request)] ?? '';
}

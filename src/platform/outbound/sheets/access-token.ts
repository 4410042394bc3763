// Fetches access tokens for Google's API: exchanges a claim signed with the service account's key for a token, which is cached until shortly
// before it expires; concurrent callers share one fetch (RFC 7523; contract 5.5).
import type { Clock } from '../../clock.ts';
import type { GuardedClient } from '../guarded-client.ts';
import type { HttpOutcome } from '../http-outcome.ts';
import { jsonResponse } from '../response-body.rules.ts';
import type { ServiceAccount } from './service-account.ts';

export type TokenOutcome =
  | { readonly ok: true; readonly token: string }
  /** May be shown to partners. */
  | { readonly ok: false; readonly error: string };

export type AccessTokens = {
  /** Ends within 5 s and never rejects for what Google does. */
  current(): Promise<TokenOutcome>;
  /** Drops a token that Google rejected: the next call fetches another one. */
  discard(token: string): void;
};

const SCOPE = 'https://www.googleapis.com/auth/spreadsheets';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** As long as Google allows. */
const CLAIM_SECONDS = 3600;
/** A token is renewed this long before it expires: longer than any call that uses it. */
const MARGIN_MS = 60_000;
/** The lifetime when the response names none: short, and enough for some calls. */
const LIFE_SECONDS = 300;
const FETCH_WITHIN_MS = 5_000;
/** Google's tokens have some 1,000 characters. */
const RESPONSE_BYTES = 65_536;
const TOKEN = /^[\x21-\x7e]{1,8192}$/;
const ERROR_CODE = /^[a-z_]{1,40}$/;

type Kept = { readonly token: string; readonly until: number };

export function createAccessTokens(
  account: ServiceAccount,
  { client, clock }: { readonly client: GuardedClient; readonly clock: Clock },
): AccessTokens {
  let kept: Kept | null = null;
  let fetching: Promise<TokenOutcome> | null = null;

  const fetchToken = async (): Promise<TokenOutcome> => {
    const askedAt = clock.now().getTime();
    const http = await client.post({
      url: account.tokenUri,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: GRANT, assertion: await claimOf(account, askedAt) }).toString(),
      timeoutMs: FETCH_WITHIN_MS,
      keepBodyBytes: RESPONSE_BYTES,
    });
    const fetched = tokenIn(http, askedAt);
    if (fetched === null) return { ok: false, error: errorText(http) };
    kept = fetched;
    return { ok: true, token: fetched.token };
  };

  return {
    async current() {
      if (kept !== null && clock.now().getTime() < kept.until) return { ok: true, token: kept.token };
      fetching ??= fetchToken().finally(() => (fetching = null));
      return fetching;
    },
    discard(token) {
      if (kept?.token === token) kept = null;
    },
  };
}

async function claimOf({ email, keyId, privateKey, tokenUri }: ServiceAccount, at: number): Promise<string> {
  // Imported only here: most marketplaces write to no sheets.
  const { SignJWT } = await import('jose');
  const seconds = Math.floor(at / 1000);
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId === null ? {} : { kid: keyId }) })
    .setIssuer(email)
    .setAudience(tokenUri)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + CLAIM_SECONDS)
    .sign(privateKey);
}

function tokenIn(http: HttpOutcome, askedAt: number): Kept | null {
  if (http.kind === 'error' || http.status !== 200) return null;
  const { access_token: token, expires_in: seconds } = jsonResponse(http.body) ?? {};
  if (typeof token !== 'string' || !TOKEN.test(token)) return null;
  const life = typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : LIFE_SECONDS;
  return { token, until: askedAt + life * 1000 - MARGIN_MS };
}

/** Quotes only the error code of the response: the rest may repeat the request. */
function errorText(http: HttpOutcome): string {
  if (http.kind === 'error') return `Google gave no access token: ${http.message}`;
  const { error } = jsonResponse(http.body) ?? {};
  const code = typeof error === 'string' && ERROR_CODE.test(error) ? ` (${error})` : '';
  return `Google gave the service account no access token: HTTP ${http.status}${code}.`;
}

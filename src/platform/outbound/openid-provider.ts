// Talks to an OpenID Connect provider: discovery, the address to send a browser to, and the exchange of a code for a verified identity
// (OpenID Connect Core 1.0, authorization code flow with PKCE).
import { createHash } from 'node:crypto';

import type { Clock } from '../clock.ts';
import { createGuardedClient, type GuardedClient } from './guarded-client.ts';
import type { HttpOutcome } from './http-outcome.ts';
import { jsonResponse } from './response-body.rules.ts';

export type OpenIdConfig = {
  /** As the provider states it, such as `https://login.example.com`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What users call the provider. */
  readonly name: string;
};

export type Identity = {
  readonly issuer: string;
  /** Never changes and is never given to another account of the issuer. */
  readonly subject: string;
  /** In lower case; null unless the provider has verified it. */
  readonly email: string | null;
};

/** What one sign-in must come back with. */
export type SignInProof = { readonly nonce: string; readonly verifier: string; readonly redirectUri: string };

export type OpenIdProvider = {
  readonly name: string;
  /** Where to send the browser. Rejects with `ProviderFault`. Takes at most 5 s. */
  authorizationUrl(proof: SignInProof, state: string): Promise<string>;
  /** Rejects with `ProviderFault` unless the provider vouches for the identity. Takes at most 20 s: four requests. */
  identify(code: string, proof: SignInProof): Promise<Identity>;
  close(): Promise<void>;
};

/** For the log; what the user reads does not say more than that the sign-in failed. */
export class ProviderFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProviderFault';
  }
}

type Endpoints = {
  readonly authorization: string;
  readonly token: string;
  readonly keys: string;
  /** Otherwise the secret is in the body. */
  readonly usesBasic: boolean;
};

const WITHIN_MS = 5_000;
const BODY_BYTES = 262_144;
/** Providers change their endpoints and keys rarely, and keep old ones for a while. */
const KEPT_MS = 600_000;
const CLOCK_TOLERANCE_SECONDS = 60;
/** Only signatures with public keys: the client's secret is not one to sign with. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** The provider is the operator's own choice, so it may have any address, and plain HTTP on this machine. */
export function createOpenIdProvider(
  config: OpenIdConfig,
  { clock, withinMs = WITHIN_MS }: { readonly clock: Clock; readonly withinMs?: number },
): OpenIdProvider {
  const client = createGuardedClient({ allowTargets: [new URL(config.issuer).origin], totalTimeoutMs: withinMs });
  const endpoints = kept(clock, () => discover(client, config.issuer));
  const keys = kept(clock, async () => fetchJson(client, (await endpoints.current()).keys));
  return {
    name: config.name,
    async authorizationUrl({ nonce, verifier, redirectUri }, state) {
      const url = new URL((await endpoints.current()).authorization);
      const parameters = {
        ...{ response_type: 'code', client_id: config.clientId, redirect_uri: redirectUri, scope: 'openid email' },
        ...{ state, nonce, code_challenge_method: 'S256' },
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },
    async identify(code, proof) {
      const idToken = await exchange({ client, config, endpoints: await endpoints.current() }, code, proof);
      return verify(idToken, { config, nonce: proof.nonce, keys, now: clock.now() });
    },
    close: client.close,
  };
}

type Kept<Value> = { current(): Promise<Value>; discard(): void };

/** Concurrent callers share one request; a failed one is not kept. */
function kept<Value>(clock: Clock, load: () => Promise<Value>): Kept<Value> {
  let loaded: { readonly value: Promise<Value>; readonly until: number } | null = null;
  return {
    current() {
      const now = clock.now().getTime();
      if (loaded === null || now >= loaded.until) {
        const value = load();
        const mine = { value, until: now + KEPT_MS };
        loaded = mine;
        value.catch(() => {
          if (loaded === mine) loaded = null;
        });
      }
      return loaded.value;
    },
    discard() {
      loaded = null;
    },
  };
}

async function discover(client: GuardedClient, issuer: string): Promise<Endpoints> {
  const document = await fetchJson(client, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (document['issuer'] !== issuer) throw new ProviderFault('the discovery document is of another issuer');
  const endpoint = (name: string): string => {
    const url = document[name];
    if (typeof url !== 'string' || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
      throw new ProviderFault(`the discovery document has no ${name}`);
    }
    return url;
  };
  const methods: unknown = document['token_endpoint_auth_methods_supported'];
  return {
    authorization: endpoint('authorization_endpoint'),
    token: endpoint('token_endpoint'),
    keys: endpoint('jwks_uri'),
    usesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
  };
}

async function fetchJson(client: GuardedClient, url: string): Promise<Readonly<Record<string, unknown>>> {
  const headers = { accept: 'application/json' };
  return jsonOf(await client.get({ url, headers, timeoutMs: WITHIN_MS, keepBodyBytes: BODY_BYTES }), url);
}

function jsonOf(http: HttpOutcome, url: string): Readonly<Record<string, unknown>> {
  const at = new URL(url).pathname;
  if (http.kind === 'error') throw new ProviderFault(`${at}: ${http.message}`);
  const members = http.status === 200 ? jsonResponse(http.body) : null;
  if (members === null) throw new ProviderFault(`${at}: HTTP ${http.status}, or no JSON object`);
  return members;
}

type Exchange = { readonly client: GuardedClient; readonly config: OpenIdConfig; readonly endpoints: Endpoints };

async function exchange(
  { client, config: { clientId, clientSecret }, endpoints }: Exchange,
  code: string,
  { verifier, redirectUri }: SignInProof,
): Promise<string> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  const credentials = [clientId, clientSecret].map((part) => new URLSearchParams({ part }).toString().slice(5));
  const basic = { authorization: `Basic ${Buffer.from(credentials.join(':')).toString('base64')}` };
  const inBody = { client_id: clientId, client_secret: clientSecret };
  const http = await client.post({
    url: endpoints.token,
    headers: {
      ...{ 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      ...(endpoints.usesBasic ? basic : {}),
    },
    body: new URLSearchParams({ ...form, ...(endpoints.usesBasic ? {} : inBody) }).toString(),
    timeoutMs: WITHIN_MS,
    keepBodyBytes: BODY_BYTES,
  });
  const { id_token: idToken } = jsonOf(http, endpoints.token);
  if (typeof idToken !== 'string') throw new ProviderFault('the token response has no id_token');
  return idToken;
}

type Verification = {
  readonly config: OpenIdConfig;
  readonly nonce: string;
  readonly keys: Kept<Readonly<Record<string, unknown>>>;
  readonly now: Date;
};

async function verify(idToken: string, { config, nonce, keys, now }: Verification): Promise<Identity> {
  // Imported only here: most marketplaces have no provider.
  const { createLocalJWKSet, errors, jwtVerify } = await import('jose');
  const { issuer, clientId } = config;
  const check = async () => {
    const set = createLocalJWKSet((await keys.current()) as never);
    const options = { issuer, audience: clientId, algorithms: ALGORITHMS, requiredClaims: ['sub', 'exp', 'iat'] };
    return jwtVerify(idToken, set, { ...options, clockTolerance: CLOCK_TOLERANCE_SECONDS, currentDate: now });
  };
  const checked = await check()
    .catch((error: unknown) => {
      // The provider may have a new key since its keys were read.
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      keys.discard();
      return check();
    })
    .catch((error: unknown) => {
      throw error instanceof errors.JOSEError ? new ProviderFault(`id_token: ${error.message}`) : error;
    });
  const { sub, nonce: given, azp, aud, email, email_verified: isVerified } = checked.payload;
  if (given !== nonce) throw new ProviderFault('id_token: of another sign-in');
  const isForOthers = azp === undefined ? Array.isArray(aud) && aud.length > 1 : azp !== clientId;
  if (isForOthers) throw new ProviderFault('id_token: issued to another client');
  if (typeof sub !== 'string' || sub === '' || sub.length > 255) throw new ProviderFault('id_token: no usable subject');
  const isAddress = typeof email === 'string' && email.length <= 254 && isVerified === true;
  return { issuer, subject: sub, email: isAddress ? email.toLowerCase() : null };
}

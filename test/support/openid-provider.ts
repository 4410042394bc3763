// An OpenID Connect provider on loopback, for tests: discovery, authorization, token endpoint and keys. Who comes is signed in at once.
import { createHash, randomUUID } from 'node:crypto';

import { exportJWK, generateKeyPair, SignJWT } from 'jose';

import { type ReceivedRequest, type Reply, startReceiver } from './receiver.ts';

export type TestProvider = {
  readonly issuer: string;
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  /** What the next tokens say beside issuer, audience, times and nonce; `null` takes a claim away. */
  claims: Readonly<Record<string, unknown>>;
  /** Instead of a code the browser brings this error back. */
  refusal: string | null;
  /** What the token endpoint responds instead of a token; null for a token. */
  tokenReply: Reply | null;
  /** The next tokens are signed with another key, which the provider publishes or not. */
  changeKey(isPublished: boolean): Promise<void>;
  close(): Promise<void>;
};

type Granted = { readonly nonce: string; readonly challenge: string; readonly redirectUri: string };

/** `now`: the clock of its tokens. */
export async function startOpenIdProvider(now: () => Date = () => new Date()): Promise<TestProvider> {
  const client = { clientId: 'lead-marketplace', clientSecret: 's3cret & more' };
  const codes = new Map<string, Granted>();
  let { privateKey, published } = await newKey();
  const receiver = await startReceiver({ respond: (request) => respond(request) });
  const issuer = receiver.origin;

  async function respond({ method, path, headers, body }: ReceivedRequest): Promise<Reply> {
    const { pathname, searchParams } = new URL(path, issuer);
    if (pathname === '/.well-known/openid-configuration') return json(discovery(issuer));
    if (pathname === '/keys') return json({ keys: published });
    if (pathname === '/authorize') return authorize(searchParams);
    if (method === 'POST' && pathname === '/token') {
      return provider.tokenReply ?? token(headers.authorization ?? '', new URLSearchParams(body));
    }
    return { status: 404 };
  }

  function authorize(query: URLSearchParams): Reply {
    const get = (name: string): string => query.get(name) ?? '';
    const isWhole = get('response_type') === 'code' && get('client_id') === client.clientId;
    const asks = get('scope').split(' ').includes('openid') && get('code_challenge_method') === 'S256';
    if (!isWhole || !asks) return { status: 400, body: 'not a request of this client' };
    const back = new URL(get('redirect_uri'));
    back.searchParams.set('state', get('state'));
    if (provider.refusal === null) {
      const code = randomUUID();
      codes.set(code, { nonce: get('nonce'), challenge: get('code_challenge'), redirectUri: get('redirect_uri') });
      back.searchParams.set('code', code);
    } else back.searchParams.set('error', provider.refusal);
    return { status: 302, headers: { location: back.href } };
  }

  async function token(authorization: string, form: URLSearchParams): Promise<Reply> {
    const encoded = Object.values(client).map((part) => new URLSearchParams({ part }).toString().slice(5));
    const granted = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      authorization === `Basic ${Buffer.from(encoded.join(':')).toString('base64')}` &&
      form.get('grant_type') === 'authorization_code' &&
      granted?.challenge === challenge &&
      granted.redirectUri === form.get('redirect_uri');
    if (!isRight) return { ...json({ error: 'invalid_grant' }), status: 400 };
    return json({ access_token: 'unused', token_type: 'Bearer', id_token: await idToken(granted.nonce) });
  }

  async function idToken(nonce: string): Promise<string> {
    const seconds = Math.floor(now().getTime() / 1000);
    const standard = { iss: issuer, aud: client.clientId, iat: seconds, exp: seconds + 300, nonce };
    const claims = Object.entries({ ...standard, ...provider.claims }).filter(([, value]) => value !== null);
    const kid = published.at(-1)?.kid ?? 'unpublished';
    return new SignJWT(Object.fromEntries(claims)).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
  }

  const provider: TestProvider = {
    issuer,
    client,
    claims: {},
    refusal: null,
    tokenReply: null,
    async changeKey(isPublished) {
      const key = await newKey();
      privateKey = key.privateKey;
      if (isPublished) published = key.published;
    },
    close: receiver.close,
  };
  return provider;
}

async function newKey() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { privateKey, published: [{ ...(await exportJWK(publicKey)), kid: randomUUID(), alg: 'ES256', use: 'sig' }] };
}

function discovery(issuer: string): object {
  return {
    ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
    ...{ jwks_uri: `${issuer}/keys`, response_types_supported: ['code'], subject_types_supported: ['public'] },
    id_token_signing_alg_values_supported: ['ES256'],
  };
}

function json(body: object) {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

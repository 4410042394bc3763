// Simulates Google for a service account: an endpoint that exchanges signed claims for access tokens, and the Sheets API over one
// spreadsheet in memory. It checks requests as strictly as Google does.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';

import { jwtVerify } from 'jose';

import { type ReceivedRequest, type Receiver, type Reply, startReceiver } from './receiver.ts';

export type Cell = string | number | boolean | null;

export type Google = Receiver & {
  /** Fit for GOOGLE_SERVICE_ACCOUNT_FILE. */
  readonly keyFile: Readonly<Record<string, string>>;
  readonly spreadsheetId: string;
  /** The rows of the first sheet, from the top. */
  readonly rows: Cell[][];
  /** Of the first sheet; a test may rename it. */
  title: string;
  /** Asked before each request is answered; `after` of an answer comes once the request has done its work. */
  fault: ((request: ReceivedRequest) => Fault | null) | null;
  /** How long new tokens are good for. */
  tokenSeconds: number;
  /** Tokens given so far, the last one is the newest. */
  readonly tokens: string[];
  /** Requests that ask for tokens, that read and that write. */
  readonly asked: { readonly tokens: () => number; readonly reads: () => string[]; readonly appends: () => Cell[][][] };
};

type Fault = { readonly instead: Reply } | { readonly after: Reply };

export const serviceAccountEmail = 'appender@leads.iam.example';

/** Generated once: a key takes a noticeable time. */
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const privateKeyPem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const SPREADSHEET_ID = '1sUmm1t_Sheet-of-Leads';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ok = (value: unknown): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
const no = (status: number, code: string): Reply => ({
  status,
  body: JSON.stringify({ error: { code: status, status: code } }),
});

/** `now` is the time against which the claims are checked. */
export async function startGoogle({ title = 'Leads', now }: { title?: string; now: () => Date }): Promise<Google> {
  const rows: Cell[][] = [];
  const tokens: string[] = [];
  const state: Pick<Google, 'title' | 'fault' | 'tokenSeconds'> = { title, fault: null, tokenSeconds: 3600 };
  const receiver = await startReceiver({
    async respond(request) {
      const fault = state.fault?.(request) ?? null;
      if (fault !== null && 'instead' in fault) return fault.instead;
      const reply =
        request.path === '/token'
          ? await grantToken(request, { publicKey: pair.publicKey, tokens, seconds: state.tokenSeconds, now: now() })
          : respondAsSheets(request, { rows, tokens, title: state.title });
      return fault === null ? reply : fault.after;
    },
  });
  const calls = (method: string, path: RegExp): ReceivedRequest[] =>
    receiver.requests.filter((request) => request.method === method && path.test(request.path));
  return Object.assign(state, receiver, {
    rows,
    tokens,
    spreadsheetId: SPREADSHEET_ID,
    keyFile: {
      type: 'service_account',
      client_email: serviceAccountEmail,
      private_key: privateKeyPem,
      private_key_id: 'key-1',
      token_uri: `${receiver.origin}/token`,
    },
    asked: {
      tokens: () => calls('POST', /^\/token$/).length,
      reads: () => calls('GET', /^\/v4\//).map(({ path }) => decodeURIComponent(path)),
      appends: () => calls('POST', /:append\?/).map(({ body }) => (JSON.parse(body) as { values: Cell[][] }).values),
    },
  });
}

async function grantToken(
  { headers, body }: ReceivedRequest,
  { publicKey, tokens, seconds, now }: { publicKey: KeyObject; tokens: string[]; seconds: number; now: Date },
): Promise<Reply> {
  const form = new URLSearchParams(body);
  if (headers['content-type'] !== 'application/x-www-form-urlencoded' || form.get('grant_type') !== GRANT)
    return { status: 400, body: '{"error":"unsupported_grant_type"}' };
  const { payload, protectedHeader } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
    issuer: serviceAccountEmail,
    audience: `http://${headers.host}/token`,
    currentDate: now,
    requiredClaims: ['iat', 'exp'],
  });
  const isGood =
    protectedHeader.alg === 'RS256' &&
    protectedHeader.kid === 'key-1' &&
    payload['scope'] === 'https://www.googleapis.com/auth/spreadsheets' &&
    (payload.exp ?? 0) - (payload.iat ?? 0) <= 3600;
  if (!isGood) return { status: 400, body: '{"error":"invalid_grant"}' };
  const token = `ya29.token-${tokens.length + 1}`;
  tokens.push(token);
  return ok({ access_token: token, expires_in: seconds, token_type: 'Bearer' });
}

function respondAsSheets(
  { method, path, headers, body }: ReceivedRequest,
  { rows, tokens, title }: { rows: Cell[][]; tokens: readonly string[]; title: string },
): Reply {
  if (!tokens.some((token) => headers.authorization === `Bearer ${token}`)) return no(401, 'UNAUTHENTICATED');
  const url = new URL(path, 'http://google.example');
  const [, id, range, verb] = /^\/v4\/spreadsheets\/([^/]+)(?:\/values\/([^/:]+)(:append)?)?$/.exec(url.pathname) ?? [];
  if (id !== SPREADSHEET_ID) return no(404, 'NOT_FOUND');
  if (range === undefined) {
    return ok({ sheets: [{ properties: { title } }, { properties: { title: 'Another sheet' } }] });
  }
  const [, sheet, cells] = /^'((?:[^']|'')+)'!([A-Z0-9:]+)$/.exec(decodeURIComponent(range)) ?? [];
  if (sheet?.replaceAll("''", "'") !== title) return no(400, 'INVALID_ARGUMENT');
  if (method === 'POST' && verb !== undefined) {
    const isRaw = url.search === '?valueInputOption=RAW&insertDataOption=INSERT_ROWS';
    if (!isRaw || cells !== 'A1' || headers['content-type'] !== 'application/json') return no(400, 'INVALID_ARGUMENT');
    rows.push(...(JSON.parse(body) as { values: Cell[][] }).values);
    return ok({ spreadsheetId: id, updates: { updatedRows: rows.length } });
  }
  if (method !== 'GET' || url.searchParams.get('majorDimension') !== 'COLUMNS') return no(400, 'INVALID_ARGUMENT');
  const column = (cells === 'A1' ? rows.slice(0, 1) : rows).map(([first]) => String(first ?? ''));
  // An empty range has no values at all.
  return ok(column.length === 0 ? {} : { values: [column] });
}

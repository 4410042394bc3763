// Sends requests to a running marketplace's routes, in this process and one after the other, and counts the responses.
import { operatorScopes } from '../../../src/credentials/operator-scopes.rules.ts';
import type { App } from '../../../src/platform/http/app.ts';
import type { Chance } from '../chance.ts';
import type { TestMarketplace } from '../marketplace.ts';
import { type NamedSchemas, type RegisteredRoute, type Route, routesOf } from '../routes.ts';
import type { Json } from '../scope-app.ts';
import { hostileBodies, hostileTexts } from './hostile.ts';
import { percent } from './percent.ts';
import { createValueMaker, type ValueMaker, WHOLE } from './value-maker.ts';

export type Tally = {
  readonly failures: readonly string[];
  /** Routes that were not asked at all. */
  readonly unasked: readonly string[];
  /** Requests, by status class and by scope. */
  lines(seed: number): string[];
};

export type Asking = {
  readonly chance: Chance;
  /** So many beyond the first of each route. */
  readonly atRandom: number;
  /** Of a receiver that partners' endpoints may be at. */
  readonly origin: string;
  /** Called before each request. */
  readonly passTime: () => void;
  /** Undoes what the requests have configured. */
  readonly restore: () => Promise<void>;
};

type Asker = { readonly name: string; readonly headers: Readonly<Record<string, string>> };
type Question = {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload: string | null;
};

const RESTORE_EVERY = 400;
/** Written to the socket itself, and complete when that has ended: under `inject` it never ends. */
const isFile = ({ path }: Route): boolean => path.endsWith('/export');
/** A live stream has no end to wait for; its query and body are not read. */
const isStream = ({ path }: Route): boolean => path.endsWith('/api/stream');

export async function askRoutes(
  market: TestMarketplace,
  { routes: registered, schemas }: { readonly routes: readonly RegisteredRoute[]; readonly schemas: NamedSchemas },
  { chance, atRandom, origin, passTime, restore }: Asking,
): Promise<Tally> {
  const app = market.runtime.app;
  if (app === null) throw new Error('the marketplace has no API');
  const routes = withSchemas(app, registered);
  const values = createValueMaker(chance, seedsWith(origin), (id) => schemas[id]);
  const askers = await openAskers(market);
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const failures: string[] = [];
  for (let asked = 0; asked < routes.length + atRandom; asked += 1) {
    if (asked % RESTORE_EVERY === RESTORE_EVERY - 1) await restore();
    passTime();
    // Each once, then at random.
    const route = routes[asked] ?? chance.pick(routes);
    if (route === undefined) throw new Error('there are no routes');
    const asker = askers.pick(route, chance);
    const question = questionFor(route, { chance, values });
    const headers = { ...asker.headers, ...question.headers };
    const reply = isFile(route)
      ? await askOnLine(market.url, { ...question, headers })
      : await askInside(app, { ...question, headers }, chance);
    const scope = scopeOf(route.path);
    for (const what of ['all', `class ${Math.floor(reply.statusCode / 100)}xx`, `scope ${scope}`, route.name]) {
      count(what);
    }
    count(`scope ${scope} ${Math.floor(reply.statusCode / 100)}xx`);
    if (reply.statusCode >= 500) failures.push(seen(asker, question, reply));
    if (reply.statusCode === 401) await askers.renew(asker.name);
    if (reply.statusCode < 300 && reply.isJson) values.learn(JSON.parse(reply.body) as unknown);
  }
  return {
    failures,
    unasked: routes.filter(({ name }) => !counts.has(name)).map(({ name }) => name),
    lines: (seed) => [
      `fuzz: seed ${seed}, ${counts.get('all') ?? 0} requests, ${routes.length} routes`,
      ...[...counts]
        .filter(([what]) => /^(?:class|scope) /.test(what))
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(([what, of]) => `  ${what}: ${of}`),
    ],
  };
}

type HttpResponse = { readonly statusCode: number; readonly body: string; readonly isJson: boolean };

const isJson = (contentType: unknown): boolean => /^application\/json\b/.test(String(contentType));

async function askInside(app: App, { payload, ...rest }: Question, chance: Chance): Promise<HttpResponse> {
  const { statusCode, body, headers } = await app.inject({
    ...(rest as { method: 'GET'; url: string; headers: Record<string, string> }),
    // So that no address is delayed for too many sign-ins.
    remoteAddress: `10.${chance.below(250)}.${chance.below(250)}.${chance.below(250)}`,
    ...(payload === null ? {} : { payload }),
  });
  return { statusCode, body, isJson: isJson(headers['content-type']) };
}

async function askOnLine(url: string, question: Question): Promise<HttpResponse> {
  const { method, headers, payload } = question;
  const response = await fetch(url + question.url, {
    method,
    headers: { ...headers, connection: 'close' },
    body: payload,
  });
  return { statusCode: response.status, body: await response.text(), isJson: false };
}

type FuzzedRoute = RegisteredRoute & { readonly name: string };

function withSchemas(app: App, registered: readonly RegisteredRoute[]): FuzzedRoute[] {
  const known = new Map(registered.map((route) => [`${route.method} ${route.path}`, route]));
  return routesOf(app)
    .filter((route) => !isStream(route))
    .map((route) => {
      const name = `${route.method} ${route.path}`;
      return { ...route, name, schema: known.get(name)?.schema ?? {}, config: known.get(name)?.config ?? {} };
    });
}

function scopeOf(path: string): string {
  if (path.startsWith('/console/api/')) return 'console';
  if (path.startsWith('/portal/api/')) return 'portal';
  return path.startsWith('/api/v1/') ? 'API' : 'open';
}

const seen = ({ name }: Asker, { method, url, payload }: Question, { statusCode, body }: HttpResponse) =>
  `${name}: ${method} ${url.slice(0, 300)} ${JSON.stringify(payload)?.slice(0, 400)} → ${statusCode} ${body.slice(0, 200)}`;

/** Values of a plausible request, before any are learnt from responses. */
function seedsWith(origin: string): Record<string, readonly unknown[]> {
  const partners = ['summit', 'harbor', 'plain', 'quiet'];
  return {
    ...{ partner: partners, partnerKey: partners, ownerKey: [...partners, 'acme-media'] },
    ...{ supplier: ['acme-media'], supplierKey: ['acme-media'], key: ['summit-west', 'summit', 'acme-media'] },
    text: ['Jordan', 'x', 'dana', 'a note', 'partners: [{ key: summit, name: Summit }]', 'nothing: here'],
    search: ['Jordan', 'jordan.rivera.1@example.com', '+15552000001', 'summit', 'A-1'],
    reason: ['duplicate', 'wrong_number', 'no'],
    email: ['jordan.rivera.1@example.com', 'ops@summit.example'],
    phone: ['+15552000001', '+12025550187'],
    webhookUrl: [`${origin}/hook`, null],
    sheetsWebhookUrl: [`${origin}/sheet`, null],
    month: ['2026-10', '2026-09'],
    amount: [5, 10.25, -3],
    version: [1, 2, 3],
    fragment: [{ partners: [{ key: 'summit', name: 'Summit Two' }] }, { offers: [] }],
    type: ['payment', 'adjustment', 'credit'],
    lead: [sampleOf('B-1'), sampleOf('B-2')],
    name: ['dana', 'summit'],
    label: ['main', null],
  };
}

const sampleOf = (externalId: string): object => ({
  external_id: externalId,
  full_name: 'Jordan Rivera',
  email: `${externalId}@example.com`,
  phone: '+15552000009',
  state: 'CA',
});

type Making = { readonly chance: Chance; readonly values: ValueMaker };

function questionFor({ method, path, schema }: FuzzedRoute, { chance, values }: Making): Question {
  // A third is entirely plausible, so that the code behind the checks is reached; in a sixth nearly every value is wrong.
  const hostility = [0, 0, 8, 8, 25, 60][chance.below(6)] ?? 0;
  const url =
    path.replaceAll(/:(\w+)|\*/g, (_all, name: string | undefined) => percent(values.text(name ?? 'file', hostility))) +
    queryFor(schema?.querystring as Json, { chance, values, hostility });
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method) && (schema?.body !== undefined || chance.below(4) === 0);
  return {
    method,
    url,
    headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...headersFor(chance, hostility) },
    payload: hasBody ? bodyFor(schema?.body as Json, { chance, values, hostility }) : null,
  };
}

type Filling = Making & { readonly hostility: number };

function queryFor(schema: Json, { chance, values, hostility }: Filling): string {
  const pairs: string[] = [];
  for (const [name, member] of Object.entries((schema?.properties ?? {}) as Record<string, Json>)) {
    if (chance.below(100) < 45) continue;
    const value = values.make(member, 0, name);
    const text = chance.below(100) < hostility ? values.text(name, 100) : String(value);
    pairs.push(`${percent(name)}=${percent(text)}`);
    if (chance.below(100) < hostility / 4) pairs.push(`${percent(name)}=${percent(text)}`);
  }
  if (chance.below(100) < hostility / 4)
    pairs.push(chance.pick(['%', '%zz=1', '%00=%00', 'a[b]=1', '&&', 'x=%c3%28']) ?? '');
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function bodyFor(schema: Json, { chance, values, hostility }: Filling): string {
  if (chance.below(100) < hostility / 5) return chance.pick(hostileBodies) ?? '';
  const made = values.make(schema ?? { type: 'object' }, hostility, WHOLE);
  return JSON.stringify(made) ?? '{}';
}

function headersFor(chance: Chance, hostility: number): Record<string, string> {
  const headers: Record<string, string> = {};
  const isHit = (): boolean => chance.below(100) < hostility / 3;
  // Some routes do nothing without one.
  if (chance.below(10) < 7) headers['idempotency-key'] = `fuzz-${chance.below(1_000_000_000)}`;
  for (const name of ['idempotency-key', 'user-agent', 'x-request-id', 'accept', 'if-match', 'if-none-match']) {
    if (isHit()) headers[name] = onLine(chance.pick(hostileTexts) ?? '');
  }
  if (isHit()) headers['content-type'] = chance.pick(['text/plain', 'application/json; charset=utf-16', '']) ?? '';
  return headers;
}

/** The requests that the parser of a real connection accepts. */
function onLine(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 2000);
}

async function openAskers(market: TestMarketplace): Promise<{
  pick(route: Route, chance: Chance): Asker;
  renew(name: string): Promise<void>;
}> {
  const own = (cookie: string): Record<string, string> => ({ cookie, 'sec-fetch-site': 'same-origin' });
  const open: Readonly<Record<string, () => Promise<Record<string, string>>>> = {
    stranger: async () => ({ 'sec-fetch-site': 'same-origin' }),
    key: async () => ({ 'x-api-key': await market.supplierKey('acme-media') }),
    token: async () => ({ authorization: `Bearer ${await market.buyerToken('summit')}` }),
    buyer: async () => own((await market.signedIn.buyer('summit')).cookie),
    supplier: async () => own((await market.signedIn.supplier('acme-media')).cookie),
    admin: async () => own((await market.signedIn.operator('ada')).cookie),
    finance: async () => own((await market.signedIn.operator('fin', 'finance')).cookie),
    support: async () => own((await market.signedIn.operator('sue', 'support')).cookie),
    program: async () => ({ authorization: `Bearer ${await market.operatorToken(operatorScopes)}` }),
    reader: async () => own((await market.signedIn.operator('rea', 'read-only')).cookie),
  };
  const headers = new Map<string, Record<string, string>>();
  for (const [name, make] of Object.entries(open)) headers.set(name, await make());
  const rightFor = (path: string): readonly string[] => {
    if (path.startsWith('/console/')) return ['admin', 'admin', 'admin', 'finance', 'support', 'reader'];
    if (path.startsWith('/portal/')) {
      return path.includes('/supplier/') ? ['supplier'] : path.includes('/buyer/') ? ['buyer'] : ['buyer', 'supplier'];
    }
    if (path.startsWith('/api/v1/operator/')) return ['program'];
    return path.includes('/buyer/') ? ['token'] : ['key'];
  };
  return {
    pick({ path }, chance) {
      const name = chance.pick(chance.below(10) === 0 ? Object.keys(open) : rightFor(path)) ?? '';
      return { name, headers: headers.get(name) ?? {} };
    },
    async renew(name) {
      headers.set(name, (await open[name]?.()) ?? {});
    },
  };
}

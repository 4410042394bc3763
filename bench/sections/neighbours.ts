// Measures how long other users wait while one partner changes its settings repeatedly, reads its exports slowly, or sends the dearest
// requests that it can think of.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client, Pool } from 'undici';

import { leadBody, newRun } from '../support/lead-body.ts';
import { percentile, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { BIG_PARTNER, partnersYaml, plantPartnerPast } from '../support/partner-past.ts';
import { run } from '../support/processes.ts';
import type { Section } from '../support/report.ts';
import {
  COMMAND,
  holdEngine,
  makeWorkspace,
  type Workspace,
  removeWorkspace,
  startService,
} from '../support/service.ts';
import { sized } from '../support/size.ts';

const DELIVERIES = sized(200_000, 2000);
const OTHER_PARTNER = 'buyer-1';
const CHANGES = sized(400, 10);
const CHANGES_AT_ONCE = 16;
const EXPORTS = sized(8, 2);
const UPLOADS = sized(4, 1);
/** As many phones as fit into the longest part. */
const PHONES = sized(76_000, 500);
const TEST_DELIVERIES = sized(20, 2);
/** As many as a format may have of such patterns. */
const SLOW_RULES = 10;
const SLOW_PATTERN = `(?:a?){60}a{60}c$`;
/** The longest response that is read. */
const RESPONSE_BYTES = 65_000;
/** The speed of a phone on a train: the export outlives the measurement. */
const EXPORT_BYTES_PER_SECOND = 100_000;
/** The interval between requests of each other user, with or without a response to the previous one. */
const ASK_EVERY_MS = 25;

const KINDS = ['post a lead', 'read deliveries', 'change settings'] as const;
type Kind = (typeof KINDS)[number];
type Samples = Record<Kind, number[]>;
type Busy = { readonly name: string; start(): Promise<{ stop(): Promise<void> }> };

export async function measureNeighbours({ directory, rounds, seconds, progress }: BenchOptions): Promise<Section> {
  const endpoint = await startLongResponses();
  const workspace = await makeWorkspace(
    directory,
    endpoint.origin,
    partnersYaml({ buyers: [hostileYaml(endpoint.origin)] }),
  );
  const engine = await holdEngine(workspace);
  await plantPartnerPast(engine, DELIVERIES, new Date());
  const [busyToken, otherToken] = [await tokenOf(workspace, BIG_PARTNER), await tokenOf(workspace, OTHER_PARTNER)];
  const hostileToken = await tokenOf(workspace, HOSTILE_PARTNER);
  const service = await startService(workspace, 'all');
  const ask = (): Promise<Samples> =>
    askAsOthers({ url: service.url, key: workspace.key, token: otherToken, seconds: Math.max(seconds, 5) });
  const conditions: Busy[] = [
    { name: 'nothing', start: async () => ({ stop: async () => undefined }) },
    { name: `${CHANGES} changes of settings`, start: async () => changeSettings(service.url, busyToken) },
    { name: `${EXPORTS} slow exports`, start: async () => exportSlowly(service.url, busyToken) },
    {
      name: `${UPLOADS} uploads of lists, ${TEST_DELIVERIES} test deliveries, ${EXPORTS} exports`,
      async start() {
        const parts = [await askTheDearest(service.url, hostileToken), exportSlowly(service.url, busyToken)];
        return {
          async stop() {
            for (const part of parts) await part.stop();
          },
        };
      },
    },
  ];
  const found = new Map(conditions.map(({ name }) => [name, emptySamples()]));
  // One run first, to fill the caches.
  await ask();
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, start } of conditions) {
      const busy = await start();
      const samples = await ask();
      await busy.stop();
      for (const kind of KINDS) found.get(name)?.[kind].push(...samples[kind]);
      progress(`neighbours: ${name}: ${KINDS.map((kind) => shown(percentile(samples[kind], 99))).join(' / ')} ms p99`);
    }
  }
  await service.stop();
  await engine.release();
  await endpoint.stop();
  removeWorkspace(workspace);
  return describe(found);
}

const emptySamples = (): Samples => ({ 'post a lead': [], 'read deliveries': [], 'change settings': [] });

async function tokenOf(workspace: Workspace, partner: string): Promise<string> {
  const issued = await run(COMMAND, ['token', 'issue', '--partner', partner, '--json'], workspace.env);
  return (JSON.parse(issued) as { token: string }).token;
}

type Asked = {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
};
type Others = { readonly url: string; readonly key: string; readonly token: string; readonly seconds: number };

/** A supplier and another partner, at fixed instants: a late response does not delay the next request. */
async function askAsOthers({ url, key, token, seconds }: Others): Promise<Samples> {
  const samples = emptySamples();
  const clients = KINDS.map(() => new Pool(url, { connections: 16 }));
  const json = { 'content-type': 'application/json' };
  const count = Math.ceil((seconds * 1000) / ASK_EVERY_MS);
  const { run: runName, first } = newRun(count);
  const requestOf: Record<Kind, (turn: number) => Asked> = {
    'post a lead': (turn) => ({
      method: 'POST',
      path: '/api/v1/ingest',
      headers: { ...json, 'x-api-key': key },
      body: leadBody(runName, first + turn),
    }),
    'read deliveries': () => ({
      method: 'GET',
      path: '/api/v1/buyer/leads?pageSize=25',
      headers: { authorization: `Bearer ${token}` },
    }),
    'change settings': (turn) => ({
      method: 'PATCH',
      path: '/api/v1/buyer/account',
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({ ccEmails: [`sales.${turn % 2}@buyer.example.com`] }),
    }),
  };
  const pending: Array<Promise<void>> = [];
  const began = performance.now();
  for (let turn = 0; turn < count; turn += 1) {
    for (const [index, kind] of KINDS.entries()) {
      // Settings are changed less often than leads are posted.
      if (kind === 'change settings' && turn % 8 !== 0) continue;
      pending.push(timed(clients[index] as Pool, requestOf[kind](turn), samples[kind]));
    }
    await sleep(Math.max(0, began + (turn + 1) * ASK_EVERY_MS - performance.now()));
  }
  await Promise.all(pending);
  for (const one of clients) await one.close();
  return samples;
}

async function timed(client: Pool, request: Asked, into: number[]): Promise<void> {
  const began = performance.now();
  const { statusCode, body } = await client.request(request);
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${request.path}: ${statusCode} ${text.slice(0, 300)}`);
  into.push(performance.now() - began);
}

/** This many changes, some at once, from the beginning of the measurement on. */
function changeSettings(url: string, token: string): { stop(): Promise<void> } {
  const clients = Array.from({ length: CHANGES_AT_ONCE }, () => new Client(url));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let next = 0;
  const working = clients.map(async (own) => {
    while (next < CHANGES) {
      const body = JSON.stringify({ ccEmails: [`change.${next++}@buyer.example.com`] });
      const response = await own.request({ method: 'PATCH', path: '/api/v1/buyer/account', headers, body });
      await response.body.dump();
      // A rejection for too many at once is a valid response.
      if (response.statusCode !== 200 && response.statusCode !== 429) throw new Error(`PATCH: ${response.statusCode}`);
    }
  });
  return {
    async stop() {
      await Promise.all(working);
      for (const own of clients) await own.close();
    },
  };
}

function exportSlowly(url: string, token: string): { stop(): Promise<void> } {
  const clients = Array.from({ length: EXPORTS }, () => new Client(url, { bodyTimeout: 0 }));
  const ending = new AbortController();
  const working = clients.map(async (own) => {
    try {
      const headers = { authorization: `Bearer ${token}` };
      const { body } = await own.request({
        method: 'GET',
        path: '/api/v1/buyer/export',
        headers,
        signal: ending.signal,
      });
      for await (const chunk of body as AsyncIterable<Buffer>) {
        await sleep((1000 * chunk.length) / EXPORT_BYTES_PER_SECOND, undefined, { signal: ending.signal });
      }
    } catch (error) {
      if (!ending.signal.aborted) throw error;
    }
  });
  return {
    async stop() {
      ending.abort();
      await Promise.all(working);
      for (const own of clients) await own.destroy();
    },
  };
}

const HOSTILE_PARTNER = 'hostile';

/** Its rules take as long as rules can, for each of its responses. */
function hostileYaml(origin: string): string {
  const rule = JSON.stringify({ when: { text: { pattern: SLOW_PATTERN } }, outcome: 'rejected' });
  const rules = Array.from({ length: SLOW_RULES }, () => rule).join(', ');
  const webhook = `{ format: custom, body: { type: json, template: '{ "name": "{{ lead.fullName }}" }' }, response: { rules: [${rules}] } }`;
  return `  - { key: ${HOSTILE_PARTNER}, channels: [webhook], settings: { webhookUrl: "${origin}/" }, betaTools: [test-delivery], webhook: ${webhook} }`;
}

async function startLongResponses(): Promise<{ readonly origin: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('a'.repeat(RESPONSE_BYTES)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the endpoint has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Uploads and test deliveries over and over until it is stopped. Being told to wait is a valid response. */
async function askTheDearest(url: string, token: string): Promise<{ stop(): Promise<void> }> {
  const client = new Pool(url, { connections: UPLOADS + TEST_DELIVERIES });
  const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const signedIn = await client.request({
    ...{ method: 'POST', path: '/portal/api/session', headers: own },
    body: JSON.stringify({ credential: token }),
  });
  await signedIn.body.dump();
  const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? '';
  const send = async (path: string, body: object): Promise<{ status: number; json: Record<string, string> }> => {
    const response = await client.request({
      ...{ method: 'POST', path, headers: { ...own, cookie } },
      body: JSON.stringify(body),
    });
    const text = await response.body.text();
    if (response.statusCode >= 500) throw new Error(`${path}: ${response.statusCode} ${text.slice(0, 300)}`);
    return { status: response.statusCode, json: JSON.parse(text) as Record<string, string> };
  };
  let isStopped = false;
  const rows = `phone\n${Array.from({ length: PHONES }, (_, index) => `+1${2_125_550_000 + index}`).join('\n')}\n`;
  const upload = async (turn: number): Promise<void> => {
    const lists = '/portal/api/buyer/lists';
    const key = `list-${turn}-${Date.now()}`;
    const { json: list } = await send(lists, { key, name: key, kind: 'phone' });
    const { json: load } = await send(`${lists}/${list['listId']}/loads`, { mode: 'replace' });
    for (let number = 1; !isStopped;) {
      const { status } = await send(`${lists}/${list['listId']}/loads/${load['loadId']}/parts`, { number, rows });
      if (status === 200) number += 1;
      else if (status === 429) await sleep(1000);
      else throw new Error(`a part: ${status}`);
    }
  };
  const testDelivery = async (): Promise<void> => {
    while (!isStopped) {
      const { status } = await send('/portal/api/buyer/test-delivery', { target: 'webhook' });
      if (status === 429) await sleep(1000);
    }
  };
  const working = [
    ...Array.from({ length: UPLOADS }, async (_, turn) => upload(turn)),
    ...Array.from({ length: TEST_DELIVERIES }, testDelivery),
  ];
  return {
    async stop() {
      isStopped = true;
      await Promise.all(working);
      await client.close();
    },
  };
}

function describe(found: ReadonlyMap<string, Samples>): Section {
  const quiet = found.get('nothing') ?? emptySamples();
  const rows = [...found].flatMap(([name, samples]) =>
    KINDS.map((kind) => {
      const [p50, p99] = [percentile(samples[kind], 50), percentile(samples[kind], 99)];
      const before = percentile(quiet[kind], 99);
      const further = name === 'nothing' ? ['', ''] : [shown(p99 - before), shown(p99 / before)];
      return [`${name}: ${kind}`, String(samples[kind].length), shown(p50), shown(p99), ...further];
    }),
  );
  return {
    name: 'neighbours',
    title: 'Others beside one busy partner',
    notes: [
      `One process (\`--role all\`). A supplier posts ${1000 / ASK_EVERY_MS} leads a second, another partner reads its deliveries as often and changes its settings ${1000 / ASK_EVERY_MS / 8} times a second, at fixed instants.`,
      `Meanwhile one partner with ${(DELIVERIES / 10).toLocaleString('en-US')} deliveries does nothing, changes its settings ${CHANGES} times (${CHANGES_AT_ONCE} at once), asks for ${EXPORTS} exports that it reads at ${EXPORT_BYTES_PER_SECOND / 1000} kB/s, or does the dearest that it can; in turn, in every round.`,
      `The dearest: parts of ${PHONES.toLocaleString('en-US')} phones, one upload beside the other, and test deliveries whose response of ${RESPONSE_BYTES / 1000} kB ${SLOW_RULES} rules search for \`${SLOW_PATTERN}\`.`,
    ],
    tables: [
      {
        title: 'Times that the others see',
        columns: ['the busy partner: what others do', 'requests', 'p50 ms', 'p99 ms', 'more ms at p99', 'ratio'],
        rows,
      },
    ],
    data: Object.fromEntries(found),
  };
}

// Every sample of docs/api.md does what the page says that it does: it is run as it stands there against the service.
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';

import { getAsBuyer, getAsSupplier, postAsBuyer } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { type IntegratorMarket, startIntegratorMarket } from '../support/integrator-market.ts';
import type { ReceivedRequest } from '../support/receiver.ts';
import type { Json } from '../support/scope-app.ts';
import { filesIn, type Sample, samplesIn } from './markdown-samples.ts';
import { missingForSample, type Ran, runRepeatedly, runSample, runTogether } from './run-sample.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8');
const samples = samplesIn(page);
const missing = new Map(samples.map((sample) => [sample, missingForSample(sample)]));
// A shell starts a program for everything that it does.
const together = (['js', 'python', 'php'] as const).filter((language) =>
  samples.some((one) => one.language === language),
);

let market: IntegratorMarket;
let folder: string;
let deliveries: Json[];
let message: ReceivedRequest;
let invoiceId: string;
let statementId: string;
let runs = 0;

beforeAll(async () => {
  market = await startIntegratorMarket();
  // One for each sample that uses one up, and one more.
  const used = samples.flatMap(({ code }) => ['DELIVERY', 'RETURN', 'DISPUTE'].filter((name) => code.includes(name)));
  deliveries = await market.sell(used.length + 1);
  const { deliveryId } = deliveries.pop();
  const received = market.receiver.requests.find(({ headers }) => headers['webhook-id'] === deliveryId);
  if (received === undefined) throw new Error('the delivery was confirmed, and nothing came in');
  message = received;
  const billing = await getAsBuyer(market.url, market.buyerToken, '/api/v1/buyer/billing');
  invoiceId = billing.json.invoices[0].invoiceId;
  const statements = await getAsSupplier(market.url, market.supplierKey, '/api/v1/supplier/statements');
  statementId = statements.json.data[0].statementId;
  folder = await mkdtemp(join(tmpdir(), 'leadmarket-docs-'));
  for (const name of new Set(missing.values()))
    if (name !== null) console.warn(`docs/api.md: some samples are not run, because there is no ${name} here`);
});
afterAll(async () => {
  await market.close();
  await rm(folder, { recursive: true, force: true });
});

/** Files a claim on a delivery that nobody else is about, and answers with its id. */
async function filed(path: 'returns' | 'disputes'): Promise<string> {
  const { deliveryId } = deliveries.pop();
  const body = { deliveryId, reason: 'bot', ...(path === 'disputes' ? { detail: 'Nine leads in a minute.' } : {}) };
  const { json } = await postAsBuyer(market.url, market.buyerToken, `/api/v1/buyer/${path}`, { body });
  return json.returnId ?? json.disputeId;
}

/** The environment that the page tells its reader to have: of ids only those that the sample names, each for it alone. */
async function environmentFor({ code }: Sample): Promise<Record<string, string>> {
  const needs = (name: string): boolean => code.includes(name);
  return {
    BASE: market.url,
    KEY: market.supplierKey,
    TOKEN: market.buyerToken,
    SECRET: market.secret,
    ...(needs('DELIVERY') ? { DELIVERY: deliveries.pop().deliveryId } : {}),
    ...(needs('RETURN') ? { RETURN: await filed('returns') } : {}),
    ...(needs('DISPUTE') ? { DISPUTE: await filed('disputes') } : {}),
    ...(needs('INVOICE') ? { INVOICE: invoiceId } : {}),
    ...(needs('STATEMENT') ? { STATEMENT: statementId } : {}),
    ...(needs('WEBHOOK_') ? signed(message) : {}),
  };
}

function signed({ headers }: ReceivedRequest): Record<string, string> {
  return {
    WEBHOOK_ID: String(headers['webhook-id']),
    WEBHOOK_TIMESTAMP: String(headers['webhook-timestamp']),
    WEBHOOK_SIGNATURE: String(headers['webhook-signature']),
  };
}

async function ownFolder(): Promise<string> {
  runs += 1;
  const own = join(folder, String(runs));
  await mkdir(own);
  await writeFile(join(own, 'message.json'), message.bytes);
  // Where `npm install` would have put the library that the page names.
  await symlink(join(import.meta.dirname, '../../node_modules'), join(own, 'node_modules'), 'junction');
  for (const [name, code] of filesIn(page)) await writeFile(join(own, name), code);
  return own;
}

/** All samples of a language, in the order of the page. */
async function ranTogether(language: Sample['language']): Promise<Map<Sample, Ran>> {
  const tasks = [];
  for (const sample of samples.filter((one) => one.language === language && missing.get(one) === null))
    tasks.push({ sample, env: await environmentFor(sample) });
  return runTogether(tasks, await ownFolder());
}

function skipWithout(sample: Sample, skip: TestContext['skip']): void {
  const name = missing.get(sample) ?? null;
  if (name !== null) skip(`there is no ${name} here`);
}

const named = (list: readonly Sample[]) =>
  list.map((sample) => ({ name: `line ${sample.line}, ${sample.language}: ${sample.heading}`, sample }));
const of = (heading: string): Sample[] => samples.filter((sample) => sample.heading === heading);

describe('A sample', () => {
  let ran: ReadonlyMap<Sample, Ran>;
  beforeAll(async () => {
    const here = together.filter((language) =>
      samples.some((one) => one.language === language && missing.get(one) === null),
    );
    ran = new Map((await Promise.all(here.map(ranTogether))).flatMap((ofLanguage) => [...ofLanguage]));
  });

  it.for(named(samples))('$name', async ({ sample }, { skip }) => {
    skipWithout(sample, skip);
    const result =
      ran.get(sample) ?? (await runSample(sample, { folder: await ownFolder(), env: await environmentFor(sample) }));
    expect(result).toEqual({ exitCode: 0, stdout: expect.stringMatching(sample.prints) as string, stderr: '' });
  });

  it('that comes first has defaults for variables that are not set', async () => {
    const [first] = samples;
    if (first === undefined) throw new Error('the page has no sample');
    const code = `${first.code}\necho "$SECRET $DELIVERY $INVOICE $STATEMENT"\n`;
    const env = { BASE: market.url, KEY: market.supplierKey, TOKEN: market.buyerToken };
    const { exitCode, stdout, stderr } = await runSample({ ...first, code }, { folder: await ownFolder(), env });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ready\nwhsec_\S+ dlv_\w{26} inv_\w{26} stm_\w{26}\n$/);
  });
});

describe('A reader of events', () => {
  beforeAll(() =>
    eventually('the leads of the samples are decided', async () => {
      const { json } = await getAsSupplier(market.url, market.supplierKey, '/api/v1/supplier/stats');
      return json.totals.pending === 0;
    }),
  );

  it.for(named(of('`GET /api/v1/buyer/events`')))('continues from its cursor, $name', async ({ sample }, { skip }) => {
    skipWithout(sample, skip);
    const env = await environmentFor(sample);
    const [before, again] = await runRepeatedly(sample, [env, env], await ownFolder());
    const last = before?.stdout.trimEnd().split('\n').at(-1) ?? '';
    expect([again?.exitCode, again?.stdout.trimEnd()]).toEqual([0, last]);
  });
});

describe('A verifier', () => {
  const OURS = /^it is ours/;
  const NOT_OURS = /^it is not ours(?:: No matching signature found)?$/;
  const OLD = /^it is (?:old|not ours: Message timestamp too (?:old|new))$/;
  const webhook = (): Webhook => new Webhook(market.secret);
  const signedAt = (at: Date, body = message.body): Record<string, string> => ({
    WEBHOOK_TIMESTAMP: String(Math.floor(at.getTime() / 1000)),
    WEBHOOK_SIGNATURE: webhook().sign(String(message.headers['webhook-id']), at, body),
  });
  const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

  const cases: ReadonlyArray<readonly [what: string, seen: RegExp, changed: () => Record<string, string>]> = [
    [
      'accepts one of two signatures',
      OURS,
      () => ({ WEBHOOK_SIGNATURE: `v1,AAAA ${String(message.headers['webhook-signature'])}` }),
    ],
    ['refuses another body', NOT_OURS, () => signedAt(new Date(), '{}')],
    ['refuses another secret', NOT_OURS, () => ({ SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}` })],
    ['refuses another id', NOT_OURS, () => ({ WEBHOOK_ID: 'dlv_other' })],
    [
      'rejects a signature of another version',
      NOT_OURS,
      () => ({ WEBHOOK_SIGNATURE: String(message.headers['webhook-signature']).replace('v1,', 'v2,') }),
    ],
    ['refuses what is old', OLD, () => signedAt(minutesAgo(60))],
    ['refuses what is of the future', OLD, () => signedAt(minutesAgo(-60))],
  ];

  it.for(named(of('Webhooks')))('recognizes our messages, $name', async ({ sample }, { skip }) => {
    skipWithout(sample, skip);
    const env = await environmentFor(sample);
    const environments = cases.map(([, , changed]) => ({ ...env, ...changed() }));
    const ran = await runRepeatedly(sample, environments, await ownFolder());
    expect(ran.map(({ stdout, stderr }, index) => [cases[index]?.[0], stdout.trim(), stderr])).toEqual(
      cases.map(([what, seen]) => [what, expect.stringMatching(seen), '']),
    );
  });
});

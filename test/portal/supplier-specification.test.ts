// The posting specification is true: its programs run, its responses are provoked, its callbacks verify.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readSigningSecrets } from '../../src/credentials/signing-secrets.ts';
import { missingFor, runSample } from '../docs/run-sample.ts';
import { type ApiResponse, call, postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { leadBody } from '../support/leads.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { startSupplierMarket, type SupplierMarket } from './supplier-market.ts';

type Supplier = 'acme-media' | 'brightform';

const SUPPLIERS: readonly Supplier[] = ['acme-media', 'brightform'];
const LANGUAGES = ['sh', 'js', 'python', 'php'] as const;
const PATH = '/portal/api/supplier/specification';

let market: SupplierMarket;
let signedIn: Record<Supplier, SignedIn>;
let folder: string;
let runs = 0;

beforeAll(async () => {
  market = await startSupplierMarket();
  const { supplier } = market.market.signedIn;
  signedIn = { 'acme-media': await supplier('acme-media'), brightform: await supplier('brightform') };
  folder = await mkdtemp(join(tmpdir(), 'leadmarket-specification-'));
});
afterAll(async () => {
  await market.close();
  await rm(folder, { recursive: true, force: true });
});

const specification = async (who: Supplier): Promise<Json> => (await signedIn[who].get(PATH)).json;
const markdown = async (who: Supplier): Promise<ApiResponse> => signedIn[who].get(`${PATH}.md`);

async function run(
  language: (typeof LANGUAGES)[number],
  code: string,
  env: Readonly<Record<string, string>>,
  callback: string | null = null,
) {
  runs += 1;
  const own = join(folder, String(runs));
  await mkdir(own);
  const sample = { language, code, line: 0, heading: '', prints: /./ };
  if (callback !== null) await writeFile(join(own, 'callback.json'), callback);
  return runSample(sample, { folder: own, env });
}

describe('the example of a posting specification', () => {
  it.each(SUPPLIERS)('of %s is accepted unchanged, as a test', async (who) => {
    const { example } = await specification(who);
    expect(example.isTest).toBe(true);
    const { status, json } = await postLead(market.market.url, market.keys[who], example.body);
    expect(status).toBe(202);
    const { json: seen } = await signedIn[who].get(`/portal/api/supplier/submissions/${json.lead_id}`);
    expect(seen).toMatchObject({ test: true, body: example.body });
  });

  it('has every mapped field under the supplier’s own name', async () => {
    const { example, fields, isMapped } = await specification('brightform');
    const body = JSON.parse(example.body);
    expect(isMapped).toBe(true);
    expect(body).toMatchObject({
      contact: { name: 'Jordan Rivera' },
      Mobile: '(555) 555-0123',
      address: { region: 'California' },
    });
    const named = Object.fromEntries(
      fields.map(({ field, names, constant }: Json) => [field, constant ?? names[0]?.name]),
    );
    expect(named).toMatchObject({
      full_name: 'contact.name',
      phone: 'Mobile',
      source: '"brightform"',
      lead_ip: 'lead_ip',
    });
  });
});

describe.each(SUPPLIERS)('the sample program for %s', (who) => {
  it.for(LANGUAGES)('in %s posts the example', async (language, { skip }) => {
    const missing = missingFor(language);
    if (missing !== null) skip(`there is no ${missing} here`);
    const { samples } = await specification(who);
    const { code } = samples.find((sample: Json) => sample.language === language);
    const ran = await run(language, code, { SUPPLIER_KEY: market.keys[who] });
    expect([ran.exitCode, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toMatch(
      language === 'sh' ? /"accepted":true,"lead_id":"lead_.*\n202\n$/ : /^202 lead_\w{26}\n$/,
    );
  });

  it.for(LANGUAGES)('in %s shows why a lead was rejected', async (language, { skip }) => {
    const missing = missingFor(language);
    if (missing !== null) skip(`there is no ${missing} here`);
    const { samples } = await specification(who);
    const { code } = samples.find((sample: Json) => sample.language === language);
    const ran = await run(language, code.replaceAll('Jordan Rivera', ''), { SUPPLIER_KEY: market.keys[who] });
    expect([ran.exitCode, ran.stdout]).toEqual([0, expect.stringContaining('name required') as string]);
  });
});

describe('a posting specification', () => {
  it('contains no key and no secret', async () => {
    for (const who of SUPPLIERS) {
      const { text } = await signedIn[who].get(PATH);
      for (const found of [text, (await markdown(who)).text])
        expect(found).not.toMatch(/lms_[A-Za-z0-9]|whsec_[A-Za-z0-9]/);
    }
  });

  it('has URL, rate limit and the supplier’s name', async () => {
    const seen = await specification('acme-media');
    expect(seen).toMatchObject({
      url: `${market.market.url}/api/v1/ingest`,
      supplierKey: 'acme-media',
      marketplace: 'Lead Marketplace',
      rateLimit: { perSecond: 100_000, burst: 100_000 },
      callbacks: { url: `${market.receiver.origin}/callbacks` },
    });
    expect(seen.callbacks.events.filter(({ isSent }: Json) => isSent).map(({ type }: Json) => type)).toEqual([
      'lead.routed',
      'lead.rejected',
    ]);
  });

  it('is available to suppliers that are not approved yet', async () => {
    const newcomer = await market.market.signedIn.supplier('newcomer');
    expect(await newcomer.get(PATH)).toMatchObject({
      status: 200,
      json: { status: 'pending', callbacks: { url: null } },
    });
    expect((await newcomer.get(`${PATH}.md`)).text).toContain('not approved yet');
  });

  it.each(SUPPLIERS)('of %s is available as a file with the same programs', async (who) => {
    const { text, headers } = await markdown(who);
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="posting-specification-${who}.md"`);
    const spec = await specification(who);
    for (const { field, faults } of spec.fields) expect([field, faults.length > 0]).toEqual([field, true]);
    for (const { code } of [...spec.samples, ...spec.callbacks.samples]) {
      // The time in the example differs between the two.
      const [first, ...rest] = code.split('\n');
      expect(text).toContain(first);
      expect(text).toContain(rest.at(-3));
    }
    for (const { code } of spec.responses) if (code !== null) expect(text).toContain(`\`${code}\``);
  });

  it('reports a mapping that rejects every lead instead of an example', async () => {
    const yaml = market.yaml.replace('$set: { source: brightform }', '$set: { email: nobody }');
    await market.market.apply(yaml);
    const spec = await specification('brightform');
    expect([spec.example, spec.samples]).toEqual([null, []]);
    expect((await markdown('brightform')).text).toContain('no lead can pass its checks');
    await market.market.apply(market.yaml);
  });
});

describe('the responses of a posting specification', () => {
  const json = { 'content-type': 'application/json' };
  const post = (body: string | object, headers: Readonly<Record<string, string>> = {}) =>
    postLead(market.market.url, market.keys['acme-media'], body, headers);
  const provoked: Readonly<Record<string, () => Promise<ApiResponse>>> = {
    accepted: () => post(leadBody(500)),
    'accepted before': async () => {
      await post(leadBody(501));
      return post(leadBody(501));
    },
    refused: () => post({}),
    unauthorized: () => call(`${market.market.url}/api/v1/ingest`, { method: 'POST', headers: json, body: '{}' }),
    supplier_not_approved: () => postLead(market.market.url, market.keys.newcomer, {}),
    body_too_large: () => post({ notes: 'x'.repeat(70_000) }),
    unsupported_media_type: () => post('{}', { 'content-type': 'text/plain' }),
    invalid_json: () => post('{'),
    idempotency_key_invalid: () => post(leadBody(502), { 'idempotency-key': 'é'.repeat(2) }),
    external_id_conflict: async () => {
      await post(leadBody(503));
      return post(leadBody(503, { state: 'NY' }));
    },
    idempotency_key_reused: async () => {
      await post(leadBody(504), { 'idempotency-key': 'one' });
      return post(leadBody(505), { 'idempotency-key': 'one' });
    },
    async rate_limited() {
      await market.market.apply(
        market.yaml.replace('rateLimit: { perSecond: 100000, burst: 100000 }', 'rateLimit: { perSecond: 1, burst: 1 }'),
      );
      const response = await eventually('there are too many', async () => {
        const { status, ...rest } = await post({});
        return status === 429 ? { status, ...rest } : null;
      });
      await market.market.apply(market.yaml);
      return response;
    },
  };
  // The text of a response may be more specific.
  const SAYS_MORE = ['invalid_json'];
  /** Covered by other tests: concurrent requests, and an unavailable database. */
  const ELSEWHERE = ['idempotency_in_progress', 'unavailable', 'internal_error'];

  it('are complete', async () => {
    const { responses } = await specification('acme-media');
    expect(responses.map(nameOf).toSorted()).toEqual([...Object.keys(provoked), ...ELSEWHERE].toSorted());
  });

  it.each(Object.keys(provoked))('%s: status, headers and members match the real response', async (name) => {
    const { responses } = await specification('acme-media');
    const shown = responses.find((response: Json) => nameOf(response) === name);
    const got = await provoked[name]?.();
    expect([got?.status, got?.json.code ?? null]).toEqual([shown.status, shown.code]);
    expect(Object.keys(got?.json)).toEqual(Object.keys(JSON.parse(shown.body)));
    for (const header of shown.headers)
      expect([header.name, got?.headers.has(header.name)]).toEqual([header.name, true]);
    if (shown.code !== null && !SAYS_MORE.includes(name)) expect(got?.json.reason).toBe(JSON.parse(shown.body).reason);
    for (const header of shown.headers)
      if (header.name === 'WWW-Authenticate') expect(got?.headers.get(header.name)).toBe(header.value);
  });

  function nameOf({ code, status, headers }: Json): string {
    return code ?? (status === 422 ? 'refused' : headers.length > 0 ? 'accepted before' : 'accepted');
  }
});

describe('the callback verification samples', () => {
  it.for(['js', 'python', 'php'] as const)(
    'in %s accepts our callbacks and rejects all others',
    async (language, { skip }) => {
      const missing = missingFor(language);
      if (missing !== null) skip(`there is no ${missing} here`);
      await market.post('acme-media', leadBody(600));
      const message = await eventually('a callback has come', () => market.receiver.requests[0] ?? null);
      const secrets = await market.market.database.tx((tx) =>
        readSigningSecrets(tx, { kind: 'supplier', key: 'acme-media' }, new Date()),
      );
      const secret = secrets?.secret ?? '';
      const { callbacks } = await specification('acme-media');
      const { code } = callbacks.samples.find((sample: Json) => sample.language === language);
      const id = String(message.headers['webhook-id']);
      const verdict = async ({ at = new Date(), body = message.body, signature = '' }): Promise<string> => {
        const signed = new Webhook(secret).sign(id, at, message.body);
        const env = {
          CALLBACK_SECRET: secret,
          HTTP_WEBHOOK_ID: id,
          HTTP_WEBHOOK_TIMESTAMP: String(Math.floor(at.getTime() / 1000)),
          HTTP_WEBHOOK_SIGNATURE: signature === '' ? signed : signature.replace('OURS', signed),
        };
        const { stdout, stderr } = await run(language, code, env, body);
        return stdout.trim() + stderr;
      };
      expect(await verdict({})).toBe('genuine');
      expect(await verdict({ signature: 'v1,AAAA OURS' })).toBe('genuine');
      expect(await verdict({ body: `${message.body} ` })).toBe('refused');
      expect(await verdict({ signature: 'v1,AAAA' })).toBe('refused');
      expect(await verdict({ at: new Date(Date.now() - 3_600_000) })).toBe('refused');
    },
  );
});

// Tests that no log line, metric or error body contains personal data, credentials or secrets, at any level and after any error (contract
// 8.5, 1.7).
import type { LeadId } from '../../src/base/ids.ts';
import { hash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createLog } from '../../src/platform/log.ts';
import { eraseDataSubjects } from '../../src/privacy/erase-data-subjects.ts';
import { type ApiResponse, call, getAsBuyer, getAsSupplier, postAsBuyer, postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { holdTable } from '../support/held-table.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { openRaw, requestText } from '../support/raw-http.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { marketYaml } from './market.ts';

/** Values that do not occur by chance. */
const PERSON = {
  full_name: 'Quillon Brightwater',
  first_name: 'Zebulonia',
  last_name: 'Vexwright',
  email: 'quillon.brightwater@canary-mail.example',
  phone: '+12025550187',
  business_name: 'Canary Bakery Xylo',
  lead_ip: '203.0.113.217',
  consent_text: 'I Quillon agree zyxconsent',
  source_form_url: 'https://forms.canary.example/zyxform?utm_source=zyxutm',
  external_id: 'zyx-external-4711',
  jornaya_lead_id: 'zyxjornaya',
  note: 'zyxextra',
  zyxmember: 1,
};
const TRACES = [
  'Quillon',
  'Brightwater',
  'Zebulonia',
  'Vexwright',
  'canary-mail',
  '2025550187',
  '202) 555',
  'Xylo',
  '203.0.113.217',
  'zyx',
  'canary.example',
];

const lines: string[] = [];
/** Error responses as text. */
const errors: string[] = [];
let metrics = '';
let market: TestMarketplace;
let receiver: Receiver;
let secrets: string[];

function noted(response: ApiResponse): ApiResponse {
  if (response.status >= 400) errors.push(response.text);
  return response;
}

beforeAll(async () => {
  // A partner's endpoint that quotes the request in its response, and rejects every lead.
  receiver = await startReceiver({ respond: ({ body }) => ({ status: 500, body }) });
  const log = createLog('trace', { write: (line) => void lines.push(line) });
  const yaml = marketYaml().replace(
    'channels: []',
    `channels: [webhook]\n    settings: { webhookUrl: "${receiver.origin}/hooks?auth=zyxhook", notificationEmail: quillon@canary.example }\n    betaTools: [timeline, delivery-logs, test-delivery, audit-log]`,
  );
  market = await startTestMarketplace({ yaml, log, allowTargets: [receiver.origin] });
  const key = await market.supplierKey('acme-media');
  const token = await market.buyerToken('summit');
  secrets = [key, token, await market.secretOf('summit')];
  await runEverything(key, token);
  metrics = (await call(`${market.url}/metrics`)).text;
  await market.close();
  await receiver.close();
});
afterAll(() => receiver.close());

async function runEverything(key: string, token: string): Promise<void> {
  const send = async (body: object | string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    noted(await postLead(market.url, key, body, headers));
  const personal = {
    'x-forwarded-for': PERSON.lead_ip,
    'user-agent': PERSON.full_name,
    referer: PERSON.source_form_url,
    cookie: `session=${token}`,
  };

  expect((await send({ ...PERSON, state: 'CA' }, personal)).status).toBe(202);
  await send({ ...PERSON, state: 'NY' });
  await send({
    ...PERSON,
    external_id: 'zyx-2',
    state: PERSON.full_name,
    debt_amount: PERSON.email,
    consent_timestamp: PERSON.phone,
  });
  await send({ ...PERSON, external_id: 'zyx-3' }, { 'idempotency-key': 'zyx-idempotency' });
  await send({ ...PERSON, external_id: 'zyx-4' }, { 'idempotency-key': 'zyx-idempotency' });
  await send({ ...PERSON, external_id: 'zyx-5' }, { 'idempotency-key': `${PERSON.full_name} ü` });
  await send(`{"full_name":"${PERSON.full_name}","email":${PERSON.email}}`);
  await send(JSON.stringify({ ...PERSON, __proto_: 1 }).replace('__proto_', '__proto__'));
  await send(JSON.stringify(PERSON), { 'content-type': `text/${PERSON.email}` });
  await send({ ...PERSON, note: PERSON.email.repeat(3000) });

  for (const path of [
    `/api/v1/${PERSON.email}`,
    `/${PERSON.full_name}?email=${PERSON.email}`,
    `/docs/errors/${PERSON.phone}`,
    `/%zz${PERSON.phone}`,
  ]) {
    noted(await call(`${market.url}${encodeURI(path).replace('%25zz', '%zz')}`, { headers: personal }));
  }
  for (const query of [
    `page=${PERSON.phone}`,
    `status=${PERSON.full_name}`,
    `from=${PERSON.email}`,
    `pageSize=${key}`,
  ]) {
    noted(await getAsBuyer(market.url, token, `/api/v1/buyer/leads?${query}`));
  }
  noted(await getAsSupplier(market.url, key, `/api/v1/supplier/stats?days=${token}`));
  // Credentials in wrong places, and invalid ids.
  for (const id of [key, token, PERSON.phone, PERSON.lead_ip, '2001:db8::217', PERSON.email]) {
    noted(
      await call(`${market.url}/api/v1/buyer/leads`, {
        headers: { 'x-request-id': id, authorization: `Bearer ${key}` },
      }),
    );
    noted(
      await call(`${market.url}/api/v1/ingest?key=${key}`, {
        method: 'POST',
        headers: { 'x-request-id': id, 'x-api-key': token },
        body: '{}',
      }),
    );
  }
  await callPartnerRoutes(token);
  await breakHttp(key);
  await breakStorage(key, token);
  await eventually('a delivery was tried', () => receiver.requests.length > 0);
  await eraseSold(token);
}

/**
 * Texts that users write into claims and accounts, and their valid and invalid requests. Errors name unknown members, so no member is named
 * like a contact.
 */
async function callPartnerRoutes(token: string): Promise<void> {
  const deliveryId = await eventually('the lead is sold', async () => {
    const { json } = await getAsBuyer(market.url, token, '/api/v1/buyer/leads');
    return (json.data[0]?.deliveryId as string | undefined) ?? null;
  });
  const proof = `${PERSON.full_name} of ${PERSON.email} says ${PERSON.phone} is zyxproof`;
  const claims: readonly object[] = [
    { deliveryId, reason: 'invalid_phone', proof },
    { deliveryId, reason: proof, proof },
    { deliveryId: PERSON.email, reason: 'bot', proof },
    { deliveryId, reason: 'no_show', proof: { zyx: proof } },
    { deliveryId, reason: 'bot', unknown: proof },
    { deliveryId, reason: 'bot', detail: proof, evidenceUrl: `http://${PERSON.email}/` },
  ];
  for (const body of claims) {
    for (const kind of ['returns', 'disputes']) {
      const headers = { 'idempotency-key': `zyx-${kind}-${claims.indexOf(body)}` };
      noted(await postAsBuyer(market.url, token, `/api/v1/buyer/${kind}`, { body, headers }));
      noted(await postAsBuyer(market.url, token, `/api/v1/buyer/${kind}`, { body: `{"proof":"${proof}",` }));
    }
  }
  for (const body of [
    { notificationEmail: PERSON.full_name },
    { ccEmails: [PERSON.email, PERSON.phone] },
    { phone: PERSON.email, smsNumber: PERSON.lead_ip },
    { webhookUrl: `https://${PERSON.lead_ip}/zyx` },
    { webhookUrl: `http://user:zyxpassword@canary.example/` },
    { sheetsSpreadsheetId: `${PERSON.full_name}/zyx` },
    { unknown: PERSON.full_name },
    { notificationEmail: PERSON.email, phone: PERSON.phone },
  ]) {
    const headers = { authorization: `Bearer ${token}` };
    noted(await call(`${market.url}/api/v1/buyer/account`, { method: 'PATCH', headers, body }));
  }
  for (const mode of ['preview', 'webhook', PERSON.full_name]) {
    noted(
      await postAsBuyer(market.url, token, '/api/v1/buyer/test-delivery', { body: { target: mode, unknown: proof } }),
    );
    noted(await postAsBuyer(market.url, token, `/api/v1/buyer/test-delivery`, { body: { target: mode } }));
  }
  for (const path of [
    `leads/${encodeURIComponent(PERSON.email)}/timeline`,
    `leads/${deliveryId}/timeline?zyx=${PERSON.phone}`,
    `returns/${encodeURIComponent(PERSON.full_name)}`,
    `disputes/${PERSON.phone}`,
    `delivery-logs?limit=${PERSON.phone}`,
    `audit-log?limit=zyx`,
    `events?after=${encodeURIComponent(PERSON.email)}&cursor=${encodeURIComponent(PERSON.email)}`,
    `export?from=${encodeURIComponent(PERSON.full_name)}`,
    `export`,
    `stats?days=${PERSON.phone}`,
    `billing?page=${PERSON.phone}`,
  ]) {
    noted(await getAsBuyer(market.url, token, `/api/v1/buyer/${path}`));
  }
  noted(await postAsBuyer(market.url, token, `/api/v1/buyer/leads/${encodeURIComponent(PERSON.email)}/redeliver`));
  noted(
    await postAsBuyer(market.url, token, `/api/v1/buyer/leads/redeliver`, {
      body: { deliveryIds: [PERSON.email, proof] },
    }),
  );
}

/** Even the existence of this value must not be logged. */
async function eraseSold(token: string): Promise<void> {
  const { rows } = await market.database.pool.query<{ id: string }>('SELECT lead_id AS id FROM lead');
  const leadIds = rows.map(({ id }) => id);
  await market.database.tx((tx) => eraseDataSubjects(tx, { leadIds: leadIds as LeadId[], audit: null }, new Date()));
  expect((await getAsBuyer(market.url, token, '/api/v1/buyer/leads')).text).not.toContain('Quillon');
}

async function breakHttp(key: string): Promise<void> {
  const port = Number(new URL(market.url).port);
  const broken = [
    `POST /api/v1/ingest HTTP/1.1\r\nHost: ${PERSON.email}\r\nx-api-key: ${key}\r\nContent-Length: ${PERSON.phone}\r\n\r\n`,
    `${PERSON.full_name}\r\n\r\n`,
    requestText('GET /healthz', { 'x-large': PERSON.email.repeat(600) }),
    requestText(
      'POST /api/v1/ingest',
      { 'x-api-key': key, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      PERSON.email,
    ),
  ];
  for (const bytes of broken) {
    const connection = openRaw(port);
    connection.send(bytes);
    const response = await connection.response();
    errors.push(response?.body ?? '');
    connection.destroy();
  }
}

/** The database quotes parameters in its errors; none of them may be logged. */
async function breakStorage(key: string, token: string): Promise<void> {
  const { pool } = market.database;
  await pool.query(`CREATE FUNCTION quote_it() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'cannot store %', NEW.raw_body USING DETAIL = NEW.fields, HINT = NEW.external_id; END $$`);
  await pool.query(
    `CREATE TRIGGER quote_it BEFORE INSERT ON lead FOR EACH ROW WHEN (NEW.external_id = 'zyx-6') EXECUTE FUNCTION quote_it()`,
  );
  const quoted = { ...PERSON, external_id: 'zyx-6' };
  const statuses = [
    noted(await postLead(market.url, key, quoted)).status,
    noted(await postLead(market.url, key, quoted, { 'idempotency-key': 'zyx-7' })).status,
  ];
  expect(statuses).toEqual([500, 500]);
  await pool.query(`ALTER TABLE lead ADD CONSTRAINT quoting CHECK (external_id <> 'zyx-8')`);
  expect(noted(await postLead(market.url, key, { ...PERSON, external_id: 'zyx-8' })).status).toBe(500);
  await pool.query('ALTER TABLE delivery_count RENAME TO delivery_count_gone');
  expect(noted(await getAsBuyer(market.url, token, '/api/v1/buyer/leads')).status).toBe(500);
  await pool.query('ALTER TABLE delivery_count_gone RENAME TO delivery_count');

  const held = await holdTable(market.database, 'lead');
  const pending = postLead(market.url, key, { ...PERSON, external_id: 'zyx-9' });
  const [waiter = 0] = await held.waiters(1);
  await held.terminate(waiter);
  expect(noted(await pending).status).toBe(503);
  await held.release();
}

describe('The output of a service after all kinds of errors', () => {
  it('is long enough to be searched', () => {
    expect(lines.length).toBeGreaterThan(30);
    expect(lines.filter((line) => line.includes('"level":"error"')).length).toBeGreaterThan(3);
    expect(lines.some((line) => line.includes('"level":"debug"'))).toBe(true);
    expect(errors.length).toBeGreaterThan(30);
    expect(metrics).toContain('/api/v1/ingest');
  });

  it('consists of log lines in JSON', () => {
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });

  it.each(TRACES)('never contains %s', (trace) => {
    const found = [...lines, ...errors, ...metrics.split('\n')].filter((text) =>
      text.toLowerCase().includes(trace.toLowerCase()),
    );
    expect(found).toEqual([]);
  });

  it('contains no credential or secret, neither whole nor in part nor hashed', () => {
    for (const secret of secrets) {
      const parts = [
        secret,
        secret.slice(4, 24),
        secret.slice(-12),
        hash('sha256', secret),
        hash('sha256', secret, 'base64'),
      ];
      const found = [...lines, ...errors, ...metrics.split('\n')].filter((text) =>
        parts.some((part) => text.includes(part)),
      );
      expect(found).toEqual([]);
    }
  });

  it('contains no internal details in error bodies', () => {
    const inside =
      /\b(?:pg|postgres|sql|select|insert|constraint|relation|column|node_modules|at async|stack|Error:|FST_|ERR_|HPE_|lead_count|raw_body|quote_it)\b|\/src\//i;
    expect(errors.filter((text) => inside.test(text))).toEqual([]);
  });

  it('has only problem documents as error bodies', () => {
    const members = ['type', 'title', 'status', 'detail', 'code', 'requestId'];
    for (const text of errors) {
      const body = JSON.parse(text) as Record<string, unknown>;
      if (Object.keys(body).join() === 'accepted,reason,processingTime') continue;
      expect(members.filter((member) => !Object.hasOwn(body, member))).toEqual([]);
    }
  });
});

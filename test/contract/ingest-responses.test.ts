// Tests the responses of POST /api/v1/ingest, member by member, and that each is sent only after the lead is on disk (contract 3.4).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { beginDrain } from '../../src/platform/http/drain.ts';
import { call, ingestProblem, postLead, problemFacts } from '../support/api-client.ts';
import { holdTable } from '../support/held-table.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { exchange, openRaw, requestText } from '../support/raw-http.ts';
import { storedLead, storedLeads } from '../support/stored-lead.ts';
import { marketYaml, sampleLead } from './market.ts';

const PATH = '/api/v1/ingest';

let market: TestMarketplace;
let key: string;
let port: number;

beforeAll(async () => {
  // Without workers, so that an accepted lead can still be seen in the inbox.
  market = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
  key = await market.supplierKey('acme-media');
  port = Number(new URL(market.url).port);
});
afterAll(() => market.close());

describe('An accepted lead', () => {
  it('gets 202 with exactly four members', async () => {
    const response = await postLead(market.url, key, sampleLead(1));
    expect([response.status, response.headers.get('content-type')]).toEqual([202, 'application/json; charset=utf-8']);
    expect(response.json).toEqual({
      accepted: true,
      lead_id: expect.stringMatching(/^lead_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      score: expect.any(Number),
      processingTime: expect.any(Number),
    });
    expect(response.headers.get('idempotent-replayed')).toBeNull();
  });

  it('has a whole score from 0 to 100 and a processing time with at most three decimals', async () => {
    const responses = await Promise.all(
      [2, 3, 4, 5, 6, 7].map((serial) => postLead(market.url, key, sampleLead(serial))),
    );
    for (const { json, text } of responses) {
      expect(Number.isInteger(json.score) && json.score >= 0 && json.score <= 100).toBe(true);
      expect(text).toMatch(/"processingTime":\d+(?:\.\d{1,3})?\}$/);
      expect(json.processingTime).toBeGreaterThan(0);
    }
  });

  it('is on disk together with its routing job before the response, as it was sent', async () => {
    const body = `{ "full_name" : "Zoë Nuñez 😀",\n\t"phone":"+1 (555) 201-0001", "extra" : [1.50, {"a":null}] }`;
    const { json } = await postLead(market.url, key, body);
    expect(await storedLead(market.database, json.lead_id)).toMatchObject({
      supplierKey: 'acme-media',
      externalId: null,
      state: 'received',
      publicStatus: 'Pending',
      score: json.score,
      queued: 1,
      rawBody: body,
      fields: { fullName: 'Zoë Nuñez 😀', phone: '+15552010001', extra: { extra: [1.5, { a: null }] } },
    });
  });

  it('gets the same score at any time and from any supplier', async () => {
    const { external_id: _, ...lead } = sampleLead(8);
    const rival = await market.supplierKey('rival-media');
    const responses = [
      await postLead(market.url, key, lead),
      await postLead(market.url, key, lead),
      await postLead(market.url, rival, lead),
    ];
    expect(new Set(responses.map(({ json }) => json.score)).size).toBe(1);
    expect(new Set(responses.map(({ json }) => json.lead_id)).size).toBe(3);
  });

  it('gets no response while its commit is delayed', async () => {
    const held = await holdTable(market.database, 'lead');
    let isAnswered = false;
    const pending = postLead(market.url, key, sampleLead(9)).finally(() => (isAnswered = true));
    await held.waiters(1);
    expect(isAnswered).toBe(false);
    await held.release();
    expect((await pending).status).toBe(202);
  });
});

describe('A rejected lead', () => {
  it('gets 422 with exactly three members', async () => {
    const response = await postLead(market.url, key, {});
    expect([response.status, response.headers.get('content-type')]).toEqual([422, 'application/json; charset=utf-8']);
    expect(response.json).toEqual({
      accepted: false,
      reason: 'email or phone required; name required',
      processingTime: expect.any(Number),
    });
    expect(response.text).toMatch(/"processingTime":\d+(?:\.\d{1,3})?\}$/);
  });

  it('is stored and never queued', async () => {
    const rival = await market.supplierKey('rival-media');
    const body = '{"external_id":"R-1","email":"not an address","note":"kept"}';
    expect((await postLead(market.url, rival, body)).status).toBe(422);
    expect((await storedLeads(market.database, 'rival-media')).at(-1)).toMatchObject({
      externalId: 'R-1',
      state: 'rejected',
      publicStatus: 'Invalid',
      reason: 'name required; email invalid',
      score: null,
      queued: 0,
      rawBody: body,
    });
  });
});

describe('Every other error on the path has the members of a rejection, such as', () => {
  const post = (headers: Record<string, string>, body: string | object) =>
    call(market.url + PATH, { method: 'POST', headers, body });

  it('400 for unreadable JSON', async () => {
    expect(problemFacts(await postLead(market.url, key, '{'))).toEqual(ingestProblem(400, 'invalid_json'));
  });

  it('400 for an unfit Idempotency-Key', async () => {
    expect(
      problemFacts(await postLead(market.url, key, sampleLead(10), { 'idempotency-key': 'x'.repeat(256) })),
    ).toEqual(ingestProblem(400, 'idempotency_key_invalid'));
  });

  it('401 without a key', async () => {
    expect(problemFacts(await post({}, sampleLead(10)))).toEqual(ingestProblem(401, 'unauthorized'));
  });

  it('403 for a supplier that is not approved', async () => {
    for (const supplier of ['newcomer', 'halted']) {
      expect(problemFacts(await postLead(market.url, await market.supplierKey(supplier), sampleLead(10)))).toEqual(
        ingestProblem(403, 'supplier_not_approved'),
      );
    }
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('405 for %s', async (method) => {
    const response = await call(market.url + PATH, { method, headers: { 'x-api-key': key } });
    expect(problemFacts(response)).toEqual(ingestProblem(405, 'method_not_allowed'));
    expect(response.headers.get('allow')).toBe('POST');
  });

  it('405 for HEAD, without a body', async () => {
    const response = await call(market.url + PATH, { method: 'HEAD' });
    expect([response.status, response.headers.get('allow'), response.text]).toEqual([405, 'POST', '']);
  });

  it('405 for TRACE and CONNECT', async () => {
    for (const request of [`TRACE ${PATH}`, `CONNECT ${PATH}`]) {
      const { status, headers, body } = await exchange(port, requestText(request));
      expect([request, status, headers['content-type']]).toEqual([request, 405, 'application/problem+json']);
      expect(JSON.parse(body)).toMatchObject({
        code: 'method_not_allowed',
        accepted: false,
        processingTime: expect.any(Number),
      });
    }
  });

  it('409 for other content under the same external_id', async () => {
    await postLead(market.url, key, sampleLead(11));
    expect(problemFacts(await postLead(market.url, key, sampleLead(11, { state: 'NY' })))).toEqual(
      ingestProblem(409, 'external_id_conflict'),
    );
  });

  it('413 for a body over 64 KiB', async () => {
    expect(problemFacts(await postLead(market.url, key, sampleLead(10, { note: 'x'.repeat(65_536) })))).toEqual(
      ingestProblem(413, 'body_too_large'),
    );
  });

  it('413 for a body over 64 KiB without Content-Length', async () => {
    const connection = openRaw(port);
    const head = requestText(`POST ${PATH}`, {
      'x-api-key': key,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    });
    const chunk = Buffer.concat([Buffer.from('8000\r\n'), Buffer.alloc(0x8000, 0x20), Buffer.from('\r\n')]);
    connection.send(Buffer.concat([head, chunk, chunk, chunk, Buffer.from('0\r\n\r\n')]));
    const response = await connection.response();
    connection.destroy();
    expect(response?.status).toBe(413);
    expect(JSON.parse(response?.body ?? '')).toMatchObject({
      code: 'body_too_large',
      accepted: false,
      processingTime: expect.any(Number),
    });
  });

  it('415 for another content type', async () => {
    expect(problemFacts(await post({ 'x-api-key': key, 'content-type': 'text/plain' }, '{}'))).toEqual(
      ingestProblem(415, 'unsupported_media_type'),
    );
  });

  it('422 for an Idempotency-Key that was used with another body', async () => {
    await postLead(market.url, key, sampleLead(12), { 'idempotency-key': 'answers-12' });
    const response = await postLead(market.url, key, sampleLead(13), { 'idempotency-key': 'answers-12' });
    expect(problemFacts(response)).toEqual(ingestProblem(422, 'idempotency_key_reused'));
  });

  it('400 for a body that ends in malformed HTTP', async () => {
    const connection = openRaw(port);
    const head = requestText(`POST ${PATH}`, {
      'x-api-key': key,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    });
    connection.send(Buffer.concat([head, Buffer.from('5\r\n{"a":\r\nnot a length\r\n')]));
    const response = await connection.response();
    connection.destroy();
    expect([response?.status, response?.headers['content-type']]).toEqual([400, 'application/problem+json']);
    expect(JSON.parse(response?.body ?? '')).toMatchObject({ code: 'bad_request', accepted: false, processingTime: 0 });
  });

  it.each([
    ['a header that HTTP does not allow', 'x-note: a\u007fb', 400, 'bad_request'],
    ['two lengths', 'content-length: 2\r\ncontent-length: 3', 400, 'bad_request'],
    ['headers of more than 16 KiB', `x-note: ${'x'.repeat(17_000)}`, 431, 'headers_too_large'],
  ])('400 or 431 for %s', async (_, header, status, code) => {
    const response = await exchange(port, `POST ${PATH} HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n{}`);
    expect([response.status, response.headers['content-type']]).toEqual([status, 'application/problem+json']);
    expect(JSON.parse(response.body)).toMatchObject({
      code,
      accepted: false,
      reason: expect.any(String),
      processingTime: 0,
    });
  });

  it('429 above the rate, with the seconds to wait', async () => {
    const slow = await startTestMarketplace({
      yaml: marketYaml({ acmeRate: '{ perSecond: 0.01, burst: 1 }' }),
      role: 'api',
    });
    const slowKey = await slow.supplierKey('acme-media');
    expect((await postLead(slow.url, slowKey, sampleLead(1))).status).toBe(202);
    const response = await postLead(slow.url, slowKey, sampleLead(2));
    await slow.close();
    expect(problemFacts(response)).toEqual(ingestProblem(429, 'rate_limited'));
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(90);
  });

  it('503 when storage fails during the transaction, after which a repetition is safe', async () => {
    const held = await holdTable(market.database, 'lead');
    const pending = postLead(market.url, key, sampleLead(14));
    const [waiter = 0] = await held.waiters(1);
    await held.terminate(waiter);
    const response = await pending;
    await held.release();
    expect(problemFacts(response)).toEqual(ingestProblem(503, 'unavailable'));
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const repeats = [await postLead(market.url, key, sampleLead(14)), await postLead(market.url, key, sampleLead(14))];
    expect(repeats.map(({ status }) => status)).toEqual([202, 202]);
    expect(repeats[0]?.json.lead_id).toBe(repeats[1]?.json.lead_id);
  });

  it('503 with an Idempotency-Key, which is then free for the repeat', async () => {
    const named = { 'idempotency-key': 'answers-15' };
    const held = await holdTable(market.database, 'lead');
    const pending = postLead(market.url, key, sampleLead(15), named);
    const [waiter = 0] = await held.waiters(1);
    await held.terminate(waiter);
    const response = await pending;
    await held.release();
    expect(problemFacts(response)).toEqual(ingestProblem(503, 'unavailable'));
    const repeat = await postLead(market.url, key, sampleLead(15), named);
    expect([repeat.status, repeat.headers.get('idempotent-replayed')]).toEqual([202, null]);
  });

  it('503 while draining, for requests after the current ones', async () => {
    const other = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
    const otherKey = await other.supplierKey('acme-media');
    const held = await holdTable(other.database, 'lead');
    const underWay = postLead(other.url, otherKey, sampleLead(1));
    await held.waiters(1);
    if (other.runtime.app !== null) beginDrain(other.runtime.app);
    const late = await postLead(other.url, otherKey, sampleLead(2));
    const closing = other.runtime.drain();
    await held.release();
    expect((await underWay).status).toBe(202);
    await closing;
    await other.testDatabase.drop();
    expect(problemFacts(late)).toEqual(ingestProblem(503, 'unavailable'));
    expect(late.headers.get('retry-after')).toBe('1');
  });
});

// Tests the Idempotency-Key of a POST: one execution, one response, repeated byte for byte (contract 1.11).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { statement } from '../../src/platform/database/database.ts';
import { type ApiResponse, call, getAsSupplier, ingestProblem, postLead, problemFacts } from '../support/api-client.ts';
import { handClock } from '../support/hand-clock.ts';
import { holdTable } from '../support/held-table.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { storedLead, storedLeads } from '../support/stored-lead.ts';
import { marketYaml, sampleLead } from './market.ts';

const HOUR_MS = 3_600_000;
const clock = handClock('2026-11-20T18:00:00.000Z');

let market: TestMarketplace;
let key: string;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml(), role: 'api', clock });
  key = await market.supplierKey('acme-media');
});
afterAll(() => market.close());

const send = (name: string, body: object | string, as: string = key): Promise<ApiResponse> =>
  postLead(market.url, as, body, { 'idempotency-key': name });
const facts = ({ status, headers, text }: ApiResponse) => [
  status,
  headers.get('content-type'),
  headers.get('idempotent-replayed'),
  text,
];
const replayOf = ({ status, headers, text }: ApiResponse) => [status, headers.get('content-type'), 'true', text];
const leads = async (): Promise<number> => (await storedLeads(market.database, 'acme-media')).length;

describe('A request with the same key and body', () => {
  it('replays an acceptance byte for byte', async () => {
    const { external_id: _, ...body } = sampleLead(1);
    const first = await send('accepted', body);
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([202, null]);
    expect(Object.keys(first.json)).toEqual(['accepted', 'lead_id', 'score', 'processingTime']);
    const count = await leads();
    for (const repeat of [await send('accepted', body), await send('accepted', body)]) {
      expect(facts(repeat)).toEqual(replayOf(first));
      expect(repeat.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    }
    expect(await leads()).toBe(count);
    expect(await storedLead(market.database, first.json.lead_id)).toMatchObject({ queued: 1 });
  });

  it('replays a rejection, which is counted once', async () => {
    const before = (await getAsSupplier(market.url, key, '/api/v1/supplier/stats')).json.totals.rejected;
    const first = await send('rejected', {});
    expect([first.status, Object.keys(first.json)]).toEqual([422, ['accepted', 'reason', 'processingTime']]);
    expect(facts(await send('rejected', {}))).toEqual(replayOf(first));
    const after = (await getAsSupplier(market.url, key, '/api/v1/supplier/stats')).json.totals.rejected;
    expect(after).toBe(before + 1);
  });

  it('replays a conflict', async () => {
    await postLead(market.url, key, sampleLead(2));
    const first = await send('conflict', sampleLead(2, { state: 'NY' }));
    expect(problemFacts(first)).toEqual(ingestProblem(409, 'external_id_conflict'));
    expect(facts(await send('conflict', sampleLead(2, { state: 'NY' })))).toEqual(replayOf(first));
  });

  it('replays the response to a lead that was submitted before without the key', async () => {
    const plain = await postLead(market.url, key, sampleLead(3));
    const named = await send('after-plain', sampleLead(3));
    expect([named.status, named.json.lead_id, named.headers.get('idempotent-replayed')]).toEqual([
      202,
      plain.json.lead_id,
      'true',
    ]);
    expect(facts(await send('after-plain', sampleLead(3)))).toEqual(replayOf(named));
  });

  it('sent 50 times at one instant is executed once and gets one response in the end', async () => {
    const { external_id: _, ...body } = sampleLead(4);
    const count = await leads();
    const responses = await Promise.all(Array.from({ length: 50 }, () => send('at-once', body)));
    const accepted = responses.filter(({ status }) => status === 202);
    const refused = responses.filter(({ status }) => status === 409);
    expect([accepted.length + refused.length, accepted.length > 0]).toEqual([50, true]);
    expect(new Set(accepted.map(({ text }) => text)).size).toBe(1);
    expect(accepted.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    for (const response of refused) {
      expect(problemFacts(response)).toEqual(ingestProblem(409, 'idempotency_in_progress'));
    }
    expect(await leads()).toBe(count + 1);
    expect((await send('at-once', body)).text).toBe(accepted[0]?.text);
  });
});

describe('The operator’s metrics', () => {
  const counted = async (): Promise<Record<string, number>> => {
    const { text } = await call(`${market.url}/metrics`);
    const found = text.matchAll(/^leadmarket_submissions_total\{answer="(\w+)"\} (\d+)/gm);
    return {
      accepted: 0,
      rejected: 0,
      conflict: 0,
      ...Object.fromEntries([...found].map(([, answer, count]) => [answer, Number(count)])),
    };
  };

  it('count each response once, with a key as without, and no replay', async () => {
    const before = await counted();
    const { external_id: _, ...accepted } = sampleLead(5);
    await postLead(market.url, key, sampleLead(6));
    const conflict = sampleLead(6, { state: 'NY' });
    for (const round of [1, 2, 3]) {
      const statuses = [await send('count-1', accepted), await send('count-2', {}), await send('count-3', conflict)];
      expect([round, ...statuses.map(({ status }) => status)]).toEqual([round, 202, 422, 409]);
    }
    const after = await counted();
    const difference = Object.entries(after).map(([response, count]) => [response, count - (before[response] ?? 0)]);
    expect(Object.fromEntries(difference)).toEqual({ accepted: 2, rejected: 1, conflict: 1 });
  });
});

describe('Another request with a known key', () => {
  it('is rejected for another body, compared byte by byte', async () => {
    const body = JSON.stringify(sampleLead(10));
    const first = await send('one-body', body);
    for (const other of [`${body} `, JSON.stringify(sampleLead(11)), JSON.stringify(sampleLead(10), null, 1), '{}']) {
      expect(problemFacts(await send('one-body', other))).toEqual(ingestProblem(422, 'idempotency_key_reused'));
    }
    expect(facts(await send('one-body', body))).toEqual(replayOf(first));
  });

  it('is rejected for another path', async () => {
    const body = JSON.stringify(sampleLead(12));
    await send('one-path', body);
    const move = statement<{ key: string }>(
      'test.move_kept_answer',
      `UPDATE idempotency_key SET path = '/api/v1/elsewhere' WHERE idempotency_key = $key RETURNING path`,
    );
    expect(await market.database.query(move, { key: 'one-path' })).toHaveLength(1);
    expect(problemFacts(await send('one-path', body))).toEqual(ingestProblem(422, 'idempotency_key_reused'));
  });

  it('replays the response for a query or an escape in the same path', async () => {
    const { port } = new URL(market.url);
    const body = JSON.stringify(sampleLead(13));
    const first = await send('same-path', body);
    for (const path of ['/api/v1/ingest?retry=1', '/api/v1/%69ngest']) {
      const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': 'same-path' };
      const response = await exchange(Number(port), requestText(`POST ${path}`, headers, body));
      expect([response.status, response.headers['idempotent-replayed'], response.body]).toEqual([
        202,
        'true',
        first.text,
      ]);
    }
  });

  it('is accepted for another credential', async () => {
    const { external_id: _, ...body } = sampleLead(14);
    const first = await send('shared-name', body);
    const again = await market.supplierKey('acme-media');
    const rival = await market.supplierKey('rival-media');
    for (const other of [await send('shared-name', body, again), await send('shared-name', { ...body, a: 1 }, rival)]) {
      expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([202, null]);
      expect(other.json.lead_id).not.toBe(first.json.lead_id);
    }
  });
});

describe('While the first request runs', () => {
  it('a second request is rejected, and replays the first one afterwards', async () => {
    const { external_id: _, ...body } = sampleLead(20);
    const held = await holdTable(market.database, 'lead');
    const first = send('running', body);
    await held.waiters(1);
    const early = [await send('running', body), await send('running', { ...body, other: true })];
    await held.release();
    for (const response of early) {
      expect(problemFacts(response)).toEqual(ingestProblem(409, 'idempotency_in_progress'));
    }
    expect((await first).status).toBe(202);
    expect(facts(await send('running', body))).toEqual(replayOf(await first));
    expect(problemFacts(await send('running', { ...body, other: true }))).toEqual(
      ingestProblem(422, 'idempotency_key_reused'),
    );
  });

  it('a second request to another process is rejected, too', async () => {
    const sibling = await startTestMarketplace({ yaml: marketYaml(), role: 'api', clock, on: market.testDatabase });
    const { external_id: _, ...body } = sampleLead(21);
    const held = await holdTable(market.database, 'lead');
    const first = send('running-there', body);
    await held.waiters(1);
    const early = await postLead(sibling.url, key, body, { 'idempotency-key': 'running-there' });
    await held.release();
    expect(problemFacts(early)).toEqual(ingestProblem(409, 'idempotency_in_progress'));
    const late = await first.then(() => postLead(sibling.url, key, body, { 'idempotency-key': 'running-there' }));
    await sibling.close();
    expect(facts(late)).toEqual(replayOf(await first));
  });
});

describe('An Idempotency-Key', () => {
  it.each([
    ['one character', '!'],
    ['255 characters', 'k'.repeat(255)],
    [
      'every printable character',
      Array.from({ length: 95 }, (_, at) => String.fromCodePoint(32 + at))
        .join('')
        .trim(),
    ],
    ['a comma', 'a, b'],
    ['a blank within', 'a b'],
  ])('may have %s', async (_, name) => {
    const body = sampleLead(30, { external_id: name });
    const first = await send(name, body);
    expect(first.status).toBe(202);
    expect(facts(await send(name, body))).toEqual(replayOf(first));
  });

  it.each([
    ['no character', ''],
    ['256 characters', 'k'.repeat(256)],
    ['a tab', 'a\tb'],
    ['another script', 'schlüssel'],
  ])('may not have %s', async (_, name) => {
    const { port } = new URL(market.url);
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': name };
    const response = await exchange(
      Number(port),
      requestText('POST /api/v1/ingest', headers, JSON.stringify(sampleLead(31))),
    );
    expect([response.status, JSON.parse(response.body)]).toMatchObject([
      400,
      { code: 'idempotency_key_invalid', accepted: false, processingTime: expect.any(Number) },
    ]);
  });

  it('may not be sent twice', async () => {
    const { port } = new URL(market.url);
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      'idempotency-key': 'a\r\nIdempotency-Key: a',
    };
    const response = await exchange(
      Number(port),
      requestText('POST /api/v1/ingest', headers, JSON.stringify(sampleLead(32))),
    );
    expect([response.status, JSON.parse(response.body).code]).toEqual([400, 'idempotency_key_invalid']);
  });

  it('is case-sensitive', async () => {
    const first = await send('Case', sampleLead(33));
    const second = await send('case', sampleLead(34));
    expect([first.status, second.status]).toEqual([202, 202]);
  });

  it('is not used up by an error that is not kept', async () => {
    const name = { 'idempotency-key': 'not-kept' };
    const refusals = [
      await postLead(market.url, 'lms_wrong', sampleLead(35), name),
      await postLead(market.url, key, '{', name),
      await postLead(market.url, key, '[]', name),
      await postLead(market.url, key, sampleLead(35), { ...name, 'content-type': 'text/plain' }),
      await postLead(market.url, key, sampleLead(35, { note: 'x'.repeat(65_536) }), name),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([401, 400, 400, 415, 413]);
    const first = await send('not-kept', sampleLead(35));
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([202, null]);
  });

  it('is not looked up for a credential that may no longer submit', async () => {
    const first = await send('later-suspended', sampleLead(36));
    await market.apply(marketYaml({ acmeStatus: 'suspended' }));
    const refused = await send('later-suspended', sampleLead(36));
    await market.apply(marketYaml());
    expect(problemFacts(refused)).toEqual(ingestProblem(403, 'supplier_not_approved'));
    expect(facts(await send('later-suspended', sampleLead(36)))).toEqual(replayOf(first));
  });

  it('is kept for 24 hours and then free', async () => {
    const { external_id: _, ...body } = sampleLead(37);
    const first = await send('a-day', body);
    clock.advance(24 * HOUR_MS - 1);
    expect(facts(await send('a-day', body))).toEqual(replayOf(first));
    clock.advance(1);
    const second = await send('a-day', { ...body, note: 'tomorrow' });
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([202, null]);
    expect(second.json.lead_id).not.toBe(first.json.lead_id);
    expect(facts(await send('a-day', { ...body, note: 'tomorrow' }))).toEqual(replayOf(second));
    expect(problemFacts(await send('a-day', body))).toEqual(ingestProblem(422, 'idempotency_key_reused'));
  });
});

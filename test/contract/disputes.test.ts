// Tests POST and GET /api/v1/buyer/disputes, and reading and withdrawing one (contract 6.9, 6.10).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { startReceiver } from '../support/receiver.ts';
import { problem, problemFacts } from '../support/api-client.ts';
import type { Json } from '../support/scope-app.ts';
import {
  BOOKING,
  type ClaimMarket,
  DISPUTES,
  LEADS,
  NOW,
  POLICY,
  startClaimMarket,
  outcomeText,
  withDryRuns,
  withoutId,
} from '../claims/claim-market.ts';

const MEMBERS = [
  'disputeId',
  'deliveryId',
  'deliveryRef',
  'reason',
  'detail',
  'evidenceUrl',
  'status',
  'filedAt',
  'decisionDueAt',
  'decidedAt',
  'decisionNote',
  'credit',
];
const evidenceUrl = 'https://files.example.com/letter.pdf';

let home: ClaimMarket;

beforeAll(async () => {
  home = withDryRuns(await startClaimMarket());
});
afterAll(() => home.close());
afterEach(() => home.clock.set(NOW));

async function one(partner = 'summit', seed: Parameters<ClaimMarket['plant']>[1][number] = {}): Promise<string> {
  const [deliveryId = ''] = await home.plant(partner, [seed]);
  return deliveryId;
}

const dispute = (deliveryId: string, more: object = {}) =>
  home.file('summit', 'dispute', { deliveryId, reason: 'bot', detail: 'A script typed it.', ...more });

describe('A dispute', () => {
  it('is filed with exactly the members of the contract', async () => {
    const deliveryId = await one();
    const response = await dispute(deliveryId, { reason: 'duplicate', evidenceUrl });
    expect([response.status, Object.keys(response.json)]).toEqual([201, MEMBERS]);
    expect(response.json).toEqual({
      disputeId: expect.stringMatching(/^dsp_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      deliveryId,
      deliveryRef: expect.stringMatching(/^LS-\d{6}$/),
      reason: 'duplicate',
      detail: 'A script typed it.',
      evidenceUrl,
      status: 'submitted',
      filedAt: NOW,
      decisionDueAt: '2026-12-01T07:59:59.000Z',
      decidedAt: null,
      decisionNote: null,
      credit: null,
    });
  });

  it('of a lead needs a detail and no evidence', async () => {
    const deliveryId = await one();
    for (const detail of [undefined, null, '', ' \u200b'])
      expect(outcomeText(await dispute(deliveryId, { detail }))).toBe('422 detail_required');
    const response = await dispute(deliveryId);
    expect([outcomeText(response), response.json.evidenceUrl]).toEqual(['201', null]);
  });

  it('of a booking needs both', async () => {
    const deliveryId = await one('summit', BOOKING);
    const bare = await dispute(deliveryId, { reason: 'no_show', detail: null });
    expect(problemFacts(bare)).toEqual(problem(422, 'detail_required'));
    const without = await dispute(deliveryId, { reason: 'no_show' });
    expect(problemFacts(without)).toEqual(problem(422, 'evidence_required'));
    expect(outcomeText(await dispute(deliveryId, { reason: 'no_show', evidenceUrl }))).toBe('201');
  });

  it('has evidence that is never fetched', async () => {
    const receiver = await startReceiver({ tls: true });
    const response = await dispute(await one(), { evidenceUrl: `${receiver.origin}/letter.pdf` });
    expect(outcomeText(response)).toBe('201');
    await home.ask('summit', DISPUTES);
    expect(receiver.connections).toBe(0);
    await receiver.close();
  });
});

describe('The body of a dispute', () => {
  it.each<[string, object, string]>([
    ['has no reason', { reason: undefined }, 'reason:required'],
    [
      'has another type',
      { reason: 1, detail: [], evidenceUrl: {} },
      'reason:wrong_type detail:wrong_type evidenceUrl:wrong_type',
    ],
    ['says not interested', { reason: 'Not Interested' }, 'reason:reason_not_objective'],
    ['has an unknown reason', { reason: 'x' }, 'reason:reason_unknown'],
    ['has a proof', { proof: 'x' }, 'proof:unknown_field'],
    ['has evidence without TLS', { evidenceUrl: 'http://files.example.com/x' }, 'evidenceUrl:invalid_format'],
    ['has evidence that is no URL', { evidenceUrl: 'letter.pdf' }, 'evidenceUrl:invalid_format'],
    ['has a detail that is too long', { detail: 'x'.repeat(10_001) }, 'detail:too_long'],
  ])('is rejected if it %s', async (_, more, faults) => {
    const response = await dispute(await one(), more);
    expect(problemFacts(response)).toEqual(problem(422, 'validation_failed', 'errors'));
    expect(outcomeText(response)).toBe(`422 validation_failed ${faults}`);
  });
});

describe('Among several reasons against a dispute the first reported is', () => {
  const late = new Date('2026-10-20T18:00:00.000Z');

  it('a delivery of another partner, like an unknown one', async () => {
    const foreign = await one('harbor');
    const [first, other] = [await dispute(foreign, { detail: null }), await dispute('dlv_x')];
    expect(problemFacts(first)).toEqual(problem(404, 'delivery_not_found'));
    expect(withoutId(first)).toEqual(withoutId(other));
  });

  it.each<[string, Parameters<ClaimMarket['plant']>[1][number], object, string]>([
    ['a reason of the other kind', { status: 'Pending', at: late }, { reason: 'no_show' }, '422 reason_kind_mismatch'],
    ['a delivery that is Pending', { status: 'Pending', at: late }, {}, '409 delivery_not_confirmed'],
    ['a delivery that is Failed', { status: 'Failed', at: late }, {}, '409 delivery_not_confirmed'],
    ['a delivery that is Returned', { status: 'Returned', at: late }, {}, '409 delivery_not_confirmed'],
    ['the window before the detail', { at: late }, { detail: null }, '422 dispute_window_closed'],
  ])('%s', async (_, seed, more, refusal) => {
    expect(outcomeText(await dispute(await one('summit', seed), more))).toBe(refusal);
  });

  it('an open claim of either kind, before the window', async () => {
    const deliveryId = await one();
    expect(outcomeText(await home.file('summit', 'return', { deliveryId, reason: 'bot' }))).toBe('201');
    home.clock.set('2027-01-20T18:00:00.000Z');
    expect(outcomeText(await dispute(deliveryId))).toBe('409 claim_exists');
  });
});

describe('The dispute window', () => {
  it.each([
    ['2026-10-20T18:00:00.000Z', '2026-11-20T07:59:59.000Z', 'over the end of summer time'],
    ['2026-02-20T18:00:00.000Z', '2026-03-23T06:59:59.000Z', 'over its beginning'],
    ['2026-12-31T18:00:00.000Z', '2027-01-31T07:59:59.000Z', 'into a new year'],
  ])('of a delivery of %s is open through %s: %s', async (deliveredAt, until) => {
    const [first = '', second = ''] = await home.plant('summit', [
      { at: new Date(deliveredAt) },
      { at: new Date(deliveredAt) },
    ]);
    const end = Date.parse(until) + 1000;
    home.clock.set(new Date(end - 1).toISOString());
    expect(outcomeText(await dispute(first))).toBe('201');
    home.clock.set(new Date(end).toISOString());
    const late = await dispute(second);
    expect([outcomeText(late), late.json.detail]).toEqual([
      '422 dispute_window_closed',
      expect.stringContaining(until),
    ]);
  });
});

describe('A denied return', () => {
  it('may be appealed by a dispute, past the return window and once', async () => {
    const deliveryId = await one();
    const { json } = await home.file('summit', 'return', { deliveryId, reason: 'bot' });
    expect(outcomeText(await dispute(deliveryId))).toBe('409 claim_exists');
    await home.review(json.returnId, 'deny', 'A person answered.');
    home.clock.set('2026-12-10T18:00:00.000Z');
    const shown = async (): Promise<Json> =>
      (await home.ask('summit', `${LEADS}?pageSize=100`)).json.data.find(
        (item: Json) => item.deliveryId === deliveryId,
      );
    expect(await shown()).toMatchObject({ claim: { id: json.returnId }, returnable: { reason: 'claim_exists' } });

    const withdrawn = await dispute(deliveryId);
    expect(outcomeText(withdrawn)).toBe('201');
    await home.ask('summit', `${DISPUTES}/${withdrawn.json.disputeId}`, { method: 'DELETE' });
    const appeal = await dispute(deliveryId);
    expect(outcomeText(appeal)).toBe('201');
    expect((await shown()).claim).toEqual({ kind: 'dispute', id: appeal.json.disputeId, status: 'submitted' });
    await home.review(appeal.json.disputeId, 'deny');
    expect(outcomeText(await dispute(deliveryId))).toBe('409 claim_exists');
    expect((await shown()).returnable.reason).toBe('claim_exists');
  });

  it('that is appealed with success is credited once', async () => {
    const deliveryId = await one();
    const { json } = await home.file('summit', 'return', { deliveryId, reason: 'bot' });
    await home.review(json.returnId, 'deny');
    const appeal = await dispute(deliveryId);
    await home.review(appeal.json.disputeId, 'approve', 'It was a script after all.');
    const read = await home.ask('summit', `${DISPUTES}/${appeal.json.disputeId}`);
    expect(read.json).toMatchObject({
      status: 'approved',
      decidedAt: NOW,
      decisionNote: 'It was a script after all.',
      credit: { amount: 45, entryId: expect.stringMatching(/^txn_/) },
    });
    expect(outcomeText(await dispute(deliveryId))).toBe('409 delivery_not_confirmed');
  });

  it('does not prevent a return if it was of a dispute', async () => {
    const deliveryId = await one();
    const { json } = await dispute(deliveryId);
    await home.review(json.disputeId, 'deny');
    expect(outcomeText(await dispute(deliveryId))).toBe('409 claim_exists');
    expect(outcomeText(await home.file('summit', 'return', { deliveryId, reason: 'bot' }))).toBe('201');
  });
});

describe('The cap of returns', () => {
  it('neither limits disputes nor counts them', async () => {
    const deliveries = await home.plant(
      'tight',
      Array.from({ length: 5 }, () => ({})),
    );
    for (const deliveryId of deliveries) {
      const response = await home.file('tight', 'dispute', { deliveryId, reason: 'bot', detail: 'So.' });
      expect(outcomeText(response)).toBe('201');
    }
    expect((await home.ask('tight', POLICY)).json.monthlyCaps.leads).toMatchObject({ limit: 2, used: 0 });
  });

  it('is not part of a dry run of a dispute, which has a window', async () => {
    const [deliveryId = ''] = await home.plant('summit', [BOOKING]);
    const { status, json } = await home.dryRun('summit', 'dispute', {
      deliveryId,
      reason: 'no_show',
      detail: 'Nobody came.',
    });
    expect([status, json]).toEqual([
      200,
      {
        deliveryId,
        deliveryRef: expect.stringMatching(/^CA-\d{6}$/),
        allowed: false,
        refusal: { status: 422, code: 'evidence_required', detail: 'This reason needs evidence.' },
        until: '2026-12-20T07:59:59.000Z',
        decisionDueAt: '2026-12-01T07:59:59.000Z',
        proofRequired: true,
        cap: null,
      },
    ]);
  });
});

describe('A partner’s own dispute', () => {
  it('is listed, read and withdrawn', async () => {
    const { json } = await dispute(await one());
    const { json: page } = await home.ask('summit', `${DISPUTES}?pageSize=1`);
    expect([Object.keys(page), Object.keys(page.data[0])]).toEqual([
      ['page', 'pageSize', 'total', 'totalPages', 'data'],
      MEMBERS,
    ]);
    expect((await home.ask('summit', `${DISPUTES}/${json.disputeId}`)).json).toEqual(json);
    expect(outcomeText(await home.ask('harbor', `${DISPUTES}/${json.disputeId}`))).toBe('404 not_found');
    expect(outcomeText(await home.ask('harbor', `${DISPUTES}/${json.disputeId}`, { method: 'DELETE' }))).toBe(
      '404 not_found',
    );
    const withdrawn = await home.ask('summit', `${DISPUTES}/${json.disputeId}`, { method: 'DELETE' });
    expect([withdrawn.status, withdrawn.json]).toEqual([200, { ...json, status: 'withdrawn' }]);
    const again = await home.ask('summit', `${DISPUTES}/${json.disputeId}`, { method: 'DELETE' });
    expect(problemFacts(again)).toEqual(problem(409, 'claim_not_withdrawable'));
  });

  it('is filed once under one Idempotency-Key', async () => {
    const body = { deliveryId: await one(), reason: 'bot', detail: 'So.' };
    const send = () => home.ask('summit', DISPUTES, { body, headers: { 'idempotency-key': 'dispute 1' } });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true']);
  });
});

// Tests POST and GET /api/v1/buyer/returns, and reading and withdrawing one (contract 6.8, 6.10).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { getAsBuyer, problem, problemFacts } from '../support/api-client.ts';
import type { Json } from '../support/scope-app.ts';
import { select } from '../support/ledger-faults.ts';
import {
  BOOKING,
  type ClaimMarket,
  LEADS,
  NOW,
  POLICY,
  RETURNS,
  startClaimMarket,
  outcomeText,
  withDryRuns,
  withoutId,
} from '../claims/claim-market.ts';

const MEMBERS = [
  'returnId',
  'deliveryId',
  'deliveryRef',
  'reason',
  'proof',
  'status',
  'filedAt',
  'decisionDueAt',
  'decidedAt',
  'decisionNote',
  'credit',
];

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

async function filed(partner = 'summit'): Promise<Json> {
  const response = await home.file(partner, 'return', { deliveryId: await one(partner), reason: 'bot' });
  expect(outcomeText(response)).toBe('201');
  return response.json;
}

describe('A return', () => {
  it('is filed with exactly the members of the contract', async () => {
    const deliveryId = await one();
    const response = await home.file('summit', 'return', { deliveryId, reason: 'invalid_phone', proof: ' Dead. ' });
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      201,
      'application/json; charset=utf-8',
      'no-store',
    ]);
    expect(Object.keys(response.json)).toEqual(MEMBERS);
    expect(response.json).toEqual({
      returnId: expect.stringMatching(/^ret_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      deliveryId,
      deliveryRef: expect.stringMatching(/^LS-\d{6}$/),
      reason: 'invalid_phone',
      proof: ' Dead. ',
      status: 'submitted',
      filedAt: NOW,
      // Thanksgiving lies between.
      decisionDueAt: '2026-12-01T07:59:59.000Z',
      decidedAt: null,
      decisionNote: null,
      credit: null,
    });
  });

  it.each(['invalid_phone', 'bounced_email', 'out_of_geo', 'out_of_filter', 'duplicate', 'bot'])(
    'of a lead may be for %s, without a proof',
    async (reason) => {
      const response = await home.file('summit', 'return', { deliveryId: await one(), reason });
      expect([outcomeText(response), response.json.proof]).toEqual(['201', null]);
    },
  );

  it.each(['no_show', 'filter_mismatch'])('of a booking may be for %s, with a proof', async (reason) => {
    const deliveryId = await one('summit', BOOKING);
    const refused = await home.file('summit', 'return', { deliveryId, reason });
    expect(problemFacts(refused)).toEqual(problem(422, 'proof_required'));
    expect(outcomeText(await home.file('summit', 'return', { deliveryId, reason, proof: ' \u200b ' }))).toBe(
      '422 proof_required',
    );
    const response = await home.file('summit', 'return', { deliveryId, reason, proof: 'Recording 17.' });
    expect([outcomeText(response), response.json.deliveryRef.slice(0, 3)]).toEqual(['201', 'CA-']);
  });

  it('changes neither the delivery nor the account', async () => {
    const { deliveryId } = await filed();
    const { json } = await home.ask('summit', `${LEADS}?pageSize=100`);
    const delivery = json.data.find((item: Json) => item.deliveryId === deliveryId);
    expect([delivery.status, delivery.returned, delivery.payout]).toEqual(['Confirmed', false, 45]);
    expect(await select(home.market.database, 'SELECT * FROM transfer')).toEqual([]);
  });
});

describe('The body of a return', () => {
  it.each<[string, (deliveryId: string) => object, string]>([
    ['is empty', () => ({}), 'deliveryId:required reason:required'],
    ['has no reason', (deliveryId) => ({ deliveryId }), 'reason:required'],
    [
      'has another type',
      () => ({ deliveryId: 1, reason: 2, proof: 3 }),
      'deliveryId:wrong_type reason:wrong_type proof:wrong_type',
    ],
    ['has an unknown reason', (deliveryId) => ({ deliveryId, reason: 'spam' }), 'reason:reason_unknown'],
    ['has a reason in other letters', (deliveryId) => ({ deliveryId, reason: 'Duplicate' }), 'reason:reason_unknown'],
    ['says no-response', (deliveryId) => ({ deliveryId, reason: 'no-response' }), 'reason:reason_not_objective'],
    ['says No Response', (deliveryId) => ({ deliveryId, reason: 'No Response' }), 'reason:reason_not_objective'],
    ['says noresponse', (deliveryId) => ({ deliveryId, reason: 'noresponse' }), 'reason:reason_not_objective'],
    ['says not_interested', (deliveryId) => ({ deliveryId, reason: 'not_interested' }), 'reason:reason_not_objective'],
    ['says NoBudget', (deliveryId) => ({ deliveryId, reason: 'NoBudget' }), 'reason:reason_not_objective'],
    ['says gate keeper', (deliveryId) => ({ deliveryId, reason: 'gate keeper' }), 'reason:reason_not_objective'],
    ['says LATE_FOLLOW-UP', (deliveryId) => ({ deliveryId, reason: 'LATE_FOLLOW-UP' }), 'reason:reason_not_objective'],
    [
      'has members of a dispute',
      (deliveryId) => ({ deliveryId, reason: 'bot', detail: 'x', evidenceUrl: 'https://x.example' }),
      'detail:unknown_field evidenceUrl:unknown_field',
    ],
    ['has a NUL', (deliveryId) => ({ deliveryId, reason: 'bot', proof: 'a\0' }), 'proof:invalid_format'],
    ['has half a character', (deliveryId) => ({ deliveryId, reason: 'bot', proof: '\ud800' }), 'proof:invalid_format'],
    ['is too long', (deliveryId) => ({ deliveryId, reason: 'bot', proof: 'x'.repeat(10_001) }), 'proof:too_long'],
    // An invalid body is reported before any error of its delivery.
    [
      'is of a delivery that there is not',
      () => ({ deliveryId: 'dlv_x', reason: 'gatekeeper' }),
      'reason:reason_not_objective',
    ],
  ])('is rejected if it %s', async (_, bodyOf, faults) => {
    const response = await home.file('summit', 'return', bodyOf(await one()));
    expect(problemFacts(response)).toEqual(problem(422, 'validation_failed', 'errors'));
    expect(outcomeText(response)).toBe(`422 validation_failed ${faults}`);
  });

  it('must be JSON', async () => {
    expect(
      outcomeText(await home.ask('summit', RETURNS, { body: '[]', headers: { 'content-type': 'application/json' } })),
    ).toBe('400 invalid_json');
    expect(
      outcomeText(await home.ask('summit', RETURNS, { body: '{}', headers: { 'content-type': 'text/plain' } })),
    ).toBe('415 unsupported_media_type');
    expect(outcomeText(await home.ask('summit', RETURNS, { method: 'PATCH', body: {} }))).toBe(
      '405 method_not_allowed',
    );
    expect((await getAsBuyer(home.market.url, 'lmb_x', RETURNS)).status).toBe(401);
    expect(outcomeText(await home.ask('frozen', RETURNS, { body: {} }))).toBe('403 partner_suspended');
  });
});

describe('Among several reasons against a return the first reported is', () => {
  const late = new Date('2026-11-12T18:00:00.000Z');

  it('a delivery of another partner, like an unknown one', async () => {
    const foreign = await one('harbor', { status: 'Pending' });
    const responses = await Promise.all(
      [
        foreign,
        'dlv_01m7wyk0h2emp81qch4dvtyn6a',
        'dlv_x',
        'x',
        foreign.toUpperCase(),
        foreign.replace('dlv_', 'ret_'),
      ].map((deliveryId) => home.file('summit', 'return', { deliveryId, reason: 'no_show' })),
    );
    for (const response of responses) {
      expect(problemFacts(response)).toEqual(problem(404, 'delivery_not_found'));
      expect(withoutId(response)).toEqual(withoutId(responses[0] ?? response));
    }
  });

  it.each<[string, Parameters<ClaimMarket['plant']>[1][number], string, string]>([
    ['a reason of the other kind', { status: 'Pending', at: late }, 'no_show', '422 reason_kind_mismatch'],
    ['a reason of the other kind for a booking', { ...BOOKING, at: late }, 'duplicate', '422 reason_kind_mismatch'],
    ['a delivery that is Pending', { status: 'Pending', at: late }, 'bot', '409 delivery_not_confirmed'],
    ['a delivery that is Failed', { status: 'Failed', at: late }, 'bot', '409 delivery_not_confirmed'],
    ['a delivery that is Returned', { status: 'Returned', at: late }, 'bot', '409 delivery_not_confirmed'],
    ['the window', { at: late }, 'bot', '422 return_window_closed'],
    ['the window before the proof', { ...BOOKING, at: late }, 'no_show', '422 return_window_closed'],
  ])('%s', async (_, seed, reason, refusal) => {
    // Its caps are used up, so that they would be the next error.
    const response = await home.file('none', 'return', { deliveryId: await one('none', seed), reason });
    expect(outcomeText(response)).toBe(refusal);
  });

  it('a claim before the window, and the cap before the proof', async () => {
    const deliveryId = await one();
    const { json } = await home.file('summit', 'return', { deliveryId, reason: 'bot' });
    home.clock.set('2026-12-20T00:00:00.000Z');
    const again = await home.file('summit', 'return', { deliveryId, reason: 'bot' });
    expect([outcomeText(again), again.json.detail]).toEqual([
      '409 claim_exists',
      expect.stringContaining(json.returnId),
    ]);
    home.clock.set(NOW);
    const [first = '', second = ''] = await home.plant('tight', [BOOKING, BOOKING]);
    const proof = 'Recording 17.';
    expect(outcomeText(await home.file('tight', 'return', { deliveryId: first, reason: 'no_show' }))).toBe(
      '422 proof_required',
    );
    expect(outcomeText(await home.file('tight', 'return', { deliveryId: first, reason: 'no_show', proof }))).toBe(
      '201',
    );
    expect(outcomeText(await home.file('tight', 'return', { deliveryId: second, reason: 'no_show' }))).toBe(
      '422 return_cap_reached',
    );
  });
});

describe('The return window', () => {
  it.each([
    ['a week of five days', '2026-11-02T18:00:00.000Z', '2026-11-10T07:59:59.000Z'],
    ['a weekend', '2026-11-06T18:00:00.000Z', '2026-11-17T07:59:59.000Z'],
    ['a day that has ended in UTC only', '2026-11-03T05:00:00.000Z', '2026-11-10T07:59:59.000Z'],
    ['Thanksgiving', '2026-11-20T18:00:00.000Z', '2026-12-01T07:59:59.000Z'],
    ['Christmas and the operator’s day off', '2026-12-18T18:00:00.000Z', '2026-12-30T07:59:59.000Z'],
    ['the end of summer time', '2026-10-30T18:00:00.000Z', '2026-11-07T07:59:59.000Z'],
    ['the end of a month and a year', '2026-12-30T18:00:00.000Z', '2027-01-08T07:59:59.000Z'],
  ])('with %s is open through its last second', async (_, deliveredAt, until) => {
    const [first = '', second = ''] = await home.plant('summit', [
      { at: new Date(deliveredAt) },
      { at: new Date(deliveredAt) },
    ]);
    const end = Date.parse(until) + 1000;
    home.clock.set(new Date(end - 1).toISOString());
    expect(outcomeText(await home.file('summit', 'return', { deliveryId: first, reason: 'bot' }))).toBe('201');
    home.clock.set(new Date(end).toISOString());
    const late = await home.file('summit', 'return', { deliveryId: second, reason: 'bot' });
    expect(problemFacts(late)).toEqual(problem(422, 'return_window_closed'));
    expect(late.json.detail).toContain(until);
  });

  it.each([
    ['return', '2026-11-19T18:00:00.000Z', '2026-11-28T07:59:59.000Z'],
    ['return', '2026-12-01T18:00:00.000Z', '2026-12-09T07:59:59.000Z'],
    ['dispute', '2026-11-19T18:00:00.000Z', '2026-12-20T07:59:59.000Z'],
  ] as const)(
    'for a %s begins with the confirmation at %s and not with the delivery',
    async (kind, confirmed, until) => {
      const seed = { at: new Date('2026-11-16T18:00:00.000Z'), confirmedAt: new Date(confirmed) };
      const [first = '', second = ''] = await home.plant('summit', [seed, seed]);
      const body = { reason: 'bot', detail: 'It answered in rhymes.' };
      const file = (deliveryId: string) =>
        home.file('summit', kind, kind === 'return' ? { deliveryId, reason: 'bot' } : { deliveryId, ...body });
      const end = Date.parse(until) + 1000;
      home.clock.set(new Date(end - 1).toISOString());
      const { json: delivery } = await home.ask('summit', `${LEADS}/${first}`);
      expect(delivery).toMatchObject({ deliveredAt: seed.at.toISOString(), confirmedAt: confirmed });
      if (kind === 'return') expect(delivery.returnable).toEqual({ until, reason: null });
      expect(outcomeText(await file(first))).toBe('201');
      home.clock.set(new Date(end).toISOString());
      expect(outcomeText(await file(second))).toBe(`422 ${kind}_window_closed`);
      const { json: shown } = await home.ask('summit', `${LEADS}/${second}`);
      expect(shown.returnable.reason).toBe('return_window_closed');
    },
  );
});

describe('The monthly cap', () => {
  const capOf = async (partner: string, kind: 'leads' | 'bookings'): Promise<Json> =>
    (await home.ask(partner, POLICY)).json.monthlyCaps[kind];

  it('counts open and approved returns, separately for leads and bookings', async () => {
    home.clock.set('2026-08-20T18:00:00.000Z');
    const leads = await home.plant('tight', [{}, {}, {}, {}, {}]);
    const [booking = '', other = ''] = await home.plant('tight', [BOOKING, BOOKING]);
    const file = async (deliveryId = '') =>
      outcomeText(await home.file('tight', 'return', { deliveryId, reason: 'bot' }));
    const { json: withdrawn } = await home.file('tight', 'return', { deliveryId: leads[0], reason: 'bot' });
    const { json: denied } = await home.file('tight', 'return', { deliveryId: leads[1], reason: 'bot' });
    expect(await capOf('tight', 'leads')).toMatchObject({
      limit: 2,
      used: 2,
      remaining: 0,
      resetsAt: '2026-09-01T07:00:00.000Z',
    });
    const refused = await home.file('tight', 'return', { deliveryId: leads[2], reason: 'bot' });
    expect(problemFacts(refused)).toEqual(problem(422, 'return_cap_reached'));
    expect(refused.json.detail).toContain('2026-08');

    // Withdrawn and denied returns free their slot.
    expect((await home.ask('tight', `${RETURNS}/${withdrawn.returnId}`, { method: 'DELETE' })).json.status).toBe(
      'withdrawn',
    );
    await home.review(denied.returnId, 'deny');
    expect(await capOf('tight', 'leads')).toMatchObject({ used: 0, remaining: 2 });
    const { json: approved } = await home.file('tight', 'return', { deliveryId: leads[2], reason: 'bot' });
    await home.review(approved.returnId, 'approve');
    expect(await capOf('tight', 'leads')).toMatchObject({ used: 1, remaining: 1 });
    expect([await file(leads[3]), await file(leads[4])]).toEqual(['201', '422 return_cap_reached']);

    const proof = { reason: 'no_show', proof: 'Recording 17.' };
    expect(await capOf('tight', 'bookings')).toMatchObject({ limit: 1, used: 0, remaining: 1 });
    expect(outcomeText(await home.file('tight', 'return', { deliveryId: booking, ...proof }))).toBe('201');
    expect(outcomeText(await home.file('tight', 'return', { deliveryId: other, ...proof }))).toBe(
      '422 return_cap_reached',
    );
  });

  it('is that of the month of the delivery in the partner’s zone, not of the filing', async () => {
    // The last milliseconds of September and the first of October in Los Angeles.
    const september = new Date('2026-10-01T06:59:59.999Z');
    const october = new Date('2026-10-01T07:00:00.000Z');
    const of = await home.plant('tight', [
      { at: september },
      { at: september },
      { at: september },
      { at: october },
      { at: october },
      { at: october },
    ]);
    home.clock.set('2026-10-02T18:00:00.000Z');
    const responses: string[] = [];
    for (const deliveryId of of)
      responses.push(outcomeText(await home.file('tight', 'return', { deliveryId, reason: 'bot' })));
    expect(responses).toEqual(['201', '201', '422 return_cap_reached', '201', '201', '422 return_cap_reached']);
  });

  it('as a percentage is a share of the month’s confirmed and returned deliveries of the kind, and at least three', async () => {
    home.clock.set('2026-07-31T20:00:00.000Z');
    const at = (day: number) => new Date(Date.UTC(2026, 6, day, 18));
    const july = await home.plant(
      'share',
      Array.from({ length: 38 }, (_, index) => ({ at: at(27 + (index % 4)) })),
    );
    // At the edges of the month in Los Angeles: two of July, which make it forty, two of other months, and deliveries that do not count.
    await home.plant('share', [
      { at: new Date('2026-07-01T07:00:00.000Z') },
      { at: new Date('2026-07-31T19:00:00.000Z') },
      { at: new Date('2026-07-01T06:59:59.999Z') },
      { at: new Date('2026-08-01T07:00:00.000Z') },
      ...(['Pending', 'Failed'] as const).flatMap((status) =>
        Array.from({ length: 20 }, () => ({ at: at(15), status })),
      ),
      ...Array.from({ length: 20 }, () => ({ ...BOOKING, at: at(15) })),
    ]);
    expect(await capOf('share', 'leads')).toMatchObject({ limit: 4, used: 0, remaining: 4 });
    expect(await capOf('share', 'bookings')).toMatchObject({ limit: 3, remaining: 3 });
    const responses: string[] = [];
    for (const deliveryId of july.slice(0, 5))
      responses.push(outcomeText(await home.file('share', 'return', { deliveryId, reason: 'bot' })));
    expect(responses).toEqual(['201', '201', '201', '201', '422 return_cap_reached']);
    // With the fiftieth delivery of the month the cap allows the fifth return.
    await home.plant(
      'share',
      Array.from({ length: 10 }, () => ({ at: at(20) })),
    );
    expect(outcomeText(await home.file('share', 'return', { deliveryId: july[4], reason: 'bot' }))).toBe('201');
    expect(await capOf('share', 'leads')).toMatchObject({ limit: 5, used: 5, remaining: 0 });
  });

  it('of 0 allows no returns, but a percentage of 0 allows three', async () => {
    home.clock.set('2026-06-10T18:00:00.000Z');
    const today = { at: home.clock.now() };
    const [lead = '', ...bookings] = await home.plant('none', [
      today,
      ...Array.from({ length: 4 }, () => ({ ...BOOKING, ...today })),
    ]);
    expect(outcomeText(await home.file('none', 'return', { deliveryId: lead, reason: 'bot' }))).toBe(
      '422 return_cap_reached',
    );
    const responses: string[] = [];
    for (const deliveryId of bookings)
      responses.push(outcomeText(await home.file('none', 'return', { deliveryId, reason: 'no_show', proof: 'x' })));
    expect(responses).toEqual(['201', '201', '201', '422 return_cap_reached']);
  });
});

describe('With an Idempotency-Key a return', () => {
  const send = (body: object, key: string) =>
    home.ask('summit', RETURNS, { body, headers: { 'idempotency-key': key } });

  it('is filed once and gets the same response byte for byte', async () => {
    const body = { deliveryId: await one(), reason: 'bot' };
    const first = await send(body, 'key 1');
    home.clock.advance(60_000);
    const again = await send(body, 'key 1');
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(outcomeText(await send(body, 'key 2'))).toBe('409 claim_exists');
    expect(outcomeText(await send({ ...body, reason: 'duplicate' }, 'key 1'))).toBe('422 idempotency_key_reused');
    expect(
      outcomeText(
        await home.ask('summit', '/api/v1/buyer/disputes', { body, headers: { 'idempotency-key': 'key 1' } }),
      ),
    ).toBe('422 idempotency_key_reused');
    expect(outcomeText(await send(body, 'x'.repeat(256)))).toBe('400 idempotency_key_invalid');
  });

  it.each<[string, object, string]>([
    [
      'a faulty body',
      { reason: 'no response' },
      '422 validation_failed deliveryId:required reason:reason_not_objective',
    ],
    ['an unknown delivery', { deliveryId: 'dlv_01m7wyk0h2emp81qch4dvtyn6a', reason: 'bot' }, '404 delivery_not_found'],
  ])('gets the same error for %s', async (what, body, refusal) => {
    const [first, again] = [await send(body, what), await send(body, what)];
    expect([outcomeText(first), again.text, again.headers.get('idempotent-replayed')]).toEqual([
      refusal,
      first.text,
      'true',
    ]);
  });
});

describe('A dry run', () => {
  const nothingIsFiled = async (partner: string): Promise<void> => {
    const { json } = await home.ask(partner, RETURNS);
    expect(json.total).toBe(0);
    const kept = await select(
      home.market.database,
      `SELECT count(*)::int AS keys FROM idempotency_key WHERE path LIKE '%dryRun%'`,
    );
    expect(kept).toEqual([{ keys: 0 }]);
  };

  it('reports the response to filing, with window, cap and proof, and stores nothing', async () => {
    const partner = 'previewed';
    const deliveryId = await one(partner);
    const preview = await home.dryRun(partner, 'return', { deliveryId, reason: 'bot' });
    expect([preview.status, preview.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(preview.json).toEqual({
      deliveryId,
      deliveryRef: expect.stringMatching(/^LS-\d{6}$/),
      allowed: true,
      refusal: null,
      until: '2026-11-28T07:59:59.000Z',
      decisionDueAt: '2026-12-01T07:59:59.000Z',
      proofRequired: false,
      cap: { month: '2026-11', limit: 1, used: 0, remaining: 1 },
    });
    await nothingIsFiled(partner);
    const booking = await home.dryRun(partner, 'return', {
      deliveryId: await one(partner, BOOKING),
      reason: 'no_show',
    });
    expect(booking.json).toMatchObject({
      allowed: false,
      refusal: { status: 422, code: 'proof_required', detail: 'This reason needs a proof.' },
      proofRequired: true,
      cap: { limit: 2, used: 0 },
    });
    await nothingIsFiled(partner);
  });

  it('of a claim that would be rejected reports the error and the cap', async () => {
    const partner = 'tight';
    const [first, second, third] = await home.plant(partner, [{}, {}, {}]);
    for (const deliveryId of [first, second]) await home.file(partner, 'return', { deliveryId, reason: 'bot' });
    const preview = await home.dryRun(partner, 'return', { deliveryId: third, reason: 'bot' });
    expect(preview.json).toMatchObject({
      allowed: false,
      refusal: {
        status: 422,
        code: 'return_cap_reached',
        detail: 'All 2 returns that the monthly cap allows for deliveries of 2026-11 are used.',
      },
      cap: { limit: 2, used: 2, remaining: 0 },
    });
    for (const { returnId } of (await home.ask(partner, RETURNS)).json.data)
      await home.ask(partner, `${RETURNS}/${returnId}`, { method: 'DELETE' });
  });

  it('neither requires an Idempotency-Key nor uses one up', async () => {
    const deliveryId = await one();
    const body = { deliveryId, reason: 'bot' };
    const headers = { 'idempotency-key': 'dry-then-real' };
    for (const path of [`${RETURNS}?dryRun=true`, `${RETURNS}?dryRun=true`]) {
      const preview = await home.ask('summit', path, { body, headers });
      expect([preview.status, preview.headers.get('idempotent-replayed'), preview.json.allowed]).toEqual([
        200,
        null,
        true,
      ]);
    }
    const filing = await home.ask('summit', `${RETURNS}?dryRun=false`, { body, headers });
    expect([filing.status, filing.headers.get('idempotent-replayed')]).toEqual([201, null]);
    const after = await home.ask('summit', `${RETURNS}?dryRun=true`, { body, headers });
    expect(after.json.refusal.code).toBe('claim_exists');
  });

  it.each(['dryRun=', 'dryRun=1', 'dryRun=TRUE', 'dryRun=true&dryRun=true'])('is not assumed for %s', async (query) => {
    const deliveryId = await one();
    const refused = await home.ask('summit', `${RETURNS}?${query}`, { body: { deliveryId, reason: 'bot' } });
    expect(problemFacts(refused)).toEqual(problem(400, 'invalid_query', 'errors'));
    expect((await home.dryRun('summit', 'return', { deliveryId, reason: 'bot' })).json.allowed).toBe(true);
  });
});

describe('The list of returns', () => {
  let list: ClaimMarket;
  /** Newest first. */
  let ids: string[];

  beforeAll(async () => {
    list = await startClaimMarket();
    const deliveries = await list.plant(
      'summit',
      Array.from({ length: 7 }, () => ({})),
    );
    ids = [];
    for (const [index, deliveryId] of deliveries.entries()) {
      // Two of them at one instant.
      if (index !== 3) list.clock.advance(1000);
      ids.unshift((await list.file('summit', 'return', { deliveryId, reason: 'bot' })).json.returnId);
    }
    const [foreign = ''] = await list.plant('harbor', [{}]);
    await list.file('harbor', 'return', { deliveryId: foreign, reason: 'bot' });
    const [disputed = ''] = await list.plant('summit', [{}]);
    await list.file('summit', 'dispute', { deliveryId: disputed, reason: 'bot', detail: 'So.' });
  });
  afterAll(() => list.close());

  it('is the partner’s own, newest first, in the common envelope', async () => {
    const { status, json, headers } = await list.ask('summit', RETURNS);
    expect([status, Object.keys(json)]).toEqual([200, ['page', 'pageSize', 'total', 'totalPages', 'data']]);
    expect(json.data.map(({ returnId }: Json) => returnId)).toEqual(ids);
    expect(json).toMatchObject({ page: 1, pageSize: 25, total: 7, totalPages: 1 });
    expect(Object.keys(json.data[0])).toEqual(MEMBERS);
    expect(headers.get('link')).toBe(`<${RETURNS}?page=1>; rel="first", <${RETURNS}?page=1>; rel="last"`);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('can be read page by page', async () => {
    const seen: string[] = [];
    let url: string | undefined = `${RETURNS}?pageSize=3`;
    while (url !== undefined) {
      const response = await list.ask('summit', url);
      expect(response.json).toMatchObject({ total: 7, totalPages: 3, pageSize: 3 });
      seen.push(...response.json.data.map(({ returnId }: Json) => returnId));
      url = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(ids);
    const past = await list.ask('summit', `${RETURNS}?page=999999999999999`);
    expect([past.status, past.json.data, past.json.total]).toEqual([200, [], 7]);
    expect((await list.ask('tight', RETURNS)).json).toEqual({
      page: 1,
      pageSize: 25,
      total: 0,
      totalPages: 0,
      data: [],
    });
  });

  it.each([
    ['page=0', 'page:out_of_range'],
    ['pageSize=101', 'pageSize:out_of_range'],
    ['page=x&pageSize=', 'page:wrong_type pageSize:empty'],
    ['page=1&page=2', 'page:repeated'],
  ])('rejects %s', async (query, faults) => {
    expect(outcomeText(await list.ask('summit', `${RETURNS}?${query}`))).toBe(`400 invalid_query ${faults}`);
  });

  it('has a path for each return, which is a 404 for other partners', async () => {
    const [id = ''] = ids;
    const [listed] = (await list.ask('summit', `${RETURNS}?pageSize=1`)).json.data;
    const read = await list.ask('summit', `${RETURNS}/${id}`);
    expect([read.status, read.json]).toEqual([200, listed]);
    const nothing = [
      await list.ask('harbor', `${RETURNS}/${id}`),
      await list.ask('summit', `${RETURNS}/ret_01m7ww5brzff488f6mxkdn36hm`),
      await list.ask('summit', `${RETURNS}/x`),
      await list.ask('summit', `/api/v1/buyer/disputes/${id}`),
      await list.ask('summit', `/api/v1/buyer/disputes/${id.replace('ret_', 'dsp_')}`),
      await list.ask('harbor', `${RETURNS}/${id}`, { method: 'DELETE' }),
      await list.ask('summit', `${RETURNS}/x`, { method: 'DELETE' }),
      await list.ask('summit', `/api/v1/buyer/disputes/${id.replace('ret_', 'dsp_')}`, { method: 'DELETE' }),
    ];
    for (const response of nothing) {
      expect(problemFacts(response)).toEqual(problem(404, 'not_found'));
      expect(withoutId(response)).toEqual(withoutId(nothing[0] ?? response));
    }
    expect((await list.ask('summit', `${RETURNS}/${id}`)).json.status).toBe('submitted');
  });
});

describe('A return can be withdrawn', () => {
  const withdraw = (id: string) => home.ask('summit', `${RETURNS}/${id}`, { method: 'DELETE' });

  it('while it is submitted, and another one can then be filed', async () => {
    const claim = await filed();
    const response = await withdraw(claim.returnId);
    expect([response.status, response.json]).toEqual([200, { ...claim, status: 'withdrawn' }]);
    const again = await withdraw(claim.returnId);
    expect(problemFacts(again)).toEqual(problem(409, 'claim_not_withdrawable'));
    const { deliveryId } = claim;
    expect(outcomeText(await home.file('summit', 'return', { deliveryId, reason: 'bot' }))).toBe('201');
    expect(
      (await home.ask('summit', RETURNS)).json.data.filter((item: Json) => item.deliveryId === deliveryId),
    ).toHaveLength(2);
  });

  it.each([['take'], ['approve'], ['deny']] as const)('but no longer after a review by %s', async (step) => {
    const { returnId } = await filed();
    await home.review(returnId, step);
    expect(outcomeText(await withdraw(returnId))).toBe('409 claim_not_withdrawable');
  });
});

describe('A denied return', () => {
  it('cannot be filed again', async () => {
    const { returnId, deliveryId } = await filed();
    await home.review(returnId, 'deny', 'The line answers.');
    expect((await home.ask('summit', `${RETURNS}/${returnId}`)).json).toMatchObject({
      status: 'denied',
      decidedAt: NOW,
      decisionNote: 'The line answers.',
      credit: null,
    });
    expect(outcomeText(await home.file('summit', 'return', { deliveryId, reason: 'duplicate' }))).toBe(
      '409 claim_exists',
    );
  });
});

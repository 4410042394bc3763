// The portal's filing preview of a delivery, which must agree with the result of filing.
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { type ClaimId, typeId } from '../../src/base/ids.ts';
import { BOOKING, type ClaimMarket, NOW, startClaimMarket, outcomeText } from '../claims/claim-market.ts';
import type { Seed } from '../deliveries/plant-deliveries.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';

let home: ClaimMarket;

beforeAll(async () => {
  home = await startClaimMarket();
});
afterAll(() => home.close());
afterEach(() => home.clock.set(NOW));

/** A new session, because the clock is moved past the end of sessions. After setting the clock back, rate limits do not refill until it advances. */
const as = async (partner: string): Promise<SignedIn> => {
  const session = await home.market.signedIn.buyer(partner);
  await session.get('/portal/api/sessions');
  home.clock.advance(1);
  return session;
};
const previewIn = async (session: SignedIn, id: string): Promise<Json> =>
  (await session.get(`/portal/api/buyer/deliveries/${id}/filing`)).json;
const preview = async (partner: string, id: string): Promise<Json> => previewIn(await as(partner), id);
const plantOne = async (partner: string, seed: Partial<Seed> = {}): Promise<string> =>
  (await home.plant(partner, [seed]))[0] ?? '';
const file = async (partner: string, kind: 'return' | 'dispute', body: object) =>
  (await as(partner)).send('POST', `/portal/api/v1/buyer/${kind}s`, body);

const LEAD = { reason: 'bot', proof: 'It answered in rhymes.' };
const DISPUTED = { reason: 'bot', detail: 'It answered in rhymes.' };

describe('the filing preview of a delivery', () => {
  it('shows exact deadlines, reasons and the monthly cap', async () => {
    expect(await preview('tight', await plantOne('tight'))).toEqual({
      deliveryId: expect.stringMatching(/^dlv_/),
      deliveryRef: expect.stringMatching(/^LS-\d+$/),
      eventType: 'Lead Sale',
      return: { allowed: true, refusal: null, until: '2026-11-28T07:59:59.000Z' },
      dispute: { allowed: true, refusal: null, until: '2026-12-20T07:59:59.000Z' },
      reasons: [
        { code: 'invalid_phone', meaning: 'Disconnected or invalid phone', proofRequired: false, ownData: null },
        { code: 'bounced_email', meaning: 'Bounced or invalid email', proofRequired: false, ownData: null },
        {
          code: 'out_of_geo',
          meaning: 'Outside agreed geography',
          proofRequired: false,
          ownData: null,
        },
        {
          code: 'out_of_filter',
          meaning: 'Outside agreed filter criteria',
          proofRequired: false,
          ownData: null,
        },
        {
          code: 'duplicate',
          meaning: 'Duplicate within the dedup window',
          proofRequired: false,
          ownData: { about: 'duplicate', dedupDays: 30, others: 0 },
        },
        { code: 'bot', meaning: 'Bot, non-human or inflated submission', proofRequired: false, ownData: null },
      ],
      notReturnable: ['no-response', 'not-interested', 'no-budget', 'gatekeeper', 'late-follow-up'],
      cap: { month: '2026-11', limit: 2, used: 0, remaining: 2 },
      claims: [],
    });
  });

  it('counts the deadlines of a retried delivery from its confirmation', async () => {
    const [at, confirmedAt] = [new Date('2026-11-16T18:00:00.000Z'), new Date('2026-11-18T18:00:00.000Z')];
    const id = await plantOne('tight', { at, confirmedAt });
    const { json } = await (await as('tight')).get(`/portal/api/buyer/deliveries/${id}`);
    expect(json.delivery).toMatchObject({
      deliveredAt: at.toISOString(),
      confirmedAt: confirmedAt.toISOString(),
      returnable: { until: '2026-11-26T07:59:59.000Z', reason: null },
    });
    expect(await preview('tight', id)).toMatchObject({
      return: { allowed: true, until: '2026-11-26T07:59:59.000Z' },
      dispute: { allowed: true, until: '2026-12-19T07:59:59.000Z' },
    });
  });

  it('has other reasons, required proof and another cap for a booking', async () => {
    expect(await preview('tight', await plantOne('tight', BOOKING))).toMatchObject({
      eventType: 'Calendar Assigned',
      reasons: [
        { code: 'no_show', proofRequired: true },
        { code: 'filter_mismatch', proofRequired: true },
      ],
      cap: { limit: 1, used: 0, remaining: 1 },
    });
  });

  it('uses the delivery’s month in the partner’s zone for the cap', async () => {
    const id = await plantOne('tight', { at: new Date('2026-11-01T06:59:59.999Z') });
    expect((await preview('tight', id)).cap).toMatchObject({ month: '2026-10' });
  });
});

describe('the reason against filing', () => {
  it.each([
    ['Pending', 'delivery_not_confirmed'],
    ['Failed', 'delivery_not_confirmed'],
    ['Returned', 'delivery_not_confirmed'],
  ] as const)('of a %s delivery is shown with a remedy', async (status, code) => {
    const { return: returned, dispute } = await preview('summit', await plantOne('summit', { status }));
    const refusal = {
      code,
      meaning: 'Only a confirmed delivery can be claimed.',
      remedy: expect.stringContaining('wait'),
    };
    expect([returned, dispute]).toMatchObject([
      { allowed: false, refusal },
      { allowed: false, refusal },
    ]);
  });

  it('is a used-up cap for returns only', async () => {
    const ids = await home.plant('tight', [{ at: new Date('2026-11-18T20:00:00Z') }, {}, {}]);
    const cap = async (): Promise<unknown> => (await preview('tight', ids[2] ?? '')).cap;
    const before = (await cap()) as { limit: number; used: number };
    for (const id of ids.slice(0, before.limit - before.used)) {
      expect(outcomeText(await file('tight', 'return', { deliveryId: id, ...LEAD }))).toBe('201');
    }
    expect(await cap()).toMatchObject({ limit: 2, used: 2, remaining: 0 });
    expect(await preview('tight', ids[2] ?? '')).toMatchObject({
      return: { allowed: false, refusal: { code: 'return_cap_reached' } },
      dispute: { allowed: true, refusal: null },
    });
  });
});

describe('the preview agrees with filing', () => {
  const HOURS = [0, 24 * 7 + 13, 24 * 7 + 14, 24 * 29 + 13, 24 * 29 + 14];
  const histories = [
    'none',
    'return',
    'denied return',
    'denied dispute',
    'withdrawn',
    'denied both',
    'under review',
  ] as const;

  it.each(
    ['summit', 'tight', 'none', 'share'].flatMap((partner) => histories.map((history) => [partner, history] as const)),
  )('for %s after %s, at any time of day', async (partner, history) => {
    for (const kind of ['return', 'dispute'] as const) {
      for (const hours of HOURS) {
        home.clock.set(NOW);
        const id = await plantOne(partner);
        await live(partner, id, history);
        home.clock.advance(hours * 3_600_000);
        const session = await as(partner);
        const before = await previewIn(session, id);
        const body = { deliveryId: id, ...(kind === 'return' ? LEAD : DISPUTED) };
        const response = await session.send('POST', `/portal/api/v1/buyer/${kind}s`, body);
        const said = before[kind].allowed === true ? 201 : before[kind].refusal.code;
        expect([kind, hours, said]).toEqual([kind, hours, response.status === 201 ? 201 : response.json.code]);
        const after = await previewIn(session, id);
        expect(after.claims.length).toBe(before.claims.length + (response.status === 201 ? 1 : 0));
      }
    }
  });

  async function live(partner: string, id: string, history: (typeof histories)[number]): Promise<void> {
    const filed = async (kind: 'return' | 'dispute'): Promise<string | null> => {
      const response = await file(partner, kind, { deliveryId: id, ...(kind === 'return' ? LEAD : DISPUTED) });
      // The partner may not file, so there is nothing more to check.
      return response.status === 201 ? String(response.json[`${kind}Id`]) : null;
    };
    if (history === 'none') return;
    const first = await filed(history === 'denied dispute' ? 'dispute' : 'return');
    if (first === null) return;
    if (history === 'under review') await home.review(first, 'take');
    if (history.startsWith('denied')) await home.review(first, 'deny', 'No.');
    if (history === 'withdrawn') await (await as(partner)).send('DELETE', `/portal/api/v1/buyer/returns/${first}`);
    if (history === 'denied both') {
      const second = await filed('dispute');
      if (second !== null) await home.review(second, 'deny', 'No again.');
    }
  }
});

describe('the claims on a delivery', () => {
  it('are listed newest first with decision, note and credit, without internal data', async () => {
    const id = await plantOne('summit', { payoutCents: 4500 });
    const first = (await file('summit', 'return', { deliveryId: id, ...LEAD })).json.returnId as string;
    await home.review(first, 'deny', 'It is a poet.');
    home.clock.advance(60_000);
    const second = (
      await file('summit', 'dispute', { deliveryId: id, ...DISPUTED, evidenceUrl: 'https://x.example/a' })
    ).json.disputeId as string;
    const approved = await home.review(second, 'approve', 'A poem came twice.');
    expect(approved.status).toBe('approved');
    const { claims } = await preview('summit', id);
    expect(claims).toMatchObject([
      {
        id: second,
        kind: 'dispute',
        status: 'approved',
        statement: DISPUTED.detail,
        evidenceUrl: 'https://x.example/a',
        decisionNote: 'A poem came twice.',
        credit: { amount: 45, entryId: expect.stringMatching(/^txn_/) },
        payout: 45,
        isWithdrawable: false,
      },
      { id: first, kind: 'return', status: 'denied', decisionNote: 'It is a poet.', credit: null },
    ]);
    expect(JSON.stringify(claims)).not.toMatch(/acme|decidedBy|evidence"|west/);
    const list = (await (await as('summit')).get('/portal/api/buyer/claims?pageSize=100')).json;
    expect(list.data.filter((claim: Json) => claim.deliveryId === id)).toEqual(claims);
    const { timeline, ...detail } = (await (await as('summit')).get(`/portal/api/buyer/claims/${second}`)).json;
    expect(detail).toEqual(claims[0]);
    const by = { party: 'marketplace', name: null, tokenLabel: null };
    const { filedAt, decidedAt } = detail;
    expect(timeline).toEqual([
      { step: 'filed', at: filedAt, by: { party: 'partner', name: null, tokenLabel: null }, credit: null },
      { step: 'approved', at: decidedAt, by, credit: null },
      { step: 'credited', at: decidedAt, by: null, credit: { ...detail.credit, invoiceId: null } },
    ]);
  });
});

describe('the portal’s list of claims', () => {
  it('is filtered by kind and status and paged, with an exact total', async () => {
    const ids = await home.plant('harbor', [{}, {}, {}]);
    const [a = '', b = '', c = ''] = ids;
    const filed: string[] = [];
    for (const [id, kind] of [
      [a, 'return'],
      [b, 'dispute'],
      [c, 'return'],
    ] as const) {
      home.clock.advance(1000);
      const { json } = await file('harbor', kind, { deliveryId: id, ...(kind === 'return' ? LEAD : DISPUTED) });
      filed.push(json[`${kind}Id`] as string);
    }
    const [first, second, third] = filed;
    await home.review(first ?? '', 'deny', 'No.');
    const harbor = await as('harbor');
    const list = async (query: string): Promise<unknown[]> => {
      const { json } = await harbor.get(`/portal/api/buyer/claims?${query}`);
      return [json.total, ...json.data.map((claim: Json) => claim.id)];
    };
    expect(await list('')).toEqual([3, third, second, first]);
    expect(await list('kind=return')).toEqual([2, third, first]);
    expect(await list('status=submitted')).toEqual([2, third, second]);
    expect(await list('status=submitted&kind=dispute')).toEqual([1, second]);
    expect(await list('status=approved')).toEqual([0]);
    expect(await list('page=2&pageSize=2')).toEqual([3, first]);
    expect(await list('page=9')).toEqual([3]);
    expect(await list('sort=filed')).toEqual([3, first, second, third]);
    expect(await list('sort=filed&kind=return')).toEqual([2, first, third]);
    expect(await list('sort=filed&status=submitted&page=2&pageSize=1')).toEqual([2, third]);
    expect(await list('sort=-filed&status=submitted&kind=dispute')).toEqual([1, second]);
    const exported = await harbor.get('/portal/api/buyer/exports/claims?query=sort%3Dfiled&columns=claim');
    const order = [first, second, third].map((claimId) => exported.text.indexOf(claimId ?? 'none'));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(order[0]).toBeGreaterThan(0);
    const faulty = await harbor.get('/portal/api/buyer/claims?status=lost&kind=x');
    expect(outcomeText(faulty)).toMatch(/^400 invalid_query/);
  });

  it('has the price of each delivery in its file', async () => {
    const [deliveryId = ''] = await home.plant('summit', [{ payoutCents: 4550 }]);
    const { json } = await file('summit', 'return', { deliveryId, ...LEAD });
    const { text } = await (await as('summit')).get('/portal/api/buyer/exports/claims');
    const lines: ReadonlyArray<Record<string, string>> = parse(text, { columns: true });
    expect(lines.find((line) => line['claim_id'] === json.returnId)?.['price']).toBe('45.50');
  });

  it('has sums that agree with its rows under every filter, of the partner’s own claims alone', async () => {
    const partner = await as('harbor');
    const { json: open } = await partner.get('/portal/api/buyer/claims?status=submitted&kind=dispute');
    await home.review(open.data[0].id as string, 'approve');
    for (const query of ['', 'kind=return', 'kind=dispute', 'status=approved', 'status=denied&kind=return']) {
      const { json } = await partner.get(`/portal/api/buyer/claims?pageSize=100&${query}`);
      const rows = json.data as Json[];
      const amount = rows.reduce((sum, { credit }) => sum + (credit === null ? 0 : (credit.amount as number)), 0);
      const sums = await partner.get(`/portal/api/buyer/claims/sums?${query}`);
      expect(sums.json).toEqual({
        rows: json.total,
        isAll: true,
        counts: {},
        amounts: { credited: amount },
        currency: 'USD',
      });
    }
    const { json } = await partner.get('/portal/api/buyer/claims/sums?status=approved');
    expect(json).toMatchObject({ rows: 1, amounts: { credited: 45 } });
    expect((await (await as('summit')).get('/portal/api/buyer/claims/sums')).json.rows).toBeGreaterThan(3);
  });
});

describe('another partner', () => {
  it('cannot see a delivery’s filing preview or claims', async () => {
    const id = await plantOne('summit');
    const claimId = (await file('summit', 'return', { deliveryId: id, ...LEAD })).json.returnId as string;
    const harbor = await as('harbor');
    const random = typeId('return', '019f1d54-1a2b-7c3d-8e4f-5a6b7c8d9e0f' as ClaimId);
    for (const path of [
      `/portal/api/buyer/deliveries/${id}/filing`,
      '/portal/api/buyer/deliveries/dlv_x/filing',
      `/portal/api/buyer/claims/${claimId}`,
      `/portal/api/buyer/claims/${random}`,
      '/portal/api/buyer/claims/ret_',
      `/portal/api/buyer/claims/${id}`,
    ]) {
      expect([path, (await harbor.get(path)).status]).toEqual([path, 404]);
    }
    const [foreign, unknown] = await Promise.all(
      [claimId, random].map((one) => harbor.get(`/portal/api/buyer/claims/${one}`)),
    );
    expect({ ...foreign?.json, requestId: '' }).toEqual({ ...unknown?.json, requestId: '' });
    expect((await fetch(`${home.market.url}/portal/api/buyer/claims`)).status).toBe(401);
  });
});

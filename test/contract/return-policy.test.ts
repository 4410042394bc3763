// Tests GET /api/v1/buyer/return-policy (contract 6.7).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../support/scope-app.ts';
import { type ClaimMarket, claimYaml, NOW, POLICY, startClaimMarket, outcomeText } from '../claims/claim-market.ts';

let home: ClaimMarket;

beforeAll(async () => {
  home = await startClaimMarket();
});
afterAll(() => home.close());
afterEach(() => home.clock.set(NOW));

describe('The return policy', () => {
  it('has exactly the members of the contract', async () => {
    const { status, json } = await home.ask('summit', POLICY);
    const resetsAt = '2026-12-01T08:00:00.000Z';
    expect([status, Object.keys(json)]).toEqual([
      200,
      [
        'windowBusinessDays',
        'timeZone',
        'holidays',
        'monthlyCaps',
        'previousMonth',
        'reasons',
        'notReturnable',
        'disputes',
      ],
    ]);
    expect(json).toEqual({
      windowBusinessDays: 5,
      timeZone: 'America/Los_Angeles',
      holidays: [
        ...'2026-01-01 2026-01-19 2026-02-16 2026-05-25 2026-06-19 2026-07-03 2026-09-07 2026-10-12 2026-11-11'.split(
          ' ',
        ),
        ...'2026-11-26 2026-12-24 2026-12-25 2027-01-01 2027-01-18 2027-02-15 2027-05-31 2027-06-18'.split(' '),
        ...'2027-07-05 2027-09-06 2027-10-11 2027-11-11 2027-11-25 2027-12-24 2027-12-31'.split(' '),
      ],
      monthlyCaps: {
        leads: { limit: 100_000, used: 0, remaining: 100_000, resetsAt },
        bookings: { limit: 100_000, used: 0, remaining: 100_000, resetsAt },
      },
      previousMonth: null,
      reasons: {
        lead: [
          { code: 'invalid_phone', meaning: 'Disconnected or invalid phone', proofRequired: false },
          { code: 'bounced_email', meaning: 'Bounced or invalid email', proofRequired: false },
          { code: 'out_of_geo', meaning: 'Outside agreed geography', proofRequired: false },
          { code: 'out_of_filter', meaning: 'Outside agreed filter criteria', proofRequired: false },
          { code: 'duplicate', meaning: 'Duplicate within the dedup window', proofRequired: false },
          { code: 'bot', meaning: 'Bot, non-human or inflated submission', proofRequired: false },
        ],
        booking: [
          { code: 'no_show', meaning: 'Verified no-show; proof required', proofRequired: true },
          { code: 'filter_mismatch', meaning: 'Explicit filter mismatch; proof required', proofRequired: true },
        ],
      },
      notReturnable: ['no-response', 'not-interested', 'no-budget', 'gatekeeper', 'late-follow-up'],
      disputes: { windowDays: 30 },
    });
  });

  it('is the partner’s own, with defaults for missing settings', async () => {
    const [share, none] = [await home.ask('share', POLICY), await home.ask('none', POLICY)];
    expect(share.json).toMatchObject({
      windowBusinessDays: 5,
      disputes: { windowDays: 30 },
      monthlyCaps: { leads: { limit: 3 }, bookings: { limit: 3 } },
    });
    expect(none.json).toMatchObject({
      windowBusinessDays: 0,
      disputes: { windowDays: 1 },
      monthlyCaps: { leads: { limit: 0, used: 0, remaining: 0 }, bookings: { limit: 3 } },
    });
    expect(outcomeText(await home.ask('frozen', POLICY))).toBe('403 partner_suspended');
  });

  it.each([
    ['2027-01-01T07:59:59.999Z', '2026-01-01', '2027-12-31', '2027-01-01T08:00:00.000Z'],
    ['2027-01-01T08:00:00.000Z', '2027-01-01', '2028-12-25', '2027-02-01T08:00:00.000Z'],
    ['2026-03-31T20:00:00.000Z', '2026-01-01', '2027-12-31', '2026-04-01T07:00:00.000Z'],
  ])('at %s is that of the year and month in the partner’s zone', async (now, first, last, resetsAt) => {
    home.clock.set(now);
    const { holidays, monthlyCaps } = (await home.ask('summit', POLICY)).json;
    expect([holidays[0], holidays.at(-1), monthlyCaps.leads.resetsAt]).toEqual([first, last, resetsAt]);
  });

  describe('includes the caps of the previous month', () => {
    const previousMonth = async (partner: string, now: string): Promise<Json> => {
      home.clock.set(now);
      return (await home.ask(partner, POLICY)).json.previousMonth;
    };

    // The last of October is a Saturday, so its fifth business day is the 6th; in Los Angeles the 7th begins at 8:00.
    it('until the last second in which a delivery of its last day can be returned', async () => {
      const caps = { month: '2026-10', leads: { limit: 100_000, used: 0, remaining: 100_000 } };
      expect(await previousMonth('summit', '2026-11-01T07:00:00.000Z')).toMatchObject(caps);
      expect(await previousMonth('summit', '2026-11-07T07:59:59.999Z')).toEqual({
        ...caps,
        bookings: { limit: 100_000, used: 0, remaining: 100_000 },
      });
      expect(await previousMonth('summit', '2026-11-07T08:00:00.000Z')).toBeNull();
      // Still October in that zone.
      expect(await previousMonth('summit', '2026-11-01T06:59:59.999Z')).toBeNull();
      expect(await previousMonth('none', '2026-11-01T07:00:00.000Z')).toBeNull();
    });

    it('longer while a delivery of that month that was confirmed late can be returned', async () => {
      const at = new Date('2026-05-29T18:00:00.000Z');
      const confirmedAt = new Date('2026-06-10T18:00:00.000Z');
      const [late = '', other = ''] = await home.plant('tight', [
        { at, confirmedAt },
        { at, confirmedAt: at },
      ]);
      await home.plant('tight', [{ at: confirmedAt }, { at: new Date('2026-04-30T18:00:00.000Z'), confirmedAt }]);
      // The window of May's last day is long over, the one of the late delivery ends with the 17th.
      const unused = { month: '2026-05', leads: { limit: 2, used: 0, remaining: 2 } };
      expect(await previousMonth('tight', '2026-06-18T06:59:59.999Z')).toMatchObject(unused);
      expect(outcomeText(await home.file('tight', 'return', { deliveryId: other, reason: 'bot' }))).toBe(
        '422 return_window_closed',
      );
      expect(outcomeText(await home.file('tight', 'return', { deliveryId: late, reason: 'bot' }))).toBe('201');
      const { monthlyCaps } = (await home.ask('tight', POLICY)).json;
      expect(monthlyCaps.leads).toMatchObject({ used: 0, remaining: 2 });
      expect(await previousMonth('tight', '2026-06-18T06:59:59.999Z')).toEqual({
        month: '2026-05',
        leads: { limit: 2, used: 1, remaining: 1 },
        bookings: { limit: 1, used: 0, remaining: 1 },
      });
      expect(await previousMonth('tight', '2026-06-18T07:00:00.000Z')).toBeNull();
      expect(await previousMonth('harbor', '2026-06-17T18:00:00.000Z')).toBeNull();
    });

    it('as a percentage of its own deliveries', async () => {
      const at = new Date('2026-03-31T18:00:00.000Z');
      await home.plant(
        'share',
        Array.from({ length: 40 }, () => ({ at })),
      );
      const { leads, bookings } = await previousMonth('share', '2026-04-01T18:00:00.000Z');
      expect([leads, bookings]).toEqual([
        { limit: 4, used: 0, remaining: 4 },
        { limit: 3, used: 0, remaining: 3 },
      ]);
      expect((await home.ask('share', POLICY)).json.monthlyCaps.leads.limit).toBe(3);
    });
  });

  it('follows a change of the configuration', async () => {
    const limit = async () => (await home.ask('harbor', POLICY)).json.monthlyCaps.leads.limit;
    expect(await limit()).toBe(100_000);
    await home.market.apply(
      claimYaml.replace(
        'leads: 100000, bookings: 100000 } } }\n  - { key: tight',
        'leads: 7, bookings: 100000 } } }\n  - { key: tight',
      ),
    );
    expect(await limit()).toBe(7);
  });
});

describe('The return policy is cached', () => {
  const get = (tag?: string) =>
    home.ask('tight', POLICY, tag === undefined ? {} : { headers: { 'if-none-match': tag } });

  it('until something in it changes', async () => {
    const first = await get();
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]+"$/);
    expect([first.headers.get('cache-control'), first.headers.get('vary')]).toEqual([
      'private, no-cache',
      'authorization',
    ]);
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const same = await get(known);
      expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', tag]);
    }
    const [deliveryId = ''] = await home.plant('tight', [{}]);
    await home.file('tight', 'return', { deliveryId, reason: 'bot' });
    const changed = await get(tag);
    expect([changed.status, changed.json.monthlyCaps.leads]).toEqual([
      200,
      { limit: 2, used: 1, remaining: 1, resetsAt: '2026-12-01T08:00:00.000Z' },
    ]);
    expect(changed.headers.get('etag')).not.toBe(tag);
  });

  it('but not as an error', async () => {
    const response = await home.ask('frozen', POLICY);
    expect([response.headers.get('cache-control'), response.headers.get('etag')]).toEqual(['no-store', null]);
  });
});

// GET /api/v1/buyer/return-policy (contract 6.7).
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { type ClaimMarket, claimYaml, NOW, POLICY, startClaimMarket, told } from '../claims/claim-market.ts';

let home: ClaimMarket;

beforeAll(async () => {
  home = await startClaimMarket();
});
afterAll(() => home.close());
afterEach(() => home.clock.set(NOW));

describe('The return policy', () => {
  test('has exactly the members of the contract', async () => {
    const { status, json } = await home.ask('summit', POLICY);
    const resetsAt = '2026-12-01T08:00:00.000Z';
    expect([status, Object.keys(json)]).toEqual([
      200,
      ['windowBusinessDays', 'timeZone', 'holidays', 'monthlyCaps', 'reasons', 'notReturnable', 'disputes'],
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

  test('is the partner’s own, with the defaults where it has none', async () => {
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
    expect(told(await home.ask('frozen', POLICY))).toBe('403 partner_suspended');
  });

  test.each([
    ['2027-01-01T07:59:59.999Z', '2026-01-01', '2027-12-31', '2027-01-01T08:00:00.000Z'],
    ['2027-01-01T08:00:00.000Z', '2027-01-01', '2028-12-25', '2027-02-01T08:00:00.000Z'],
    ['2026-03-31T20:00:00.000Z', '2026-01-01', '2027-12-31', '2026-04-01T07:00:00.000Z'],
  ])('at %s is of the year and month that it is there', async (now, first, last, resetsAt) => {
    home.clock.set(now);
    const { holidays, monthlyCaps } = (await home.ask('summit', POLICY)).json;
    expect([holidays[0], holidays.at(-1), monthlyCaps.leads.resetsAt]).toEqual([first, last, resetsAt]);
  });

  test('follows a change of the configuration', async () => {
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

  test('until something in it changes', async () => {
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

  test('and a refusal is not', async () => {
    const answer = await home.ask('frozen', POLICY);
    expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual(['no-store', null]);
  });
});

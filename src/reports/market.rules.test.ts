import { describe, expect, it } from 'vitest';

import { type Flow, type Market, marketProblems } from './market.rules.ts';

const well: Market = {
  currency: 'USD',
  noTarget: [],
  leftOut: [],
  outOfFunds: [],
  lowFunds: [],
  fundsPaused: [],
  ownPaused: [],
  full: [],
  latest: { decided: 100, unsold: { no_match: { leads: 10, cents: 0 } } },
  failed: { deliveries: 0, cents: 0, days: 7 },
  unpriced: [],
  claims: { due: 0, overdue: 0, cents: 0, withinHours: 24 },
  leadsAnHour: 40,
  spentADay: new Map([
    ['summit', 12_000],
    ['harbor', 30_000],
  ]),
};
const lastLeadAt = new Date('2026-11-20T12:00:00Z');
const flowing: Flow = { decidedToday: 1000, minutesSinceLead: 1, lastLeadAt };
const summit = { partner: 'summit', name: 'Summit', offers: 3 };

describe('A problem that costs sales', () => {
  it('does not exist while partners can receive and leads are sold', () => {
    expect(marketProblems(well, flowing)).toEqual([]);
    expect(
      marketProblems({ ...well, leadsAnHour: 0 }, { decidedToday: 0, minutesSinceLead: null, lastLeadAt: null }),
    ).toEqual([]);
  });

  it.each<{ says: string; market?: Partial<Market>; flow?: Partial<Flow>; found: string }>([
    {
      says: 'a partner without an address',
      market: { noTarget: [summit] },
      found: 'high partner_unreachable summit 12000: Summit has no place to deliver: 3 active offers receive nothing.',
    },
    {
      says: 'a partner out of funds',
      market: { outOfFunds: [{ ...summit, offers: 1, availableCents: 600, priceCents: 4500 }] },
      found:
        'high out_of_funds summit 12000: Summit is out of funds: $6.00 available, price $45.00. 1 active offer receives nothing.',
    },
    {
      says: 'a partner nearly out of funds',
      market: { lowFunds: [{ ...summit, availableCents: 12_000, leads: 2 }] },
      found: 'low low_funds summit 12000: Summit will soon be out of funds: $120.00 left, enough for 2 leads.',
    },
    {
      says: 'a partner paused for low funds',
      market: { fundsPaused: [{ ...summit, belowCents: 10_000, since: lastLeadAt }] },
      found:
        'high funds_paused summit 12000: Summit is paused, because its available funds are below $100.00: 3 active offers receive nothing.',
    },
    {
      says: 'full caps',
      market: { full: [{ ...summit, offers: 1, of: 3 }] },
      found: 'low caps_full summit null: Summit: 1 of 3 active offers has a full cap or a used budget.',
    },
    {
      says: 'most leads unsold, with what the stopped offers would have paid',
      market: {
        latest: {
          decided: 200,
          unsold: {
            caps: { leads: 50, cents: 100_000 },
            funds: { leads: 90, cents: 405_000 },
            no_match: { leads: 10, cents: 0 },
            duplicates: { leads: 5, cents: 0 },
          },
        },
      },
      found:
        'high leads_unsold null 2525000: No buyer for 150 of the latest 200 leads (75%): 90 because buyers were out of funds ($4,050.00), 50 because caps or budgets were full ($1,000.00), 10 because no offer matched. About $25,250.00 of sales lost today.',
    },
    {
      says: 'many leads unsold',
      market: { latest: { decided: 100, unsold: { no_match: { leads: 25, cents: 0 } } } },
      found: 'low leads_unsold null 0: No buyer for 25 of the latest 100 leads (25%): 25 because no offer matched.',
    },
    {
      says: 'hours without a lead where there are many',
      flow: { minutesSinceLead: 12 * 60 + 5 },
      found: 'high no_leads null 42000: No leads for 12 hours; about 40 an hour is usual.',
    },
    {
      says: 'failed deliveries on the books',
      market: { failed: { deliveries: 3, cents: 7000, days: 7 } },
      found:
        'low deliveries_failed null 1000: 3 deliveries of the last 7 days, worth $70.00, failed for good and were not charged.',
    },
    {
      says: 'leads that were taken without a price that counts',
      market: { unpriced: [{ partner: 'summit', name: 'Summit', deliveries: 2, cents: 9000 }] },
      found:
        'high prices_unread summit 9000: Summit took 2 leads at a price that cannot be read or is out of bounds: up to $90.00 is not charged.',
    },
    {
      says: 'claims that must be decided soon',
      market: { claims: { due: 3, overdue: 1, cents: 13_500, withinHours: 24 } },
      found:
        'high claims_due null 13500: 3 claims about $135.00 must be decided within 24 hours. 1 of them is overdue.',
    },
  ])('is $says', ({ market = {}, flow = {}, found }) => {
    const problems = marketProblems({ ...well, ...market }, { ...flowing, ...flow });
    expect(
      problems.map(({ severity, kind, partner, cents, text }) => `${severity} ${kind} ${partner} ${cents}: ${text}`),
    ).toEqual([found]);
    expect(problems[0]?.remedy).toMatch(/^[A-Z].+\.$/);
  });

  it.each<readonly [string, Partial<Market>, Partial<Flow>]>([
    ['a few decisions without a buyer', { latest: { decided: 19, unsold: { no_match: { leads: 19, cents: 0 } } } }, {}],
    [
      'leads that the buyers have already',
      { latest: { decided: 100, unsold: { duplicates: { leads: 90, cents: 0 } } } },
      {},
    ],
    ['an hour without a lead', {}, { minutesSinceLead: 60 }],
  ])('is not %s', (_, market, flow) => {
    expect(marketProblems({ ...well, ...market }, { ...flowing, ...flow })).toEqual([]);
  });

  it('is not reported for a quiet night if leads are few', () => {
    expect(marketProblems({ ...well, leadsAnHour: 0.5 }, { ...flowing, minutesSinceLead: 600 })).toEqual([]);
  });

  it('names twenty partners, those that spend the most first, and counts the rest', () => {
    const many = Array.from({ length: 23 }, (_, index) => ({ partner: `p${index}`, name: `P${index}`, offers: 2 }));
    const spentADay = new Map([['p22', 500]]);
    const problems = marketProblems({ ...well, spentADay, noTarget: many }, flowing);
    expect(problems).toHaveLength(21);
    expect(problems.slice(0, 2).map(({ partner, cents }) => [partner, cents])).toEqual([
      ['p22', 500],
      ['p0', 0],
    ]);
    expect(problems.at(-1)?.text).toBe('3 more partners have no place to deliver: 6 active offers receive nothing.');
  });
});

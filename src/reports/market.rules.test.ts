import { describe, expect, it } from 'vitest';

import { type Flow, type Market, marketProblems, countReasons } from './market.rules.ts';

const well: Market = {
  currency: 'USD',
  noTarget: [],
  outOfFunds: [],
  lowFunds: [],
  full: { offers: 0, of: 3 },
  unsold: {},
  failed: { deliveries: 0, days: 7 },
  leadsAnHour: 40,
};
const flowing: Flow = { decided: 100, noBuyer: 10, minutesSinceLead: 1 };
const summit = { partner: 'summit', name: 'Summit', offers: 3 };

describe('A problem that costs sales', () => {
  it('does not exist while partners can receive and leads are sold', () => {
    expect(marketProblems(well, flowing)).toEqual([]);
    expect(marketProblems({ ...well, leadsAnHour: 0 }, { decided: 0, noBuyer: 0, minutesSinceLead: null })).toEqual([]);
  });

  it.each<{ says: string; market?: Partial<Market>; flow?: Partial<Flow>; found: string }>([
    {
      says: 'a partner without an address',
      market: { noTarget: [summit] },
      found: 'high partner_unreachable summit: Summit has no place to deliver: 3 active offers receive nothing.',
    },
    {
      says: 'a partner out of funds',
      market: { outOfFunds: [{ ...summit, offers: 1, availableCents: 600, priceCents: 4500 }] },
      found:
        'high out_of_funds summit: Summit is out of funds: $6.00 available, price $45.00. 1 active offer receives nothing.',
    },
    {
      says: 'a partner nearly out of funds',
      market: { lowFunds: [{ ...summit, availableCents: 12_000, leads: 2 }] },
      found: 'low low_funds summit: Summit will soon be out of funds: $120.00 left, enough for 2 leads.',
    },
    {
      says: 'full caps',
      market: { full: { offers: 1, of: 3 } },
      found: 'low caps_full null: 1 of 3 active offers has a full cap or a used budget.',
    },
    {
      says: 'most leads unsold',
      market: { unsold: { caps: 70, funds: 120, no_match: 10 } },
      flow: { decided: 613, noBuyer: 460 },
      found:
        'high leads_unsold null: No buyer for 460 of 613 leads decided today (75%). Of the latest 200: 120 buyers out of funds, 70 caps or budgets full, 10 no offer matches.',
    },
    {
      says: 'many leads unsold',
      flow: { decided: 100, noBuyer: 25 },
      found: 'low leads_unsold null: No buyer for 25 of 100 leads decided today (25%).',
    },
    {
      says: 'hours without a lead where there are many',
      flow: { minutesSinceLead: 12 * 60 + 5 },
      found: 'high no_leads null: No lead for 12 hours; about 40 an hour are usual.',
    },
    {
      says: 'failed deliveries on the books',
      market: { failed: { deliveries: 3, days: 7 } },
      found: 'low deliveries_failed null: 3 deliveries of the last 7 days failed for good and were not charged.',
    },
  ])('is $says', ({ market = {}, flow = {}, found }) => {
    const problems = marketProblems({ ...well, ...market }, { ...flowing, ...flow });
    expect(problems.map(({ severity, kind, partner, text }) => `${severity} ${kind} ${partner}: ${text}`)).toEqual([
      found,
    ]);
    expect(problems[0]?.remedy).toMatch(/^[A-Z].+\.$/);
  });

  it.each<readonly [string, Partial<Flow>]>([
    ['few leads of a day that has just begun', { decided: 19, noBuyer: 19 }],
    ['an hour without a lead', { minutesSinceLead: 60 }],
  ])('is not %s', (_, flow) => {
    expect(marketProblems(well, { ...flowing, ...flow })).toEqual([]);
  });

  it('is not reported for a quiet night if leads are few', () => {
    expect(marketProblems({ ...well, leadsAnHour: 0.5 }, { ...flowing, minutesSinceLead: 600 })).toEqual([]);
  });

  it('names five partners, and counts the rest', () => {
    const many = Array.from({ length: 8 }, (_, index) => ({ partner: `p${index}`, name: `P${index}`, offers: 2 }));
    const problems = marketProblems({ ...well, noTarget: many }, flowing);
    expect(problems.map(({ partner }) => partner)).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', null]);
    expect(problems.at(-1)?.text).toBe('3 more partners have no place to deliver: 6 active offers receive nothing.');
  });
});

describe('The reason of an unsold lead', () => {
  it('is the reason of the offer that passed most stages', () => {
    const trace = (...left: unknown[]): string => JSON.stringify({ sold: [], left });
    expect(
      countReasons([
        trace(),
        trace(['a', 'outside_schedule']),
        trace(['a', 'outside_schedule'], ['b', 'cap_reached', { window: 'daily', used: 5 }, 5]),
        trace(['a', 'budget_reached'], ['b', 'funds_missing', 600, 4500]),
        trace(['a', 'funds_missing', 0, 4500], ['b', 'outside_schedule']),
        trace(['a', 'duplicate']),
        trace(['a', 'endpoint_failing']),
      ]),
    ).toEqual({ no_match: 1, schedule: 1, caps: 1, funds: 2, duplicates: 1, endpoints: 1 });
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { anIndexed, noFilters, noLimits, theFacts } from '../../test/support/offers.ts';
import type { LeftOut } from './eligibility.rules.ts';
import { explainToPartner } from './explain-to-partner.rules.ts';
import type { IndexedOffer } from './offer-index.rules.ts';
import type { OfferFilters } from './offer.ts';
import { explain, type ExplainedOffer, type StoredTrace } from './trace.rules.ts';

const leftOut = (why: LeftOut, more: Partial<ExplainedOffer> = {}): ExplainedOffer => ({
  offerKey: 'west',
  partnerKey: 'summit',
  result: 'left_out',
  ...why,
  ...more,
});

describe('a partner sees', () => {
  const window = { window: 'daily', used: 5 };
  const cases: ReadonlyArray<readonly [LeftOut, shown: Pick<LeftOut, 'got' | 'want'>]> = [
    [
      { code: 'partner_not_active', got: 'paused', want: 'active' },
      { got: 'paused', want: 'active' },
    ],
    [
      { code: 'offer_not_active', got: 'closed', want: 'active' },
      { got: 'closed', want: 'active' },
    ],
    [{ code: 'endpoint_disabled', got: '2026-11-18T12:00:00.000Z' }, { got: '2026-11-18T12:00:00.000Z' }],
    [
      { code: 'channel_not_ready', got: 'webhookUrl', want: 'a URL' },
      { got: 'webhookUrl', want: 'a URL' },
    ],
    [
      { code: 'state_not_wanted', got: null, want: ['CA'] },
      { got: null, want: ['CA'] },
    ],
    [
      { code: 'state_excluded', got: 'NY', want: ['NY'] },
      { got: 'NY', want: ['NY'] },
    ],
    [
      { code: 'debt_amount_too_low', got: 100, want: 200 },
      { got: 100, want: 200 },
    ],
    [{ code: 'score_too_low', got: 41, want: 60 }, { want: 60 }],
    [{ code: 'supplier_not_wanted', got: 'acme', want: ['bolt'] }, {}],
    [{ code: 'supplier_excluded', got: 'acme', want: ['acme'] }, {}],
    [{ code: 'source_not_wanted', got: 'acme-search', want: ['social'] }, { want: ['social'] }],
    [{ code: 'source_excluded', got: 'acme-search', want: ['acme-search'] }, {}],
    [
      { code: 'email_missing', got: false, want: true },
      { got: false, want: true },
    ],
    [{ code: 'suppressed', got: { list: 'dnc', of: null } }, {}],
    [{ code: 'on_exclusion_list', got: { list: 'vip', of: null } }, {}],
    [{ code: 'on_exclusion_list', got: { list: 'own', of: 'harbor' } }, {}],
    [{ code: 'on_exclusion_list', got: { list: 'own', of: 'summit' } }, { got: { list: 'own', of: 'summit' } }],
    [{ code: 'duplicate', got: { list: 'history', of: null } }, {}],
    [{ code: 'no_slot' }, {}],
    [
      { code: 'outside_schedule', got: 'sat 21:15', want: null },
      { got: 'sat 21:15', want: null },
    ],
    [
      { code: 'cap_reached', got: window, want: 5 },
      { got: window, want: 5 },
    ],
    [
      { code: 'over_pace', got: 3, want: 3 },
      { got: 3, want: 3 },
    ],
    [
      { code: 'funds_missing', got: 0, want: 4500 },
      { got: 0, want: 4500 },
    ],
    [{ code: 'duplicate', got: 'exclusive sale' }, {}],
    [{ code: 'had_it_before' }, {}],
    [
      { code: 'better_offer_of_partner', got: { payoutCents: 1 }, want: { offers: ['best'], payoutCents: 2 } },
      { got: { payoutCents: 1 }, want: { offers: ['best'], payoutCents: 2 } },
    ],
    [
      { code: 'outranked', got: { payoutCents: 1 }, want: { offers: ['rival'], payoutCents: 2 } },
      { got: { payoutCents: 1 } },
    ],
  ];
  it.each(cases.map(([why, shown]) => ({ code: why.code, why, shown })))(
    'only its own values of $code',
    ({ code, why, shown }) => {
      expect(explainToPartner([leftOut(why)], 'summit')).toEqual([
        { offerKey: 'west', result: 'left_out', code, ...shown },
      ]);
    },
  );

  it('its own offers only, and none if it has none', () => {
    const offers: ExplainedOffer[] = [
      { offerKey: 'rival', partnerKey: 'harbor', result: 'sold', code: 'sold' },
      leftOut({ code: 'no_slot' }, { offerKey: 'b' }),
      leftOut({ code: 'no_slot' }, { offerKey: 'c', partnerKey: 'harbor' }),
      leftOut({ code: 'no_slot' }, { offerKey: 'a' }),
    ];
    expect(explainToPartner(offers, 'summit').map(({ offerKey }) => offerKey)).toEqual(['b', 'a']);
    expect(explainToPartner(offers, 'harbor')[0]).toEqual({ offerKey: 'rival', result: 'sold', code: 'sold' });
    expect(explainToPartner(offers, 'keystone')).toEqual([]);
  });
});

describe('in any market', () => {
  const partners = ['ashton', 'briggs', 'corwin'];
  const suppliers = ['umber-leads', 'violet-leads', 'walnut-leads'];
  const SCORE = 7_654_321;
  const filters: fc.Arbitrary<Partial<OfferFilters>> = fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.record({ suppliers: fc.subarray(suppliers), suppliersNot: fc.subarray(suppliers) }),
    fc.record({ sources: fc.subarray(['umber-search']), sourcesNot: fc.subarray(['umber-search']) }),
    fc.constantFrom({ states: ['NY'] }, { minScore: SCORE + 1 }, { requireEmail: true }),
  );
  const someOffer = fc.record({
    partner: fc.nat({ max: partners.length - 1 }),
    priority: fc.integer({ min: 1, max: 2 }),
    sharedWith: fc.option(fc.integer({ min: 2, max: 3 }), { nil: null }),
    filters,
    // What the moment did: nothing, a sale, or a reason of the moment.
    moment: fc.constantFrom(null, 'sold', 'cap_reached', 'funds_missing', 'duplicate', 'better_offer_of_partner'),
  });
  const markets = fc.array(someOffer, { minLength: 1, maxLength: 8 });

  it('no partner sees a name, price or number of another partner, or the supplier of the lead', () => {
    fc.assert(
      fc.property(markets, fc.constantFrom(...suppliers), (market, supplierKey) => {
        // Payouts that stand nowhere else in any text, so that one that is told is found.
        const offers = market.map(({ partner, sharedWith, ...more }, index): IndexedOffer => {
          const buyerKey = partners[partner] ?? '';
          return anIndexed({
            offerKey: `${buyerKey}-${index}`,
            buyerKey,
            payoutCents: 9_000_000 + (partner + 1) * 100_000 + index,
            sale: sharedWith === null ? { kind: 'exclusive' } : { kind: 'shared', buyersAtMost: sharedWith },
            priority: more.priority,
            caps: { ...noLimits, daily: 1 },
            filters: { ...noFilters, ...more.filters },
          });
        });
        const explained = explain(traceOf(offers, market), {
          facts: theFacts({ supplierKey, source: 'umber-search', score: SCORE, hasEmail: false }),
          offers,
          decidedAt: new Date('2026-11-18T18:00:00Z'),
        });
        for (const [number, partnerKey] of partners.entries()) {
          const visible = explainToPartner(explained, partnerKey);
          expect(visible).toHaveLength(market.filter(({ partner }) => partner === number).length);
          const text = JSON.stringify(visible);
          for (const other of [...partners.filter((key) => key !== partnerKey), ...suppliers, `${SCORE},`]) {
            expect(text).not.toContain(other);
          }
          // Sums of several payouts are larger still.
          const amounts = Array.from(text.matchAll(/\d{7,}/g), ([amount]) => Number(amount)).filter(
            (n) => n > 9_000_000,
          );
          const own = offers.filter(({ buyer }) => buyer.buyerKey === partnerKey).map((one) => one.offer.payoutCents);
          expect(amounts.filter((amount) => !own.includes(amount))).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  function traceOf(
    offers: readonly IndexedOffer[],
    market: ReadonlyArray<{ readonly moment: string | null }>,
  ): StoredTrace {
    const at = (moment: string): IndexedOffer[] => offers.filter((_, index) => market[index]?.moment === moment);
    return {
      sold: at('sold').map(({ offer: { offerKey, payoutCents } }) => ({ offer: offerKey, delivery: 'd', payoutCents })),
      left: [
        ...at('cap_reached').map(({ offer: { offerKey } }) => [offerKey, 'cap_reached', { used: 1 }, 1] as const),
        ...at('funds_missing').map(({ offer }) => [offer.offerKey, 'funds_missing', 0, offer.payoutCents] as const),
        ...at('duplicate').map(({ offer: { offerKey } }) => [offerKey, 'duplicate', 'exclusive sale'] as const),
        ...at('better_offer_of_partner').map(
          ({ offer: { offerKey } }) => [offerKey, 'better_offer_of_partner'] as const,
        ),
      ],
    };
  }
});

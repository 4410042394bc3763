// No value of one partner, supplier or offer stops another: each fails when it is used, and the leads of others are sold all the same
// (contract 4.3).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { LeadId } from '../../src/base/ids.ts';
import { readBuyers } from '../../src/buyers/read-buyers.ts';
import { createWakeups } from '../../src/platform/queue/wakeups.ts';
import { cachedSpans } from '../../src/routing/availability.rules.ts';
import { cachedLocalDays } from '../../src/routing/local-day.rules.ts';
import { createMarketReader, type CurrentMarket, type MarketReader } from '../../src/routing/market-reader.ts';
import { makeOfferIndex } from '../../src/routing/offer-index.rules.ts';
import { startRouter } from '../../src/routing/route-leads.job.ts';
import { readOffers } from '../../src/routing/stored-offers.ts';
import { traceLead } from '../../src/routing/trace-lead.ts';
import { leadBody } from '../support/leads.ts';
import { handClock } from '../support/hand-clock.ts';
import { select } from '../support/ledger-faults.ts';
import { storeMarket, type StoredMarket } from '../support/stored-market.ts';
import { pathsOf, throwingAt } from '../support/throwing.ts';

// A Wednesday. "loud" pays more than "calm", so that it is always tried first, and has a value wherever there can be one.
const clock = handClock('2026-11-25T13:00:00.000Z');
const HOURS = '{ days: [mon, tue, wed, thu, fri], from: "06:00", to: "20:00" }';
const yaml = (strategy: string, ofCalls = 49): string => `
marketplace: { strategy: ${strategy}, dedupDays: 30, holdMinutes: 60 }
suppliers:
  - key: acme
    status: approved
    pay: { model: fixed, amount: 5, rules: [{ when: { states: [CA], sources: [search-debt-west], eventTypes: [Lead Sale], minScore: 1 }, amount: 6 }] }
    callback: { url: "https://acme.example/calls", events: [lead.routed] }
partners:
  - key: loud
    timeZone: America/New_York
    channels: [email]
    settings: { notificationEmail: leads@loud.example }
    billing: { mode: postpaid, creditLimit: 9000000 }
    returnPolicy: { windowBusinessDays: 3, holidays: [2026-12-24] }
    offers:
      - key: loud-sale
        eventType: Lead Sale
        payout: 50
        schedule: [${HOURS}]
        caps: { daily: 50000, weekly: 100000, monthly: 200000 }
        budget: { daily: 5000000, monthly: 9000000 }
        pacing: even
        filters: { states: [CA], statesNot: [TX], debtAmount: { min: 1000, max: 900000 }, minScore: 1, sourcesNot: [junk], requireConsent: true }
      - key: loud-call
        eventType: Calendar Assigned
        payout: ${ofCalls}
        booking: { availability: ${HOURS}, slotMinutes: 30, capacity: 90, noticeMinutes: 60, horizonDays: 5 }
      - { key: loud-shared, eventType: Lead Sale, payout: 48, sale: { sharedWith: 2 }, weight: 3 }
  - { key: calm, timeZone: UTC, offers: [{ key: calm-sale, eventType: Lead Sale, payout: 10 }] }
`;

let market: StoredMarket;
let posted = 0;
const faults: unknown[] = [];

beforeAll(async () => {
  market = await storeMarket({ yaml: yaml('price'), clock });
});
afterAll(() => market.close());

type Edit = (real: CurrentMarket, tx: Parameters<MarketReader['current']>[0]) => Promise<CurrentMarket>;

/** Routes one batch with the market as edited, as a worker does. */
async function route(edit: Edit): Promise<void> {
  const { database } = market;
  const reader = createMarketReader();
  const onFault = (error: unknown): void => void faults.push(error);
  await startRouter({
    ...{ database, clock, onFault, wakeups: createWakeups({ database, acrossProcesses: false, onFault }) },
    market: { current: async (tx) => edit(await reader.current(tx), tx) },
    onRouted: () => undefined,
    isIngesting: () => false,
  }).stop();
}

const submit = async (): Promise<LeadId> => {
  const [leadId] = await market.submit([leadBody(++posted)]);
  if (leadId === undefined) throw new Error('no lead was stored');
  return leadId;
};
const buyersOf = (leadId: LeadId) =>
  select(market.database, `SELECT buyer_key AS buyer, offer_key AS offer FROM delivery WHERE lead_id = $1`, [leadId]);

const faultyOffer =
  (offerKey: string, path: readonly string[], of: 'offer' | 'buyer'): Edit =>
  async (real, tx) => {
    const offers = (await readOffers(tx)).map((offer) =>
      of === 'offer' && offer.offerKey === offerKey ? throwingAt(offer, path) : offer,
    );
    const buyers = new Map(
      [...(await readBuyers(tx))].map(([key, buyer]) => [
        key,
        of === 'buyer' && key === 'loud' ? throwingAt(buyer, path) : buyer,
      ]),
    );
    return {
      ...real,
      offerIndex: makeOfferIndex(real.stored.version, offers, buyers),
      calendar: { spanOf: cachedSpans(), dayOf: cachedLocalDays() },
    };
  };

/** How many of the values left the offer or all offers of the partner out; those that routing does not read leave it as it is. */
async function tryAll(offerKey: string, of: 'offer' | 'buyer'): Promise<{ values: number; leftOut: number }> {
  const [offers, buyers] = await market.database.tx(
    async (tx) => [await readOffers(tx), await readBuyers(tx)] as const,
  );
  const subject = of === 'offer' ? offers.find((offer) => offer.offerKey === offerKey) : buyers.get('loud');
  const paths = pathsOf(subject);
  let leftOut = 0;
  for (const path of paths) {
    const leadId = await submit();
    await route(faultyOffer(offerKey, path, of));
    const sold = await buyersOf(leadId);
    expect(sold.length, `${path.join('.')} stopped a lead: ${String(faults.at(-1))}`).toBeGreaterThan(0);
    if (!sold.some(({ offer }) => offer === offerKey)) leftOut += 1;
  }
  return { values: paths.length, leftOut };
}

describe('A value that cannot be used', () => {
  it.each(['price', 'weighted', 'round_robin'])('of an offer leaves out this offer alone, by %s', async (strategy) => {
    await market.apply(yaml(strategy));
    const { values, leftOut } = await tryAll('loud-sale', 'offer');
    expect(values).toBeGreaterThan(40);
    expect(leftOut).toBeGreaterThan(20);
  });

  it('of an offer that books appointments leaves it out', async () => {
    await market.apply(yaml('price', 99));
    const { values, leftOut } = await tryAll('loud-call', 'offer');
    expect(leftOut).toBeGreaterThan(20);
    expect(leftOut).toBeLessThan(values);
  });

  it('of a partner leaves out its offers', async () => {
    await market.apply(yaml('price'));
    const { values, leftOut } = await tryAll('loud-sale', 'buyer');
    expect(values).toBeGreaterThan(30);
    expect(leftOut).toBeGreaterThan(8);
  });

  it('is said in the decision and in one notice to the operators, and logged once', async () => {
    await select(market.database, 'DELETE FROM notice');
    faults.length = 0;
    const edit: Edit = (real, tx) =>
      faultyOffer('loud-sale', ['returnPolicy', 'windowBusinessDays'], 'buyer')(real, tx);
    const leadIds = [await submit(), await submit()];
    await route(edit);
    for (const leadId of leadIds) {
      const trace = await market.database.tx((tx) => traceLead(tx, leadId));
      const codes = new Map(trace?.decision?.offers.map(({ offerKey, code, got }) => [offerKey, { code, got }]));
      expect(codes.get('loud-sale')).toEqual({ code: 'rule_failed', got: 'UnusableValueError' });
      expect(codes.get('calm-sale')).toEqual({ code: 'sold', got: undefined });
    }
    expect(
      await select(market.database, `SELECT kind, recipient_kind, data FROM notice ORDER BY data->>'key'`),
    ).toEqual(
      ['loud-call', 'loud-sale', 'loud-shared'].map((key) => ({
        kind: 'account.left_out',
        recipient_kind: 'operator',
        data: { account: 'offer', key, partner: 'loud', work: 'routing', error: 'UnusableValueError' },
      })),
    );
    expect(faults.map(String)).toEqual([expect.stringContaining('left out: offer loud-')]);
  });
});

describe('A value of a supplier that cannot be used', () => {
  it('sets its own leads aside, and those of others are sold in the same round', async () => {
    await select(
      market.database,
      `INSERT INTO supplier SELECT (jsonb_populate_record(s, '{"supplier_key": "dusk"}')).* FROM supplier s WHERE supplier_key = 'acme'`,
    );
    const dusk = async (): Promise<LeadId> => {
      const leadId = await submit();
      await select(market.database, `UPDATE lead SET supplier_key = 'dusk' WHERE lead_id = $1`, [leadId]);
      return leadId;
    };
    const [config] = await market.database.tx(async (tx) => [
      (await createMarketReader().current(tx)).suppliers.get('dusk'),
    ]);
    let setAside = 0;
    for (const path of pathsOf(config)) {
      const mine = [await dusk(), await dusk(), await dusk()];
      const other = await submit();
      const edit: Edit = (real) =>
        Promise.resolve({
          ...real,
          suppliers: new Map(
            [...real.suppliers].map(([key, one]) => [key, key === 'dusk' ? throwingAt(one, path) : one]),
          ),
        });
      await route(edit);
      await route(edit);
      expect(await buyersOf(other), `${path.join('.')} stopped the lead of another supplier`).not.toEqual([]);
      const waiting = await select(
        market.database,
        'SELECT failures FROM routing_inbox WHERE lead_id = ANY($1::uuid[])',
        [mine],
      );
      if (waiting.length > 0) expect(waiting).toEqual(mine.map(() => ({ failures: 1 })));
      setAside += Number(waiting.length > 0);
      await route((real) => Promise.resolve(real));
    }
    expect(setAside).toBeGreaterThan(5);
  });
});

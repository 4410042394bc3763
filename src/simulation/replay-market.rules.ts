// The market of a simulation, in memory: decides by the same rules as routing, on a state updated by sales, failures and postings
// (contract 4).
import { DAY_MS } from '../base/time.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { IdentityHash } from '../leads/identity.rules.ts';
import { type BatchDecision, decideBatch, type Decision, scopeOf } from '../routing/decide-batch.rules.ts';
import { type Calendar, cachedSpans, windowsOf } from '../routing/availability.rules.ts';
import type { LeadToRoute } from '../routing/lead-facts.ts';
import { cachedLocalDays } from '../routing/local-day.rules.ts';
import { makeOfferIndex, type OfferIndex } from '../routing/offer-index.rules.ts';
import { saleCost } from '../suppliers/sale-cost.rules.ts';
import type { EndpointChange, MarketStart, PastDelivery } from './past.ts';
import { createSaleMemory } from './sale-memory.rules.ts';
import type { SimulatedConfiguration } from './simulated-configuration.rules.ts';
import { counterName, createRemainingCapacity, type Sale } from './remaining-capacity.rules.ts';

export type Decided = { readonly decision: Decision; readonly sales: readonly Sale[] };

export type ReplayMarket = {
  /** Decides one lead after the other, with the endpoints enabled under this version, and takes the capacity of the sales. */
  decide(
    leads: readonly LeadToRoute[],
    at: { readonly now: number; readonly version: number; readonly failing: ReadonlyMap<string, Date> },
  ): readonly Decided[];
  /** Takes the capacity that a past delivery took. */
  takePast(delivery: PastDelivery, identities: readonly IdentityHash[]): Sale;
  /** The same for a delivery that `MarketStart` includes: adds only its identities. */
  takeStarted(delivery: PastDelivery, identities: readonly IdentityHash[]): Sale;
  giveBack(sale: Sale): void;
  /** Adds a sale from before the start that can no longer fail. */
  remember(identities: readonly IdentityHash[], scope: string, soldAt: number): void;
  post(buyerKey: string, cents: number): void;
};

export function createReplayMarket(configuration: SimulatedConfiguration, start: MarketStart): ReplayMarket {
  const { dedupDays, holdMinutes, strategy } = configuration.settings;
  const calendar = { spanOf: cachedSpans(), dayOf: cachedLocalDays() };
  const remaining = createRemainingCapacity(configuration, start);
  const saleMemory = createSaleMemory();
  const turns = new Map(start.turns.map((offerKey, index) => [offerKey, index + 1]));
  let turnsTaken = turns.size;
  const offerIndexAt = offerIndexesByVersion(configuration, start.endpoints);
  let salesMade = 0;
  const started = (delivery: PastDelivery, identities: readonly IdentityHash[]): Sale => {
    const sale = saleOf(delivery, { configuration, calendar, identities, saleId: ++salesMade });
    saleMemory.add(identities, { ...sale, soldAt: delivery.deliveredAt });
    return sale;
  };
  return {
    decide(leads, { now, version, failing }) {
      const identities = leads.flatMap((lead) => lead.identities);
      const batch = decideBatch(leads, {
        ...remaining,
        now: new Date(now),
        holdMs: holdMinutes * 60_000,
        offerIndex: offerIndexAt(version),
        calendar,
        sales: dedupDays === 0 ? new Map() : saleMemory.soldSince(identities, now - dedupDays * DAY_MS),
        blocksRepeats: dedupDays > 0,
        failing,
        strategy,
        turns,
      });
      const decided = decidedBy(batch, configuration, () => ++salesMade);
      for (const sale of decided.flatMap(({ sales }) => sales)) {
        remaining.take(sale);
        saleMemory.add(sale.identities, { ...sale, soldAt: now });
      }
      for (const offerKey of batch.turns) turns.set(offerKey, ++turnsTaken);
      return decided;
    },
    takePast(delivery, identities) {
      const sale = started(delivery, identities);
      remaining.take(sale);
      return sale;
    },
    takeStarted: started,
    giveBack(sale) {
      remaining.giveBack(sale);
      saleMemory.remove(sale.identities, sale);
    },
    remember: (identities, scope, soldAt) => saleMemory.add(identities, { scope, soldAt, saleId: 0 }),
    post: (buyerKey, cents) => remaining.post(buyerKey, cents),
  };
}

function decidedBy(
  { decisions, grants }: BatchDecision,
  { pay }: SimulatedConfiguration,
  nextId: () => number,
): Decided[] {
  const names = new Map(
    grants.map(({ offerKey, windows }) => [offerKey, windows.map((window) => counterName({ offerKey, ...window }))]),
  );
  return decisions.map((decision) => {
    const { choice, lead } = decision;
    const sales = choice.winners.map((winner): Sale => {
      const { offerKey, buyerKey, payoutCents, eventType } = winner.offer;
      const terms = pay.get(lead.facts.supplierKey);
      const cost = terms === undefined ? null : saleCost(terms, { ...lead.facts, eventType, priceCents: payoutCents });
      const counters = names.get(offerKey) ?? [];
      const appointmentAt = choice.appointments.get(offerKey) ?? null;
      const taken = { counters, appointmentAt, identities: lead.identities, scope: scopeOf(winner) };
      return { saleId: nextId(), offerKey, buyerKey, payoutCents, cost, ...taken };
    });
    return { decision, sales };
  });
}

type Circumstances = {
  readonly configuration: SimulatedConfiguration;
  readonly calendar: Calendar;
  readonly identities: readonly IdentityHash[];
  readonly saleId: number;
};

/** A past delivery as a sale in the windows that contained it. */
function saleOf(delivery: PastDelivery, { configuration, calendar, identities, saleId }: Circumstances): Sale {
  const { offerKey, buyerKey, payoutCents, appointmentAt, scope, deliveredAt } = delivery;
  const offer = configuration.offers.get(offerKey);
  const buyer = configuration.buyers.get(buyerKey);
  const isKnown = offer !== undefined && buyer !== undefined;
  const windows = isKnown ? windowsOf({ offer, buyer }, new Date(deliveredAt), calendar.spanOf) : [];
  const counters = windows.map(({ window, span }) => counterName({ offerKey, window, startsAt: span.from }));
  return { saleId, offerKey, buyerKey, payoutCents, cost: null, counters, appointmentAt, identities, scope };
}

/** The offer index with the endpoints as they were under a version; an endpoint counts as disabled only at the URL that was disabled. */
function offerIndexesByVersion(
  { offers, buyers }: SimulatedConfiguration,
  changes: readonly EndpointChange[],
): (version: number) => OfferIndex {
  let known: { readonly changed: number; readonly offerIndex: OfferIndex } | null = null;
  return (version) => {
    let changed = 0;
    while ((changes[changed]?.version ?? Infinity) <= version) changed += 1;
    if (known?.changed === changed) return known.offerIndex;
    const last = new Map(changes.slice(0, changed).map((change) => [change.buyerKey, change]));
    const asThen = [...buyers.values()].map((buyer): Buyer => {
      const change = last.get(buyer.buyerKey);
      const isOut = change?.isDisabled === true && change.webhookUrl === buyer.settings.webhookUrl;
      return { ...buyer, endpointDisabledAt: isOut ? new Date(0) : null };
    });
    const offerIndex = makeOfferIndex(
      version,
      [...offers.values()],
      new Map(asThen.map((buyer) => [buyer.buyerKey, buyer])),
    );
    known = { changed, offerIndex };
    return offerIndex;
  };
}

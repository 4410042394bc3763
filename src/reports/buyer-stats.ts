// A buyer's own statistics: deliveries by UTC days, and how its offers stand in their windows (contract 6, GET stats).
import { strict as assert } from 'node:assert';

import { wireAmount } from '../base/money.ts';
import { capWindows, type CapWindow } from '../base/time.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { counterName, readCounters } from '../caps/cap-counters.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SpanOf } from '../routing/gates.rules.ts';
import type { Offer } from '../routing/offer.ts';
import { readOffersOfBuyer } from '../routing/read-offers-of-buyer.ts';
import { buyerDays, type BuyerDays, type DayCounts, windowDays } from './buyer-days.rules.ts';
import { countsByDay } from './buyer-stats.sql.ts';
import {
  capState,
  type CapState,
  type DaysOf,
  offerStanding,
  type OfferStanding,
  type Pacing,
  pacingOf,
  type WindowUses,
} from './offer-windows.rules.ts';

export type BuyerStats = BuyerDays & {
  readonly days: number;
  /** First and last UTC day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  readonly partnerKey: string;
  readonly currency: string;
  readonly pacing: readonly Pacing[];
  readonly offers: ReadonlyArray<{
    readonly offerKey: string;
    readonly name: string;
    readonly eventType: Offer['eventType'];
    readonly payout: number;
    readonly status: OfferStanding;
    readonly caps: Readonly<Record<CapWindow, CapState | null>>;
  }>;
};

export type StatsCalendar = { readonly spanOf: SpanOf; readonly daysOf: DaysOf };

export type StatsWish = {
  readonly buyer: Buyer;
  readonly currency: string;
  /** 1 or more, today included. */
  readonly days: number;
  readonly calendar: StatsCalendar;
};

/** The parts agree with each other, and with whatever else is read in the same transaction, if `tx` is a snapshot. */
export async function buyerStats(
  tx: Tx,
  { buyer, currency, days, calendar }: StatsWish,
  now: Date,
): Promise<BuyerStats> {
  const { buyerKey, timeZone } = buyer;
  const window = windowDays(days, now);
  const [from = '', to = ''] = [window[0], window.at(-1)];
  const counts = await tx.query<DayCounts>(countsByDay, [buyerKey, from, to]);
  const offers = await readOffersOfBuyer(tx, buyerKey);
  const usesOf = await readUses(tx, offers, { buyer, calendar, now });
  const { totals, revenue, byEventType, byDay } = buyerDays(window, counts);
  const pacing = offers.flatMap((offer) => pacingOf(offer, usesOf(offer), { daysOf: calendar.daysOf, timeZone, now }));
  return {
    ...{ days, from, to, partnerKey: buyerKey, currency },
    ...{ totals, revenue, byEventType, byDay, pacing },
    offers: offers.map((offer) => offerView(offer, buyer, usesOf(offer))),
  };
}

function offerView(offer: Offer, buyer: Buyer, uses: WindowUses): BuyerStats['offers'][number] {
  const { offerKey, name, eventType, payoutCents, caps } = offer;
  return {
    offerKey,
    name,
    eventType,
    payout: wireAmount(payoutCents),
    status: offerStanding(offer, buyer, uses),
    caps: perWindow((window) => capState(caps[window], uses[window])),
  };
}

/** What each offer has sold in the windows that hold `now`. */
async function readUses(
  tx: Tx,
  offers: readonly Offer[],
  { buyer, calendar, now }: { readonly buyer: Buyer; readonly calendar: StatsCalendar; readonly now: Date },
): Promise<(offer: Offer) => WindowUses> {
  const spans = perWindow((window) => calendar.spanOf(window, now, buyer.timeZone));
  const keys = offers.flatMap(({ offerKey }) =>
    capWindows.map((window) => ({ offerKey, window, startsAt: new Date(spans[window].from) })),
  );
  const used = new Map((await readCounters(tx, keys)).map((counter) => [counterName(counter), counter]));
  const uses = new Map(
    offers.map(({ offerKey }) => [
      offerKey,
      perWindow((window) => {
        const span = spans[window];
        const counter = used.get(counterName({ offerKey, window, startsAt: new Date(span.from) }));
        return { span, used: counter?.used ?? 0, usedCents: counter?.usedCents ?? 0 };
      }),
    ]),
  );
  return ({ offerKey }) => {
    const found = uses.get(offerKey);
    assert(found !== undefined, 'an offer was asked for that was not read');
    return found;
  };
}

function perWindow<Value>(valueOf: (window: CapWindow) => Value): Record<CapWindow, Value> {
  return { daily: valueOf('daily'), weekly: valueOf('weekly'), monthly: valueOf('monthly') };
}

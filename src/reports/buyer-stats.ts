// Reads a buyer's statistics: deliveries by UTC day or in any span, and the pacing and caps of its offers (contract 6.5).
import { strict as assert } from 'node:assert';

import { wireAmount } from '../base/money.ts';
import type { CapWindow, Span } from '../base/time.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { nearestDays } from '../deliveries/split-days.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SpanOf } from '../routing/availability.rules.ts';
import type { Offer } from '../routing/offer.ts';
import { offerInForce } from '../routing/own-limits.rules.ts';
import { readOffersOfBuyer } from '../routing/stored-offers.ts';
import { buyerDays, type BuyerDays, type SpanCounts, windowDays } from './buyer-days.rules.ts';
import { countsByDay, countsInSpan } from './buyer-stats.sql.ts';
import {
  capState,
  type CapState,
  type DaysOf,
  offerAvailability,
  type OfferAvailability,
  type Pacing,
  pacingOf,
  type WindowUses,
} from './offer-windows.rules.ts';
import { perWindow, readWindowUses } from './offer-usage.ts';

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
    readonly status: OfferAvailability;
    readonly caps: Readonly<Record<CapWindow, CapState | null>>;
  }>;
};

export type StatsCalendar = { readonly spanOf: SpanOf; readonly daysOf: DaysOf };

export type StatsQuery = {
  readonly buyer: Buyer;
  readonly currency: string;
  /** 1 or more, today included. */
  readonly days: number;
  readonly calendar: StatsCalendar;
};

/** All parts are consistent if `tx` is a snapshot. */
export async function buyerStats(
  tx: Tx,
  { buyer, currency, days, calendar }: StatsQuery,
  now: Date,
): Promise<BuyerStats> {
  const { buyerKey } = buyer;
  const window = windowDays(days, now);
  const [from = '', to = ''] = [window[0], window.at(-1)];
  const counts = await tx.query(countsByDay, { buyerKey, firstDay: from, lastDay: to });
  return {
    ...{ days, from, to, partnerKey: buyerKey, currency },
    ...buyerDays(window, counts),
    ...(await readPacing(tx, { buyer, calendar }, now)),
  };
}

/** The pacing and caps of the buyer's offers now; they do not depend on the days of the statistics. */
export async function readPacing(
  tx: Tx,
  { buyer, calendar }: Pick<StatsQuery, 'buyer' | 'calendar'>,
  now: Date,
): Promise<Pick<BuyerStats, 'pacing' | 'offers'>> {
  const { timeZone, buyerKey } = buyer;
  const offers = (await readOffersOfBuyer(tx, buyerKey)).map(offerInForce);
  const ofBuyer = offers.map((offer) => ({ offer, buyer }));
  const usesOf = await readWindowUses(tx, ofBuyer, { spanOf: calendar.spanOf, now });
  return {
    pacing: offers.flatMap((offer) => pacingOf(offer, usesOf(offer), { daysOf: calendar.daysOf, timeZone, now })),
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
    status: offerAvailability(offer, buyer, uses),
    caps: perWindow((window) => capState(caps[window], uses[window])),
  };
}

/**
 * Counts a buyer's deliveries in any span by their present status: whole UTC days from daily counts, and parts of at most half a day at
 * both ends from single deliveries. Exact if `tx` is a snapshot.
 */
export async function countSpan(tx: Tx, buyerKey: string, span: Span): Promise<SpanCounts> {
  const { days, parts } = nearestDays(span);
  const [row] = await tx.query(countsInSpan, {
    buyerKey,
    from: days.from,
    until: days.until,
    startsTimes: parts.map((part) => new Date(part.from)),
    endsTimes: parts.map((part) => new Date(part.until)),
    signs: parts.map((part) => part.sign),
  });
  assert(row !== undefined, 'an aggregate always has a row');
  return row;
}

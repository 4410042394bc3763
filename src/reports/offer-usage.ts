// Reads the current usage of offers' caps and budgets, in windows of the buyer's time zone.
import { strict as assert } from 'node:assert';

import { computeApart } from '../base/apart.ts';
import { wireAmount } from '../base/money.ts';
import { capWindows, type CapWindow } from '../base/time.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { counterName, readCounters } from '../caps/cap-counters.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SpanOf } from '../routing/availability.rules.ts';
import type { Offer } from '../routing/offer.ts';
import { type OfferAvailability, offerAvailability, type WindowUses } from './offer-windows.rules.ts';

export type OfferOfBuyer = { readonly offer: Offer; readonly buyer: Pick<Buyer, 'timeZone'> };

/** Returns a lookup for the given offers only, without those whose windows cannot be computed, if `leaveOut` takes them. */
export async function readWindowUses(
  tx: Tx,
  offers: readonly OfferOfBuyer[],
  { spanOf, now, leaveOut = rethrow }: { readonly spanOf: SpanOf; readonly now: Date; readonly leaveOut?: LeaveOut },
): Promise<(offer: Offer) => WindowUses> {
  const spanned = computeApart(
    offers,
    ({ offer: { offerKey }, buyer }) => ({
      offerKey,
      spans: perWindow((window) => spanOf(window, now, buyer.timeZone)),
    }),
    leaveOut,
  );
  const keys = spanned.flatMap(({ offerKey, spans }) =>
    capWindows.map((window) => ({ offerKey, window, startsAt: new Date(spans[window].from) })),
  );
  const used = new Map((await readCounters(tx, keys)).map((counter) => [counterName(counter), counter]));
  const uses = new Map(
    spanned.map(({ offerKey, spans }) => [
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
    assert(found !== undefined, 'the usage of this offer was not read');
    return found;
  };
}

type LeaveOut = (one: OfferOfBuyer, error: unknown) => void;

const rethrow: LeaveOut = (_one, error) => {
  throw error;
};

export function perWindow<Value>(valueOf: (window: CapWindow) => Value): Record<CapWindow, Value> {
  return { daily: valueOf('daily'), weekly: valueOf('weekly'), monthly: valueOf('monthly') };
}

/** Money as on the wire; null means no limit. */
export type WindowUsage = {
  readonly limit: number | null;
  readonly used: number;
  readonly budget: number | null;
  readonly spent: number;
  readonly resetsAt: string;
};
export type OfferUsage = {
  readonly state: OfferAvailability;
  readonly windows: Readonly<Record<CapWindow, WindowUsage>>;
};

export async function readOfferUsage(
  tx: Tx,
  { offer, buyer, spanOf }: { readonly offer: Offer; readonly buyer: Buyer; readonly spanOf: SpanOf },
  now: Date,
): Promise<OfferUsage> {
  const uses = (await readWindowUses(tx, [{ offer, buyer }], { spanOf, now }))(offer);
  return {
    state: offerAvailability(offer, buyer, uses),
    windows: perWindow((window) => {
      const budgetCents = offer.budgetCents[window];
      return {
        limit: offer.caps[window],
        used: uses[window].used,
        budget: budgetCents === null ? null : wireAmount(budgetCents),
        spent: wireAmount(uses[window].usedCents),
        resetsAt: new Date(uses[window].span.until).toISOString(),
      };
    }),
  };
}

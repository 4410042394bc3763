// How one offer stands at a moment, for the operator: whether it sells, and what it has sold of its caps and budgets.
import type { Buyer } from '../buyers/buyer.ts';
import { wireAmount } from '../base/money.ts';
import { type CapWindow, capWindows } from '../base/time.ts';
import { counterName, readCounters } from '../caps/cap-counters.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SpanOf } from '../routing/gates.rules.ts';
import type { Offer } from '../routing/offer.ts';
import { type OfferStanding, offerStanding } from './offer-windows.rules.ts';

/** Money on the wire; null is no limit. */
export type WindowStanding = {
  readonly limit: number | null;
  readonly used: number;
  readonly budget: number | null;
  readonly spent: number;
  readonly resetsAt: string;
};
export type StandingOfOffer = {
  readonly state: OfferStanding;
  readonly windows: Readonly<Record<CapWindow, WindowStanding>>;
};

export async function standingOfOffer(
  tx: Tx,
  { offer, buyer, spanOf }: { readonly offer: Offer; readonly buyer: Buyer; readonly spanOf: SpanOf },
  now: Date,
): Promise<StandingOfOffer> {
  const spans = perWindow((window) => spanOf(window, now, buyer.timeZone));
  const keyOf = (window: CapWindow) => ({ offerKey: offer.offerKey, window, startsAt: new Date(spans[window].from) });
  const used = new Map((await readCounters(tx, capWindows.map(keyOf))).map((count) => [counterName(count), count]));
  const uses = perWindow((window) => {
    const counter = used.get(counterName(keyOf(window)));
    return { span: spans[window], used: counter?.used ?? 0, usedCents: counter?.usedCents ?? 0 };
  });
  return {
    state: offerStanding(offer, buyer, uses),
    windows: perWindow((window) => {
      const budgetCents = offer.budgetCents[window];
      return {
        limit: offer.caps[window],
        used: uses[window].used,
        budget: budgetCents === null ? null : wireAmount(budgetCents),
        spent: wireAmount(uses[window].usedCents),
        resetsAt: new Date(spans[window].until).toISOString(),
      };
    }),
  };
}

function perWindow<Value>(valueOf: (window: CapWindow) => Value): Record<CapWindow, Value> {
  return { daily: valueOf('daily'), weekly: valueOf('weekly'), monthly: valueOf('monthly') };
}

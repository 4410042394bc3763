// What offers have sold in the windows of their caps that hold a moment, each by the zone of its buyer.
import { strict as assert } from 'node:assert';

import { capWindows, type CapWindow } from '../base/time.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { counterName, readCounters } from '../caps/cap-counters.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SpanOf } from '../routing/availability.rules.ts';
import type { Offer } from '../routing/offer.ts';
import type { WindowUses } from './offer-windows.rules.ts';

export type OfferOfBuyer = { readonly offer: Offer; readonly buyer: Pick<Buyer, 'timeZone'> };

/** Answers for the offers asked for, and no others. */
export async function readWindowUses(
  tx: Tx,
  offers: readonly OfferOfBuyer[],
  { spanOf, now }: { readonly spanOf: SpanOf; readonly now: Date },
): Promise<(offer: Offer) => WindowUses> {
  const spansOf = (timeZone: string) => perWindow((window) => spanOf(window, now, timeZone));
  const keys = offers.flatMap(({ offer: { offerKey }, buyer }) => {
    const spans = spansOf(buyer.timeZone);
    return capWindows.map((window) => ({ offerKey, window, startsAt: new Date(spans[window].from) }));
  });
  const used = new Map((await readCounters(tx, keys)).map((counter) => [counterName(counter), counter]));
  const uses = new Map(
    offers.map(({ offer: { offerKey }, buyer }) => {
      const spans = spansOf(buyer.timeZone);
      return [
        offerKey,
        perWindow((window) => {
          const span = spans[window];
          const counter = used.get(counterName({ offerKey, window, startsAt: new Date(span.from) }));
          return { span, used: counter?.used ?? 0, usedCents: counter?.usedCents ?? 0 };
        }),
      ] as const;
    }),
  );
  return ({ offerKey }) => {
    const found = uses.get(offerKey);
    assert(found !== undefined, 'an offer was asked for that was not read');
    return found;
  };
}

export function perWindow<Value>(valueOf: (window: CapWindow) => Value): Record<CapWindow, Value> {
  return { daily: valueOf('daily'), weekly: valueOf('weekly'), monthly: valueOf('monthly') };
}

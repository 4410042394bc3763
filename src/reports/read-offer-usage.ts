// How one offer stands at a moment, for the operator: whether it sells, and what it has sold of its caps and budgets.
import type { Buyer } from '../buyers/buyer.ts';
import { wireAmount } from '../base/money.ts';
import type { CapWindow } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SpanOf } from '../routing/availability.rules.ts';
import type { Offer } from '../routing/offer.ts';
import { type OfferAvailability, offerAvailability } from './offer-windows.rules.ts';
import { perWindow, readWindowUses } from './window-uses.ts';

/** Money on the wire; null is no limit. */
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

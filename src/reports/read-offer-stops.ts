// Reads the current state of one buyer's offers: which receive no leads and why, and the funds that the account can still spend.
import { wireAmount } from '../base/money.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { availableCents } from '../invoices/account-order.rules.ts';
import { readFunds } from '../ledger/funds.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SpanOf } from '../routing/availability.rules.ts';
import { offerInForce } from '../routing/own-limits.rules.ts';
import { readOffersOfBuyer } from '../routing/stored-offers.ts';
import {
  type Available,
  leadsUntilOutOfFunds,
  type OfferStopCode,
  offerStop,
  offerStopInWords,
  resetOf,
  sinceOf,
} from './offer-stops.rules.ts';
import { readSpentADay } from './sales-figures.ts';
import { readWindowUses } from './offer-usage.ts';

export type OfferState = {
  readonly offerKey: string;
  readonly name: string;
  /** The present price, as on the wire. */
  readonly price: number;
  /** Whether the operator has set the offer active. */
  readonly isActive: boolean;
  readonly stop: {
    readonly code: OfferStopCode;
    readonly text: string;
    /** Null where that is not known. */
    readonly since: string | null;
    /** When it ends with time; null if it does not. */
    readonly resetsAt: string | null;
  } | null;
};

export type OfferStates = {
  /** As on the wire; null without a limit. */
  readonly available: number | null;
  /** How many leads at the highest price the funds still pay for, if that is few; else null. */
  readonly leadsLeft: number | null;
  readonly offers: readonly OfferState[];
};

/** Consistent if `tx` is a snapshot. */
export async function readOfferStops(
  tx: Tx,
  { buyer, currency, spanOf }: { readonly buyer: Buyer; readonly currency: string; readonly spanOf: SpanOf },
  now: Date,
): Promise<OfferStates> {
  const { buyerKey } = buyer;
  const offers = (await readOffersOfBuyer(tx, buyerKey)).map(offerInForce);
  const usesOf = await readWindowUses(
    tx,
    offers.map((offer) => ({ offer, buyer })),
    { spanOf, now },
  );
  const available = await readAvailable(tx, buyer);
  const active = offers.filter(({ status }) => status === 'active');
  const spentADayCents = (await readSpentADay(tx, [buyerKey], now))(buyerKey);
  const priceCents = Math.max(0, ...active.map(({ payoutCents }) => payoutCents));
  return {
    available: available === null ? null : wireAmount(available),
    leadsLeft: leadsUntilOutOfFunds(available, { priceCents, spentADayCents }),
    offers: offers.map((offer) => {
      const stop = offerStop(offer, buyer, { uses: usesOf(offer), available });
      return {
        offerKey: offer.offerKey,
        name: offer.name,
        price: wireAmount(offer.payoutCents),
        isActive: offer.status === 'active',
        stop:
          stop === null
            ? null
            : {
                code: stop.code,
                text: offerStopInWords(stop, currency),
                since: sinceOf(stop)?.toISOString() ?? null,
                resetsAt: resetOf(stop)?.toISOString() ?? null,
              },
      };
    }),
  };
}

async function readAvailable(tx: Tx, { buyerKey, billing: { creditLimitCents } }: Buyer): Promise<Available> {
  if (creditLimitCents === null) return null;
  const funds = (await readFunds(tx, [buyerKey])).get(buyerKey) ?? { balanceCents: 0, heldCents: 0 };
  return availableCents({ ...funds, creditLimitCents });
}

// Decides whether a failed delivery can be its partner's again: the lead is not sold on to capacity, the person to nobody else, and the
// offer, its caps and budgets, the slot and the funds have room for it (contract 6.4).
import type { CapSlot } from '../caps/cap-counters.ts';
import { EVERY_BUYER, type SalesByIdentity } from '../leads/identity.rules.ts';
import type { Offer } from './offer.ts';
import type { CounterUse } from '../caps/counter.ts';

export type Revival = {
  readonly offer: Offer;
  /** Of the sale that failed; the offer may have another by now. */
  readonly eventType: Offer['eventType'];
  readonly payoutCents: number;
  /** In milliseconds; null but for a booking. */
  readonly appointmentAt: number | null;
  /** What others have, or may have, of the lead: how the offers sell under which they have it. Null where there is no such offer any more. */
  readonly others: ReadonlyArray<Offer['sale'] | null>;
  readonly identities: readonly string[];
  readonly sales: SalesByIdentity;
  /** The windows of now, and the slot. */
  readonly windows: readonly CapSlot[];
  readonly useOf: (slot: CapSlot) => CounterUse;
  /** What the partner may still promise; null without a limit. */
  readonly fundsCents: number | null;
  readonly now: number;
};

/** The schedule, the pace and the filters are of a sale, which this was; they are not asked again. */
export function mayRevive(revival: Revival): boolean {
  const { offer, eventType, payoutCents, fundsCents, windows, useOf } = revival;
  return (
    offer.eventType === eventType &&
    hasShare(offer.sale, revival.others) &&
    !isBlocked(revival) &&
    windows.every((slot) => hasRoom(revival, slot, useOf(slot))) &&
    (fundsCents === null || fundsCents >= payoutCents)
  );
}

/** An exclusive sale stands alone; of shared ones the smallest number of buyers holds. */
function hasShare(sale: Offer['sale'], others: Revival['others']): boolean {
  if (others.length === 0) return true;
  let atMost = sale.kind === 'shared' ? sale.buyersAtMost : 1;
  for (const other of others) atMost = Math.min(atMost, other?.kind === 'shared' ? other.buyersAtMost : 1);
  return others.length < atMost;
}

function isBlocked({ offer, identities, sales }: Revival): boolean {
  return identities.some((person) => {
    const scopes = sales.get(person);
    return scopes !== undefined && (scopes.has(EVERY_BUYER) || scopes.has(offer.buyerKey));
  });
}

function hasRoom({ offer, payoutCents, now }: Revival, { window, startsAt }: CapSlot, use: CounterUse): boolean {
  if (window === 'slot') return startsAt > now && use.used < (offer.booking?.capacity ?? 0);
  const [cap, budget] = [offer.caps[window], offer.budgetCents[window]];
  return (cap === null || use.used < cap) && (budget === null || use.usedCents + payoutCents <= budget);
}

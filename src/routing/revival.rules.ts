// Decides whether a failed delivery can be revived: the lead and its identities are still free for the partner, and the offer's caps,
// budgets, slot and the funds suffice (contract 6.4).
import type { CapSlot } from '../caps/cap-counters.ts';
import { EVERY_BUYER, type SalesByIdentity } from '../leads/identity.rules.ts';
import type { Offer } from './offer.ts';
import type { CounterUse } from '../caps/counter.ts';

export type Revival = {
  readonly offer: Offer;
  /** Of the failed sale; the offer's own may have changed since. */
  readonly eventType: Offer['eventType'];
  readonly payoutCents: number;
  /** In milliseconds; null unless it is a booking. */
  readonly appointmentAt: number | null;
  /** The kinds of sale under which other buyers have, or may have, the lead; null for an offer that no longer exists. */
  readonly others: ReadonlyArray<Offer['sale'] | null>;
  readonly identities: readonly string[];
  readonly sales: SalesByIdentity;
  /** Whether a list keeps the offer from getting the lead now. */
  readonly isListed: boolean;
  /** The current windows, and the slot of a booking. */
  readonly windows: readonly CapSlot[];
  readonly useOf: (slot: CapSlot) => CounterUse;
  /** Cents that the partner can still commit to; null without a limit. */
  readonly fundsCents: number | null;
  readonly now: number;
};

/** Schedule, pace and filters were checked when the lead was sold, and are not checked again. */
export function mayRevive(revival: Revival): boolean {
  const { offer, eventType, payoutCents, fundsCents, windows, useOf } = revival;
  return (
    offer.eventType === eventType &&
    canShare(offer.sale, revival.others) &&
    !isBlocked(revival) &&
    !revival.isListed &&
    windows.every((slot) => hasRoom(revival, slot, useOf(slot))) &&
    (fundsCents === null || fundsCents >= payoutCents)
  );
}

/** An exclusive sale allows no other buyer; among shared sales the smallest limit on buyers applies. */
function canShare(sale: Offer['sale'], others: Revival['others']): boolean {
  if (others.length === 0) return true;
  let atMost = sale.kind === 'shared' ? sale.buyersAtMost : 1;
  for (const other of others) atMost = Math.min(atMost, other?.kind === 'shared' ? other.buyersAtMost : 1);
  return others.length < atMost;
}

function isBlocked({ offer, identities, sales }: Revival): boolean {
  return identities.some((identity) => {
    const scopes = sales.get(identity);
    return scopes !== undefined && (scopes.has(EVERY_BUYER) || scopes.has(offer.buyerKey));
  });
}

function hasRoom({ offer, payoutCents, now }: Revival, { window, startsAt }: CapSlot, use: CounterUse): boolean {
  if (window === 'slot') return startsAt > now && use.used < (offer.booking?.capacity ?? 0);
  const [cap, budget] = [offer.caps[window], offer.budgetCents[window]];
  return (cap === null || use.used < cap) && (budget === null || use.usedCents + payoutCents <= budget);
}

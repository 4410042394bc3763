// The offers in force, ordered as they are tried and indexed by the state they want, so that a lead meets few of many.
import type { Buyer } from '../buyers/buyer.ts';
import { bestShared, sumOfPayouts } from './best-shared.rules.ts';
import { failedFilter, type LeftOut } from './eligibility.rules.ts';
import type { LeadFacts } from './lead-facts.ts';
import type { Offer } from './offer.ts';

export type BookedOffer = { readonly offer: Offer; readonly buyer: Buyer };

export type OfferBook = {
  readonly version: number;
  /** Active offers of partners that can take leads now, in the order of trial. */
  readonly open: readonly BookedOffer[];
  /** What the shared offers of a priority that admit the state would pay together at best, were they all open; 0 without any. */
  bestSharedCents(priority: number, state: string | null): number;
  /** Those of `open` whose state filters admit the lead's state, in the order of trial. */
  candidates(state: string | null): readonly BookedOffer[];
};

export function makeOfferBook(
  version: number,
  offers: readonly Offer[],
  buyers: ReadonlyMap<string, Buyer>,
): OfferBook {
  const open = offers
    .flatMap((offer) => {
      const buyer = buyers.get(offer.buyerKey);
      return buyer !== undefined && standing(offer, buyer) === null ? [{ offer, buyer }] : [];
    })
    .toSorted((left, right) => byTrial(left.offer, right.offer));
  const shelves = new Map<string, Shelf>();
  const shelfOf = (state: string | null): Shelf => {
    const key = state ?? '';
    let shelf = shelves.get(key);
    if (shelf === undefined)
      shelves.set(key, (shelf = makeShelf(open.filter(({ offer }) => admitsState(offer, state)))));
    return shelf;
  };
  return {
    version,
    open,
    bestSharedCents: (priority, state) => shelfOf(state).sharedCents.get(priority) ?? 0,
    candidates: (state) => shelfOf(state).offers,
  };
}

/** What stands in the book for one state, worked out when the first lead from there comes. */
type Shelf = {
  readonly offers: readonly BookedOffer[];
  /** By priority. */
  readonly sharedCents: ReadonlyMap<number, number>;
};

function makeShelf(offers: readonly BookedOffer[]): Shelf {
  const tiers = [...Map.groupBy(offers, ({ offer }) => offer.priority)];
  return {
    offers,
    sharedCents: new Map(tiers.map(([priority, tier]) => [priority, sumOfPayouts(bestShared(tier))])),
  };
}

/** Lowest priority number, then highest payout, then lowest key. */
export function byTrial(left: Offer, right: Offer): number {
  return (
    left.priority - right.priority ||
    right.payoutCents - left.payoutCents ||
    (left.offerKey < right.offerKey ? -1 : left.offerKey > right.offerKey ? 1 : 0)
  );
}

/** Why an offer takes no leads at all at present, whatever the lead; null when it does. */
export function standing(offer: Offer, buyer: Buyer): LeftOut | null {
  if (buyer.status !== 'active') return { code: 'partner_not_active', got: buyer.status, want: 'active' };
  if (offer.status !== 'active') return { code: 'offer_not_active', got: offer.status, want: 'active' };
  const primary = buyer.channels[0];
  if (primary !== undefined && primary !== 'webhook') return { code: 'channel_not_ready', got: primary };
  if (primary === 'webhook') {
    if (buyer.settings.webhookUrl === null) return { code: 'channel_not_ready', got: 'webhookUrl', want: 'a URL' };
    if (buyer.endpointDisabledAt !== null) return { code: 'endpoint_disabled', got: buyer.endpointDisabledAt };
  }
  return null;
}

/** Standing first, then filters: everything that follows from configuration and the lead alone. */
export function unwanted(booked: BookedOffer, facts: LeadFacts): LeftOut | null {
  return standing(booked.offer, booked.buyer) ?? failedFilter(booked.offer.filters, facts);
}

function admitsState({ filters }: Offer, state: string | null): boolean {
  if (filters.states.length > 0 && (state === null || !filters.states.includes(state))) return false;
  return state === null || !filters.statesNot.includes(state);
}

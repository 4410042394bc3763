// Who gets a lead: filters, gates, funds and duplicates leave offers out one after the other, and among the rest the lowest
// priority and then the best price decide (contract 4, choice).
import { EVERY_BUYER, type SalesOfPersons } from '../leads/person-scope.rules.ts';
import { closedBy, type Closed, type Gate } from './gates.rules.ts';
import { failedFilter, type LeftOut } from './eligibility.rules.ts';
import type { LeadToRoute } from './lead-facts.ts';
import type { BookedOffer, OfferBook } from './offer-book.rules.ts';

/** The market as the batch believes it to be; `sell` in decide-batch moves it along. */
export type Market = {
  readonly now: number;
  readonly book: OfferBook;
  gateOf(booked: BookedOffer): Gate;
  /** Cents the buyer can still promise; null = no limit. */
  fundsOf(buyerKey: string): number | null;
  readonly sales: SalesOfPersons;
};

/** An offer that wanted the lead by its filters and was left out by the moment; the filters' own refusals follow from the book. */
export type LeftOutOffer = { readonly booked: BookedOffer; readonly why: LeftOut };

export type Choice = {
  /** Exactly one for an exclusive sale, one or more for a shared one, none when nobody takes it. */
  readonly winners: readonly BookedOffer[];
  readonly leftOut: readonly LeftOutOffer[];
  /** The earliest moment at which a closed offer may open; null when none will by itself. */
  readonly opensAt: number | null;
};

export function choose(lead: LeadToRoute, market: Market): Choice {
  const leftOut: LeftOutOffer[] = [];
  const partners = new Set<string>();
  let opensAt: number | null = null;
  const tier: BookedOffer[] = [];
  for (const booked of market.book.candidates(lead.facts.state)) {
    const first = tier[0];
    if (first !== undefined && (isDecided(first, market.book) || booked.offer.priority !== first.offer.priority)) break;
    if (failedFilter(booked.offer.filters, lead.facts) !== null) continue;
    const why = leftOutBy(booked, lead, market);
    if (why === null && partners.has(booked.offer.buyerKey)) {
      leftOut.push({ booked, why: { code: 'better_offer_of_partner' } });
    } else if (why === null) {
      partners.add(booked.offer.buyerKey);
      tier.push(booked);
    } else {
      leftOut.push({ booked, why: { code: why.code, got: why.got, want: why.want } });
      if (why.opensAt !== null && (opensAt === null || why.opensAt < opensAt)) opensAt = why.opensAt;
    }
  }
  return { winners: bestByPrice(tier), leftOut, opensAt };
}

/** Offers come by falling payout, so an exclusive one at the head can be beaten by shared ones only, where there are any. */
function isDecided(first: BookedOffer, book: OfferBook): boolean {
  return first.offer.sale.kind === 'exclusive' && !book.hasShared;
}

function leftOutBy(booked: BookedOffer, lead: LeadToRoute, market: Market): Closed | null {
  const { offer } = booked;
  const closed = closedBy(market.gateOf(booked), offer.payoutCents);
  if (closed !== null) return closed;
  const funds = market.fundsOf(offer.buyerKey);
  if (funds !== null && funds < offer.payoutCents) {
    return { code: 'funds_missing', got: funds, want: offer.payoutCents, opensAt: null };
  }
  if (lead.buyersBefore.has(offer.buyerKey)) return { code: 'had_it_before', opensAt: null };
  const blocked = lead.persons.some((person) => {
    const scopes = market.sales.get(person);
    return scopes !== undefined && (scopes.has(EVERY_BUYER) || scopes.has(offer.buyerKey));
  });
  return blocked ? { code: 'duplicate', opensAt: null } : null;
}

/** Of one tier, one offer per partner, by falling payout: the best exclusive one against the best set of shared ones. */
export function bestByPrice(tier: readonly BookedOffer[]): readonly BookedOffer[] {
  const exclusive = tier.find(({ offer }) => offer.sale.kind === 'exclusive');
  const shared = bestShared(tier);
  const sharedCents = shared.reduce((sum, { offer }) => sum + offer.payoutCents, 0);
  if (exclusive !== undefined && exclusive.offer.payoutCents >= sharedCents) return [exclusive];
  return shared.length > 0 ? shared : exclusive === undefined ? [] : [exclusive];
}

/**
 * The shared offers that together pay most. Each says among how many buyers at most it shares; the smallest number among those
 * taken binds them all. For each such number the best are the first so many that bear it.
 */
function bestShared(tier: readonly BookedOffer[]): readonly BookedOffer[] {
  const shared = tier.flatMap((booked) =>
    booked.offer.sale.kind === 'shared' ? [{ booked, atMost: booked.offer.sale.buyersAtMost }] : [],
  );
  let best: readonly BookedOffer[] = [];
  let bestCents = -1;
  for (const limit of new Set(shared.map(({ atMost }) => atMost).toSorted((left, right) => left - right))) {
    const taken = shared
      .filter(({ atMost }) => atMost >= limit)
      .slice(0, limit)
      .map(({ booked }) => booked);
    const cents = taken.reduce((sum, { offer }) => sum + offer.payoutCents, 0);
    if (cents > bestCents) {
      best = taken;
      bestCents = cents;
    }
  }
  return best;
}

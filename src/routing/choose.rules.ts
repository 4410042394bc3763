// Who gets a lead: filters, gates, funds and duplicates leave offers out one after the other, and among the rest the lowest
// priority and then the best price decide (contract 4, choice).
import { EVERY_BUYER, type SalesOfPersons } from '../leads/person-scope.rules.ts';
import type { Strategy } from '../marketplace/settings.ts';
import { closedBy, type Closed, type Gate } from './gates.rules.ts';
import { failedFilter, type LeftOut } from './eligibility.rules.ts';
import type { LeadToRoute } from './lead-facts.ts';
import { bestShared, sumOfPayouts } from './best-shared.rules.ts';
import type { BookedOffer, OfferBook } from './offer-book.rules.ts';
import { pickByTurn, pickByWeight, winnersByPick } from './strategy.rules.ts';

/** The market as the batch believes it to be; decide-batch moves it along with every sale. */
export type Market = {
  readonly book: OfferBook;
  gateOf(booked: BookedOffer): Gate;
  /** Cents the buyer can still promise; null = no limit. */
  fundsOf(buyerKey: string): number | null;
  readonly sales: SalesOfPersons;
  readonly strategy: Strategy;
  /** When the offer was last picked in turn; 0 for never. */
  turnOf(offerKey: string): number;
  /** The slot that a booking would get; null when none is free. */
  slotFor(booked: BookedOffer, wished: number | null): number | null;
};

/** An offer that wanted the lead by its filters and was left out by the moment; the filters' own refusals follow from the book. */
export type LeftOutOffer = { readonly booked: BookedOffer; readonly why: LeftOut };

export type Choice = {
  /** Exactly one for an exclusive sale, one or more for a shared one, none when nobody takes it. */
  readonly winners: readonly BookedOffer[];
  /** By offer key, for the winners that book: the start of the slot in milliseconds. */
  readonly appointments: ReadonlyMap<string, number>;
  readonly leftOut: readonly LeftOutOffer[];
  /** The earliest moment at which a closed offer may open; null when none will by itself. */
  readonly opensAt: number | null;
  /** The offers that will open by themselves and then want the lead. */
  readonly willOpen: readonly BookedOffer[];
  /** There is no winner, duplicates are the cause, and there would be none whatever else were different. */
  readonly isForDuplicatesAlone: boolean;
};

export function choose(lead: LeadToRoute, market: Market): Choice {
  const leftOut: LeftOutOffer[] = [];
  const willOpen: BookedOffer[] = [];
  const partners = new Set<string>();
  let opensAt: number | null = null;
  const tier: BookedOffer[] = [];
  for (const booked of market.book.candidates(lead.facts.state)) {
    const first = tier[0];
    if (first !== undefined && (booked.offer.priority !== first.offer.priority || isDecided(first, lead, market)))
      break;
    if (failedFilter(booked.offer.filters, lead.facts) !== null) continue;
    const why = leftOutBy(booked, lead, market);
    if (why === null && partners.has(booked.offer.buyerKey)) {
      leftOut.push({ booked, why: { code: 'better_offer_of_partner' } });
    } else if (why === null) {
      partners.add(booked.offer.buyerKey);
      tier.push(booked);
    } else {
      leftOut.push({ booked, why: { code: why.code, got: why.got, want: why.want } });
      if (why.opensAt === null) continue;
      willOpen.push(booked);
      opensAt = opensAt === null ? why.opensAt : Math.min(opensAt, why.opensAt);
    }
  }
  const isForDuplicatesAlone = tier.length === 0 && onlyDuplicates(leftOut, lead, market);
  const winners = winnersOf(tier, lead, market);
  const appointments = appointmentsOf(winners, lead, market);
  return { winners, appointments, leftOut, opensAt, willOpen, isForDuplicatesAlone };
}

function winnersOf(tier: readonly BookedOffer[], { leadId }: LeadToRoute, market: Market): readonly BookedOffer[] {
  const { strategy } = market;
  if (strategy === 'price') return bestByPrice(tier);
  const pick = strategy === 'weighted' ? pickByWeight(leadId) : pickByTurn((offerKey) => market.turnOf(offerKey));
  return winnersByPick(tier, pick);
}

function appointmentsOf(winners: readonly BookedOffer[], lead: LeadToRoute, market: Market): Map<string, number> {
  const appointments = new Map<string, number>();
  for (const winner of winners) {
    const slot = winner.offer.booking === null ? null : market.slotFor(winner, lead.wishedSlot);
    if (slot !== null) appointments.set(winner.offer.offerKey, slot);
  }
  return appointments;
}

/** Some offer lacks nothing else, and none of the others would take the person either. */
function onlyDuplicates(leftOut: readonly LeftOutOffer[], lead: LeadToRoute, market: Market): boolean {
  return (
    leftOut.some(({ why }) => why.code === 'duplicate') &&
    leftOut.every(({ booked }) => blockOf(booked, lead, market) !== null)
  );
}

/**
 * Offers come by falling payout, so by price an exclusive one at the head can be beaten by shared ones only: where even the best of
 * them all, open or not, pay no more together, nobody else needs to be looked at.
 */
function isDecided({ offer }: BookedOffer, { facts }: LeadToRoute, { strategy, book }: Market): boolean {
  return (
    strategy === 'price' &&
    offer.sale.kind === 'exclusive' &&
    offer.payoutCents >= book.bestSharedCents(offer.priority, facts.state)
  );
}

/** In the order of the contract: schedule, caps, budgets, pacing; funds; duplicates. */
function leftOutBy(booked: BookedOffer, lead: LeadToRoute, market: Market): Closed | null {
  const closed = closedBy(market.gateOf(booked));
  if (closed?.opensAt === null) return closed;
  const lasting = lackOf(booked, lead, market);
  // Nothing is held for an offer that would not take the lead when it opens.
  if (closed !== null) return lasting === null ? closed : { ...closed, opensAt: null };
  if (lasting !== null) return { ...lasting, opensAt: null };
  const block = blockOf(booked, lead, market);
  return block === null ? null : { code: 'duplicate', got: block, opensAt: null };
}

/** What no clock will mend. */
function lackOf(booked: BookedOffer, lead: LeadToRoute, market: Market): LeftOut | null {
  const { offer } = booked;
  const funds = market.fundsOf(offer.buyerKey);
  if (funds !== null && funds < offer.payoutCents)
    return { code: 'funds_missing', got: funds, want: offer.payoutCents };
  if (lead.buyersBefore.has(offer.buyerKey)) return { code: 'had_it_before' };
  return offer.booking !== null && market.slotFor(booked, lead.wishedSlot) === null ? { code: 'no_slot' } : null;
}

/** The kind of earlier sale that keeps the person from this buyer; null when there is none. */
function blockOf({ offer }: BookedOffer, lead: LeadToRoute, market: Market): 'exclusive sale' | 'shared sale' | null {
  const scopes = lead.persons.map((person) => market.sales.get(person));
  if (scopes.some((sold) => sold?.has(EVERY_BUYER))) return 'exclusive sale';
  return scopes.some((sold) => sold?.has(offer.buyerKey)) ? 'shared sale' : null;
}

/** Of one tier, one offer per partner, by falling payout: the best exclusive one against the best set of shared ones. */
export function bestByPrice(tier: readonly BookedOffer[]): readonly BookedOffer[] {
  const exclusive = tier.find(({ offer }) => offer.sale.kind === 'exclusive');
  const shared = bestShared(tier);
  return exclusive !== undefined && exclusive.offer.payoutCents >= sumOfPayouts(shared) ? [exclusive] : shared;
}

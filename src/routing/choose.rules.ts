// Who gets a lead: filters, gates, funds and duplicates leave offers out one after the other, and among the rest the lowest
// priority and then the best price decide (contract 4.3).
import { EVERY_BUYER, type SalesByIdentity } from '../leads/identity.rules.ts';
import type { Strategy } from '../marketplace/settings.ts';
import { closedBy, type Closed, type Availability } from './availability.rules.ts';
import { failedOtherFilter, type LeftOut } from './eligibility.rules.ts';
import { type LeadToRoute, identityKeysOf } from './lead-facts.ts';
import { bestShared, sumOfPayouts } from './best-shared.rules.ts';
import type { IndexedOffer, OfferIndex, Tier } from './offer-index.rules.ts';
import { searchTier } from './tier-bounds.rules.ts';
import { pickByTurn, pickByWeight, winnersByPick } from './strategy.rules.ts';

/** The market as the batch believes it to be; decide-batch moves it along with every sale. */
export type Market = {
  readonly offerIndex: OfferIndex;
  availabilityOf(indexed: IndexedOffer): Availability;
  /** Cents the buyer can still promise; null = no limit. */
  fundsOf(buyerKey: string): number | null;
  readonly sales: SalesByIdentity;
  readonly strategy: Strategy;
  /** When the offer was last picked in turn; 0 for never. */
  turnOf(offerKey: string): number;
  /** The slot that a booking would get; null when none is free. */
  slotFor(indexed: IndexedOffer, requested: number | null): number | null;
};

/** An offer that wanted the lead by its filters and was left out by the moment; the filters' own refusals follow from the book. */
export type LeftOutOffer = { readonly indexed: IndexedOffer; readonly why: LeftOut };

export type Choice = {
  /** Exactly one for an exclusive sale, one or more for a shared one, none when nobody takes it. */
  readonly winners: readonly IndexedOffer[];
  /** By offer key, for the winners that book: the start of the slot in milliseconds. */
  readonly appointments: ReadonlyMap<string, number>;
  readonly leftOut: readonly LeftOutOffer[];
  /** The earliest moment at which a closed offer may open; null when none will by itself. */
  readonly opensAt: number | null;
  /** The offers that will open by themselves and then want the lead. */
  readonly willOpen: readonly IndexedOffer[];
  /** There is no winner, duplicates are the cause, and there would be none whatever else were different. */
  readonly isForDuplicatesAlone: boolean;
};

export function choose(lead: LeadToRoute, market: Market): Choice {
  const seen: Seen = { leftOut: [], willOpen: [], opensAt: null };
  const scopes = scopesOf(lead, market);
  let takePart: readonly IndexedOffer[] = [];
  for (const tier of market.offerIndex.tiers(lead.facts.state)) {
    takePart = openOffers(tier, { lead, scopes, market, seen });
    if (takePart.length > 0) break;
  }
  const isForDuplicatesAlone = takePart.length === 0 && onlyDuplicates(seen.leftOut, scopes);
  const winners = winnersOf(takePart, lead, market);
  return { winners, appointments: appointmentsOf(winners, lead, market), ...seen, isForDuplicatesAlone };
}

/** What a search has come by. */
type Seen = { readonly leftOut: LeftOutOffer[]; readonly willOpen: IndexedOffer[]; opensAt: number | null };

/** The scopes in which the persons of a lead were sold. */
type Scopes = ReadonlyArray<ReadonlySet<string>>;

type Trial = { readonly lead: LeadToRoute; readonly scopes: Scopes; readonly market: Market; readonly seen: Seen };

/**
 * The offers of a tier that want the lead now, one per partner, in the order of trial. By price only those are looked at that can
 * have a part in what is best: whoever is passed over, or stands behind the last of them, is outranked, open or not.
 */
function openOffers({ offers, bounds, repeated }: Tier, trial: Trial): IndexedOffer[] {
  const takePart: IndexedOffer[] = [];
  const partners = new Set<string>();
  const search = trial.market.strategy === 'price' ? searchTier(bounds) : null;
  for (const indexed of offers) {
    const { buyerKey } = indexed.offer;
    const isRepeated = repeated.size > 0 && repeated.has(buyerKey);
    // Whoever has another offer must be asked all the same: the best that is open is the one that takes part.
    const matters = isRepeated || takePart.length === 0 || search === null || search.matters(indexed.offer);
    const takesPart = matters && wantsNow(indexed, partners, trial);
    if (takesPart) {
      takePart.push(indexed);
      if (isRepeated) partners.add(buyerKey);
    }
    search?.see(indexed.offer, takesPart);
    if (takePart.length > 0 && search?.isDecided() === true) break;
  }
  return takePart;
}

/** Whether the offer takes part; if not for its filters, it is noted what keeps it from that. */
function wantsNow(indexed: IndexedOffer, partners: ReadonlySet<string>, trial: Trial): boolean {
  if (failedOtherFilter(indexed.offer.filters, trial.lead.facts) !== null) return false;
  const why = leftOutBy(indexed, trial);
  if (why !== null) leaveOut(indexed, why, trial.seen);
  else if (!partners.has(indexed.offer.buyerKey)) return true;
  else trial.seen.leftOut.push({ indexed, why: { code: 'better_offer_of_partner' } });
  return false;
}

function leaveOut(indexed: IndexedOffer, { code, got, want, opensAt }: Closed, seen: Seen): void {
  seen.leftOut.push({ indexed, why: { code, got, want } });
  if (opensAt === null) return;
  seen.willOpen.push(indexed);
  seen.opensAt = seen.opensAt === null ? opensAt : Math.min(seen.opensAt, opensAt);
}

function winnersOf(tier: readonly IndexedOffer[], { leadId }: LeadToRoute, market: Market): readonly IndexedOffer[] {
  const { strategy } = market;
  if (strategy === 'price') return bestByPrice(tier);
  const pick = strategy === 'weighted' ? pickByWeight(leadId) : pickByTurn((offerKey) => market.turnOf(offerKey));
  return winnersByPick(tier, pick);
}

function appointmentsOf(winners: readonly IndexedOffer[], lead: LeadToRoute, market: Market): Map<string, number> {
  const appointments = new Map<string, number>();
  for (const winner of winners) {
    const slot = winner.offer.booking === null ? null : market.slotFor(winner, lead.requestedSlot);
    if (slot !== null) appointments.set(winner.offer.offerKey, slot);
  }
  return appointments;
}

/** Some offer lacks nothing else, and none of the others would take the person either. */
function onlyDuplicates(leftOut: readonly LeftOutOffer[], scopes: Scopes): boolean {
  return (
    leftOut.some(({ why }) => why.code === 'duplicate') &&
    leftOut.every(({ indexed }) => blockOf(indexed, scopes) !== null)
  );
}

/** In the order of the contract: schedule, caps, budgets, pacing; funds; duplicates. */
function leftOutBy(indexed: IndexedOffer, { lead, scopes, market }: Trial): Closed | null {
  const closed = closedBy(market.availabilityOf(indexed));
  if (closed?.opensAt === null) return closed;
  const lasting = lackOf(indexed, lead, market);
  // Nothing is held for an offer that would not take the lead when it opens.
  if (closed !== null) return lasting === null ? closed : { ...closed, opensAt: null };
  if (lasting !== null) return { ...lasting, opensAt: null };
  const block = blockOf(indexed, scopes);
  return block === null ? null : { code: 'duplicate', got: block, opensAt: null };
}

/** What no clock will mend. */
function lackOf(indexed: IndexedOffer, lead: LeadToRoute, market: Market): LeftOut | null {
  const { offer } = indexed;
  const funds = market.fundsOf(offer.buyerKey);
  if (funds !== null && funds < offer.payoutCents)
    return { code: 'funds_missing', got: funds, want: offer.payoutCents };
  if (lead.buyersBefore.has(offer.buyerKey)) return { code: 'had_it_before' };
  return offer.booking !== null && market.slotFor(indexed, lead.requestedSlot) === null ? { code: 'no_slot' } : null;
}

function scopesOf(lead: LeadToRoute, { sales }: Market): Scopes {
  return identityKeysOf(lead).flatMap((person) => sales.get(person) ?? []);
}

/** The kind of earlier sale that keeps the person from this buyer; null when there is none. */
function blockOf({ offer }: IndexedOffer, scopes: Scopes): 'exclusive sale' | 'shared sale' | null {
  if (scopes.some((sold) => sold.has(EVERY_BUYER))) return 'exclusive sale';
  return scopes.some((sold) => sold.has(offer.buyerKey)) ? 'shared sale' : null;
}

/** Of one tier, one offer per partner, by falling payout: the best exclusive one against the best set of shared ones. */
export function bestByPrice(tier: readonly IndexedOffer[]): readonly IndexedOffer[] {
  const exclusive = tier.find(({ offer }) => offer.sale.kind === 'exclusive');
  const shared = bestShared(tier);
  return exclusive !== undefined && exclusive.offer.payoutCents >= sumOfPayouts(shared) ? [exclusive] : shared;
}

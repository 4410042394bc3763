// Chooses the offers that get a lead: filters, availability, funds and duplicates leave offers out in this order, and among the rest the
// lowest priority and then the strategy decide (contract 4.3).
import { EVERY_BUYER, type SalesByIdentity } from '../leads/identity.rules.ts';
import { excludedBy, soldBy, suppressedBy } from '../lists/list-hits.rules.ts';
import type { Strategy } from '../marketplace/settings.ts';
import { closedBy, type Closed, type Availability } from './availability.rules.ts';
import { failedOtherFilter, type LeftOut, ruleFailed } from './eligibility.rules.ts';
import { type LeadToRoute, identityKeysOf } from './lead-facts.ts';
import { bestByPrice, searchTier } from './best-by-price.rules.ts';
import type { IndexedOffer, OfferIndex, Tier } from './offer-index.rules.ts';
import { orderByTurn, orderByWeight, type OfferOrder, type TurnQueue, winnersInOrder } from './strategy.rules.ts';

/** So many offers that do not take part are visited in the strategy's order before all offers are visited. */
const PATIENCE = 16;

/** The state of the market for one batch; decide-batch updates it with every sale. */
export type Market = {
  readonly offerIndex: OfferIndex;
  availabilityOf(indexed: IndexedOffer): Availability;
  /** Called with an offer that is left out because a rule failed for it. */
  onFailed(indexed: IndexedOffer, error: unknown): void;
  /** Cents that the buyer can still commit to; null = no limit. */
  fundsOf(buyerKey: string): number | null;
  readonly sales: SalesByIdentity;
  readonly strategy: Strategy;
  /** Whether an earlier sale blocks later ones of the same identity at all. */
  readonly blocksRepeats: boolean;
  /** Only round_robin uses it. */
  readonly turnQueue: TurnQueue;
  /** The slot that a booking would get; null when none is free. */
  slotFor(indexed: IndexedOffer, requested: number | null): number | null;
};

/** An offer whose filters the lead passes and that another rule left out. Failed filters follow from the configuration. */
export type LeftOutOffer = { readonly indexed: IndexedOffer; readonly why: LeftOut };

export type Choice = {
  /** Exactly one for an exclusive sale, one or more for a shared one, none when no offer takes the lead. */
  readonly winners: readonly IndexedOffer[];
  /** By offer key, for the winners that book: the start of the slot in milliseconds. */
  readonly appointments: ReadonlyMap<string, number>;
  readonly leftOut: readonly LeftOutOffer[];
  /** The earliest moment at which a closed offer may open; null when none opens without a change of configuration or funds. */
  readonly opensAt: number | null;
  /** The closed offers that open with time and accept the lead then. */
  readonly willOpen: readonly IndexedOffer[];
  /** There is no winner because of duplicates, and there would be none if every other obstacle were gone. */
  readonly isForDuplicatesAlone: boolean;
  /** The key of the list for which no offer gets the lead; none was then compared. */
  readonly suppressedBy: string | null;
};

export function choose(lead: LeadToRoute, market: Market): Choice {
  const seen = nothingSeen();
  const listKey = suppressedBy(lead.listed);
  if (listKey !== null) return { ...NOTHING_CHOSEN, suppressedBy: listKey };
  const scopes = scopesOf(lead, market);
  let winners: readonly IndexedOffer[] = [];
  for (const tier of market.offerIndex.tiers(lead.facts)) {
    const trial = { lead, scopes, market, seen };
    winners = market.strategy === 'price' ? bestByPrice(openOffers(tier, trial)) : firstInOrder(tier, trial);
    if (winners.length > 0) break;
  }
  const isForDuplicatesAlone = winners.length === 0 && onlyDuplicates(seen.leftOut, { lead, scopes, market });
  return {
    winners,
    appointments: appointmentsOf(winners, lead, market),
    ...seen,
    isForDuplicatesAlone,
    suppressedBy: null,
  };
}

const NOTHING_CHOSEN: Omit<Choice, 'suppressedBy'> = {
  winners: [],
  appointments: new Map(),
  leftOut: [],
  opensAt: null,
  willOpen: [],
  isForDuplicatesAlone: false,
};

/** Findings of the search so far. */
type Seen = { readonly leftOut: LeftOutOffer[]; readonly willOpen: IndexedOffer[]; opensAt: number | null };

const nothingSeen = (): Seen => ({ leftOut: [], willOpen: [], opensAt: null });

/** The scopes in which the identities of a lead were sold before. */
type Scopes = ReadonlyArray<ReadonlySet<string>>;

type Trial = { readonly lead: LeadToRoute; readonly scopes: Scopes; readonly market: Market; readonly seen: Seen };

/**
 * The offers of a tier that take the lead now, one per partner, in trial order. The price strategy visits only offers that can be part of
 * the best choice; the others are outranked, open or not.
 */
function openOffers({ offers, bounds, repeated }: Tier, trial: Trial): IndexedOffer[] {
  const takePart: IndexedOffer[] = [];
  const partners = new Set<string>();
  const search = trial.market.strategy === 'price' ? searchTier(bounds) : null;
  for (const indexed of offers) {
    const { buyerKey } = indexed.offer;
    const isRepeated = repeated.size > 0 && repeated.has(buyerKey);
    // A partner with several offers takes part with its best open one, so none of them may be skipped.
    const matters = isRepeated || takePart.length === 0 || search === null || search.matters(indexed.offer);
    const takesPart = matters && canTakePart(indexed, partners, trial);
    if (takesPart) {
      takePart.push(indexed);
      if (isRepeated) partners.add(buyerKey);
    }
    search?.visit(indexed.offer, takesPart);
    if (takePart.length > 0 && search?.isDecided() === true) break;
  }
  return takePart;
}

/**
 * The winners of a tier by weight or by turns. Visits the offers in this order until the winners are known; the others are outranked,
 * open or not. If none takes part, or too many visited ones do not, visits all offers in trial order instead: without a winner every
 * offer needs its reason, and a closed offer is found faster that way.
 */
function firstInOrder(tier: Tier, trial: Trial): readonly IndexedOffer[] {
  const search = { ...trial, seen: nothingSeen() };
  const bestOffers = new Map<string, IndexedOffer | undefined>();
  const takesPart = (indexed: IndexedOffer): boolean => {
    const { buyerKey } = indexed.offer;
    const ofPartner = tier.repeated.get(buyerKey);
    if (ofPartner === undefined) return canTakePart(indexed, noPartners, search);
    if (!bestOffers.has(buyerKey)) bestOffers.set(buyerKey, openOffers({ ...tier, offers: ofPartner }, search)[0]);
    return bestOffers.get(buyerKey) === indexed;
  };
  const winners = winnersInOrder(orderOf(tier, trial), takesPart, PATIENCE);
  if (winners.length > 0) {
    trial.seen.leftOut.push(...search.seen.leftOut);
    return winners;
  }
  const open = new Set(openOffers(tier, trial));
  return winnersInOrder(orderOf(tier, trial, open), () => true);
}

/** The order of the strategy, if it is not price, among all offers of the tier or only those of `among`. */
function orderOf(
  { columns, members }: Tier,
  { lead, market: { strategy, turnQueue, offerIndex } }: Trial,
  among?: ReadonlySet<IndexedOffer>,
): OfferOrder<IndexedOffer> {
  return strategy === 'weighted'
    ? orderByWeight(columns, lead.leadId, among)
    : orderByTurn(turnQueue, { offers: offerIndex.byKey, members }, among);
}

const noPartners: ReadonlySet<string> = new Set();

/** Whether the offer takes part. Records the reason if not, except for a failed filter. */
function canTakePart(indexed: IndexedOffer, partners: ReadonlySet<string>, trial: Trial): boolean {
  let why: Closed | null;
  try {
    if (failedOtherFilter(indexed.offer.filters, trial.lead.facts) !== null) return false;
    why = obstacleOf(indexed, trial);
  } catch (error) {
    trial.market.onFailed(indexed, error);
    why = { ...ruleFailed(error), opensAt: null };
  }
  if (why !== null) recordLeftOut(indexed, why, trial.seen);
  else if (!partners.has(indexed.offer.buyerKey)) return true;
  else trial.seen.leftOut.push({ indexed, why: { code: 'better_offer_of_partner' } });
  return false;
}

function recordLeftOut(indexed: IndexedOffer, { code, got, want, opensAt }: Closed, seen: Seen): void {
  seen.leftOut.push({ indexed, why: { code, got, want } });
  if (opensAt === null) return;
  seen.willOpen.push(indexed);
  seen.opensAt = seen.opensAt === null ? opensAt : Math.min(seen.opensAt, opensAt);
}

function appointmentsOf(winners: readonly IndexedOffer[], lead: LeadToRoute, market: Market): Map<string, number> {
  const appointments = new Map<string, number>();
  for (const winner of winners) {
    const slot = winner.offer.booking === null ? null : market.slotFor(winner, lead.requestedSlot);
    if (slot !== null) appointments.set(winner.offer.offerKey, slot);
  }
  return appointments;
}

/** At least one offer has no other obstacle, and an earlier sale blocks every offer. */
function onlyDuplicates(leftOut: readonly LeftOutOffer[], sales: Sales): boolean {
  return (
    leftOut.some(({ why }) => why.code === 'duplicate') &&
    leftOut.every(({ indexed }) => blockingSale(indexed, sales) !== null)
  );
}

/** Checks in the order of the contract: schedule, caps, budgets, pacing; funds; duplicates. */
function obstacleOf(indexed: IndexedOffer, { lead, scopes, market }: Trial): Closed | null {
  const closed = closedBy(market.availabilityOf(indexed));
  if (closed?.opensAt === null) return closed;
  const lasting = lastingObstacle(indexed, lead, market);
  // A lead is not held for an offer that would not take it after opening.
  if (closed !== null) return lasting === null ? closed : { ...closed, opensAt: null };
  if (lasting !== null) return { ...lasting, opensAt: null };
  const block = blockingSale(indexed, { lead, scopes, market });
  return block === null ? null : { code: 'duplicate', got: block, opensAt: null };
}

/** An obstacle that does not pass with time. */
function lastingObstacle(indexed: IndexedOffer, lead: LeadToRoute, market: Market): LeftOut | null {
  const { offer } = indexed;
  const funds = market.fundsOf(offer.buyerKey);
  if (funds !== null && funds < offer.payoutCents)
    return { code: 'funds_missing', got: funds, want: offer.payoutCents };
  const excluded = excludedBy(lead.listed, offer);
  if (excluded !== null) return { code: 'on_exclusion_list', got: { list: excluded.listKey, of: excluded.buyerKey } };
  if (lead.buyersBefore.has(offer.buyerKey)) return { code: 'had_it_before' };
  return offer.booking !== null && market.slotFor(indexed, lead.requestedSlot) === null ? { code: 'no_slot' } : null;
}

function scopesOf(lead: LeadToRoute, { sales }: Market): Scopes {
  return identityKeysOf(lead).flatMap((key) => sales.get(key) ?? []);
}

type Sales = { readonly lead: LeadToRoute; readonly scopes: Scopes; readonly market: Market };

/** The kind of earlier sale, or the list of such sales, that blocks this buyer; null when there is none. */
function blockingSale(
  { offer }: IndexedOffer,
  { lead, scopes, market }: Sales,
): 'exclusive sale' | 'shared sale' | { readonly list: string; readonly of: null } | null {
  if (scopes.some((sold) => sold.has(EVERY_BUYER))) return 'exclusive sale';
  if (scopes.some((sold) => sold.has(offer.buyerKey))) return 'shared sale';
  const listed = market.blocksRepeats ? soldBy(lead.listed, offer) : null;
  return listed === null ? null : { list: listed, of: null };
}

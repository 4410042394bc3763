// Decides a batch of leads one after the other on one snapshot of the market, updated with every sale, and sums up what the decisions
// take from caps and funds, so that this can be checked under lock (contract 4.3).
import type { CapWindow } from '../base/time.ts';
import type { Channel } from '../buyers/buyer.ts';
import { returnableUntil } from '../buyers/return-window.rules.ts';
import { EVERY_BUYER, type IdentityKey, identityKey, type SalesByIdentity } from '../leads/identity.rules.ts';
import type { Strategy } from '../marketplace/settings.ts';
import { choose, type Choice, type Market } from './choose.rules.ts';
import {
  type Calendar,
  type CounterReading,
  countSale,
  type Availability,
  lastOpenInstant,
  failedAvailability,
  makeAvailability,
  nextOpenSlot,
} from './availability.rules.ts';
import type { LeadToRoute } from './lead-facts.ts';
import type { IndexedOffer, OfferIndex } from './offer-index.rules.ts';
import type { Offer } from './offer.ts';
import { freeSlot, slotStarts } from './slots.rules.ts';
import { queueByTurn, takeTurn } from './strategy.rules.ts';

/** The state read before deciding; `readings` and `funds` may be stale until they are checked under lock. */
export type Snapshot = {
  readonly now: Date;
  readonly holdMs: number;
  readonly offerIndex: OfferIndex;
  /** Offers for which reading failed: they are left out. */
  readonly failed?: ReadonlyMap<IndexedOffer, unknown>;
  readonly calendar: Calendar;
  /** By offer key. */
  readonly readings: (offerKey: string) => CounterReading;
  /** By buyer key, for endpoints that have failed for longer than leads may wait: since when. */
  readonly failing: ReadonlyMap<string, Date>;
  /** By buyer key: cents that it can still commit to; null = no limit. */
  readonly funds: ReadonlyMap<string, number | null>;
  readonly sales: SalesByIdentity;
  /** Whether a sale blocks later sales of the same identity at all. */
  readonly blocksRepeats: boolean;
  readonly strategy: Strategy;
  /** By offer key: when it was last picked in turn. Only round_robin uses it. */
  readonly turns: ReadonlyMap<string, number>;
  /** By offer key: how often each slot from now on is taken. */
  readonly slots: ReadonlyMap<string, ReadonlyMap<number, number>>;
};

export type Decision = {
  readonly lead: LeadToRoute;
  readonly outcome: 'routed' | 'rejected' | 'held';
  readonly publicStatus: 'Lead Sale' | 'Calendar Assigned' | 'No Buyer' | 'Duplicate' | 'Suppressed' | 'Pending';
  readonly choice: Choice;
  /** When a held lead is tried again, in milliseconds. */
  readonly retryAt: number | null;
};

/** The amounts that the batch takes from each counter of one offer; equal for all, because a sale counts in every window. */
export type Grant = {
  readonly offerKey: string;
  readonly windows: ReadonlyArray<{ readonly window: CapWindow; readonly startsAt: number }>;
  /** The pace's limit on the day's counter for now; null without even pacing. */
  readonly pacedTo: number | null;
  slots: number;
  cents: number;
  /** The number of appointments by start, in milliseconds; null unless the offer books. */
  readonly appointments: Map<number, number> | null;
};

export type BatchDecision = {
  readonly decisions: readonly Decision[];
  readonly grants: readonly Grant[];
  /** By buyer key: cents of its sales in the batch. */
  readonly promised: ReadonlyMap<string, number>;
  /** Keys of the offers that had a turn, in the order of their turns. */
  readonly turns: readonly string[];
  /** Of each winner. */
  readonly terms: ReadonlyMap<IndexedOffer, SaleTerms>;
  /** The offers that were left out of at least one decision because a rule failed for them, with the first error. */
  readonly failed: ReadonlyMap<IndexedOffer, unknown>;
};

/** What a sale needs of its offer and the partner; the same for all sales of a batch. */
export type SaleTerms = Pick<Offer, 'eventType' | 'payoutCents' | 'priceMinCents'> & {
  readonly scope: string;
  readonly channel: Channel | null;
  readonly returnUntil: Date;
};

export function decideBatch(leads: readonly LeadToRoute[], snapshot: Snapshot): BatchDecision {
  const availabilities = new Map<IndexedOffer, Availability>();
  const promised = new Map<string, number>();
  const grants = new Map<string, Grant>();
  const sales: SalesByIdentity = new Map([...snapshot.sales].map(([key, scopes]) => [key, new Set(scopes)]));
  const turns: string[] = [];
  const { offerIndex } = snapshot;
  const inTurn = snapshot.strategy === 'round_robin' ? offerIndex.byKey : [];
  const turnQueue = queueByTurn(inTurn.map(({ offer }) => snapshot.turns.get(offer.offerKey) ?? 0));
  const failed = new Map(snapshot.failed);
  const terms = new Map<IndexedOffer, SaleTerms>();
  const leaveOut = (indexed: IndexedOffer, error: unknown): Availability => {
    if (!failed.has(indexed)) failed.set(indexed, error);
    const availability = failedAvailability(snapshot.now, error);
    availabilities.set(indexed, availability);
    return availability;
  };
  const calendar = trackAppointments(snapshot);
  const market: Market = {
    offerIndex,
    sales,
    strategy: snapshot.strategy,
    blocksRepeats: snapshot.blocksRepeats,
    turnQueue,
    slotFor: calendar.slotFor,
    availabilityOf(indexed) {
      const known = availabilities.get(indexed);
      if (known !== undefined) return known;
      if (failed.has(indexed)) return leaveOut(indexed, failed.get(indexed));
      try {
        const { spanOf, dayOf } = snapshot.calendar;
        const reading = snapshot.readings(indexed.offer.offerKey);
        const failingSince = snapshot.failing.get(indexed.buyer.buyerKey) ?? null;
        const availability = makeAvailability(indexed, snapshot.now, { spanOf, dayOf, reading, failingSince });
        availabilities.set(indexed, availability);
        return availability;
      } catch (error) {
        return leaveOut(indexed, error);
      }
    },
    onFailed(indexed, error) {
      if (!failed.has(indexed)) failed.set(indexed, error);
    },
    fundsOf(buyerKey) {
      const funds = snapshot.funds.get(buyerKey);
      return funds === undefined || funds === null ? null : funds - (promised.get(buyerKey) ?? 0);
    },
  };
  const isSellable = (winner: IndexedOffer): boolean => {
    if (terms.has(winner)) return true;
    try {
      terms.set(winner, termsOf(winner, snapshot.now));
      return true;
    } catch (error) {
      leaveOut(winner, error);
      return false;
    }
  };
  const testing = new Set(leads.flatMap(({ isTest, facts }) => (isTest ? [facts.supplierKey] : [])));
  const decisions = leads.map((lead) => {
    let choice = choose(lead, market);
    while (!choice.winners.every(isSellable)) choice = choose(lead, market);
    if (!lead.isTest) {
      for (const winner of choice.winners) {
        const slot = choice.appointments.get(winner.offer.offerKey) ?? null;
        grantSale(winner, { availability: market.availabilityOf(winner), slot, grants });
        if (slot !== null) calendar.book(winner.offer.offerKey, slot);
        if (inTurn.length > 0) takeTurn(turnQueue, offerIndex.positions.get(winner) ?? 0);
        turns.push(winner.offer.offerKey);
        promised.set(winner.offer.buyerKey, (promised.get(winner.offer.buyerKey) ?? 0) + winner.offer.payoutCents);
        if (!snapshot.blocksRepeats) continue;
        for (const key of saleKeys(lead, testing)) {
          sales.set(key, (sales.get(key) ?? new Set()).add(scopeOf(winner)));
        }
      }
    }
    return conclude(lead, choice, { snapshot, market });
  });
  return { decisions, grants: [...grants.values()], promised, turns, terms, failed };
}

function termsOf(winner: IndexedOffer, now: Date): SaleTerms {
  const { offer, buyer } = winner;
  const { eventType, payoutCents, priceMinCents } = offer;
  const returnUntil = returnableUntil({ deliveredAt: now, confirmedAt: null }, buyer.returnPolicy, buyer.timeZone);
  return {
    eventType,
    payoutCents,
    priceMinCents,
    returnUntil,
    scope: scopeOf(winner),
    channel: buyer.channels[0] ?? null,
  };
}

/** The keys under which a sale is found by later leads of the batch, test leads of the same supplier included. */
function saleKeys({ identities, facts: { supplierKey } }: LeadToRoute, testing: ReadonlySet<string>): IdentityKey[] {
  if (!testing.has(supplierKey)) return [...identities];
  return [...identities, ...identities.map((identity) => identityKey(identity, { isTest: true, supplierKey }))];
}

type Appointments = { slotFor: Market['slotFor']; book(offerKey: string, start: number): void };

/** The calendars of the booking offers, computed on first use and updated with the batch's bookings. */
function trackAppointments({ now, calendar, slots }: Snapshot): Appointments {
  const starts = new Map<string, readonly number[]>();
  const taken = new Map<string, Map<number, number>>();
  const takenOf = (offerKey: string): Map<number, number> => {
    let found = taken.get(offerKey);
    if (found === undefined) taken.set(offerKey, (found = new Map(slots.get(offerKey))));
    return found;
  };
  return {
    slotFor({ offer, buyer }, requested) {
      const { booking, offerKey } = offer;
      if (booking === null) return null;
      let found = starts.get(offerKey);
      if (found === undefined) {
        found = slotStarts(booking, calendar.dayOf(now, buyer.timeZone), now.getTime());
        starts.set(offerKey, found);
      }
      const used = takenOf(offerKey);
      return freeSlot(found, { requested, isFree: (start) => (used.get(start) ?? 0) < booking.capacity });
    },
    book(offerKey, start) {
      const used = takenOf(offerKey);
      used.set(start, (used.get(start) ?? 0) + 1);
    },
  };
}

/** The scope in which a sale under this offer blocks later sales of the identity. */
export function scopeOf({ offer }: IndexedOffer): string {
  return offer.sale.kind === 'exclusive' ? EVERY_BUYER : offer.buyerKey;
}

type SaleInput = {
  readonly availability: Availability;
  readonly slot: number | null;
  readonly grants: Map<string, Grant>;
};

function grantSale({ offer }: IndexedOffer, { availability, slot, grants }: SaleInput): void {
  let grant = grants.get(offer.offerKey);
  if (grant === undefined) {
    const windows = availability.counters.map(({ window, span }) => ({ window, startsAt: span.from }));
    const pacedTo = availability.pace?.allowed ?? null;
    const appointments = offer.booking === null ? null : new Map<number, number>();
    grant = { offerKey: offer.offerKey, windows, pacedTo, slots: 0, cents: 0, appointments };
    grants.set(offer.offerKey, grant);
  }
  grant.slots += 1;
  grant.cents += offer.payoutCents;
  if (slot !== null) grant.appointments?.set(slot, (grant.appointments.get(slot) ?? 0) + 1);
  countSale(availability);
}

type Circumstances = { readonly snapshot: Snapshot; readonly market: Market };

function conclude(lead: LeadToRoute, choice: Choice, circumstances: Circumstances): Decision {
  const first = choice.winners[0];
  if (first !== undefined) {
    return { lead, choice, outcome: 'routed', publicStatus: first.offer.eventType, retryAt: null };
  }
  if (choice.suppressedBy !== null) {
    return { lead, choice, outcome: 'rejected', publicStatus: 'Suppressed', retryAt: null };
  }
  const retryAt = waitUntil(lead, choice, circumstances);
  if (retryAt !== null) return { lead, choice, outcome: 'held', publicStatus: 'Pending', retryAt };
  const publicStatus = choice.isForDuplicatesAlone ? 'Duplicate' : 'No Buyer';
  return { lead, choice, outcome: 'rejected', publicStatus, retryAt: null };
}

/**
 * When a lead that no offer takes now is tried again; null if no offer opens within its hold time. Where a pace opens offers for one lead
 * after the other, the leads of a batch are retried one after the other as well. A lead whose turn would come too late is retried at the
 * last moment: some leads before it may have been sold elsewhere.
 */
function waitUntil(
  lead: LeadToRoute,
  { opensAt, willOpen }: Choice,
  { snapshot, market }: Circumstances,
): number | null {
  // At the same instant the market would be the same; one millisecond is the smallest step that the times are stored in.
  const soonest = snapshot.now.getTime() + 1;
  const deadline = lead.receivedAt + snapshot.holdMs;
  if (opensAt === null || Math.max(opensAt, soonest) > deadline) return null;
  let retryAt = deadline;
  let waitsAt: Availability | null = null;
  for (const indexed of willOpen) {
    const availability = market.availabilityOf(indexed);
    const opening = nextOpenSlot(availability);
    if (opening !== null && opening <= deadline) {
      if (opening > retryAt || (opening === retryAt && waitsAt !== null)) continue;
      retryAt = opening;
      waitsAt = availability;
      continue;
    }
    const last = lastOpenInstant(availability, deadline);
    if (last === null || last >= retryAt) continue;
    retryAt = last;
    waitsAt = null;
  }
  if (waitsAt !== null && !lead.isTest) waitsAt.waiting += 1;
  return Math.max(retryAt, soonest);
}

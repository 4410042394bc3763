// Decides a batch of due leads in one transaction: people locked, offers weighed, caps and funds checked under lock, then
// deliveries, money promised and decisions written together (contract 4; decision records on batches and locks).
import { DAY_MS } from '../base/time.ts';
import type { Uuid } from '../base/ids.ts';
import {
  addToCounterUse,
  type Counter,
  type CounterChange,
  counterName,
  lockCounters,
  makeCounters,
  readCounters,
  readSlots,
} from '../caps/cap-counters.ts';
import { appendBuyerEvents } from '../deliveries/append-buyer-events.ts';
import { chargeDeliveries } from '../deliveries/charge-deliveries.ts';
import { buyersOfLeads } from '../deliveries/buyers-of-leads.ts';
import { failingEndpoints } from '../endpoints/failing-endpoints.ts';
import { holdFunds } from '../ledger/hold-funds.ts';
import { type Funds, lockFunds } from '../ledger/lock-funds.ts';
import { readFunds } from '../ledger/read-funds.ts';
import { type ClaimedLead, claimDueLeads } from '../leads/claim-due-leads.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import { personHashes } from '../leads/person-hash.ts';
import { lockPersons } from '../leads/person-sales.ts';
import type { StoredSettings } from '../marketplace/read-settings.ts';
import { textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { type BatchDecision, decideBatch, type Decision, type Grant, type Picture } from './decide-batch.rules.ts';
import { isLimited, windowsOf } from './gates.rules.ts';
import { factsOf, type LeadToRoute } from './lead-facts.ts';
import type { MarketInForce, MarketReader } from './market-reader.ts';
import { lockTurns, recordTurns } from './offer-turns.ts';
import type { OfferBook } from './offer-book.rules.ts';
import type { Offer } from './offer.ts';
import { insertDecisions } from './routing.sql.ts';
import { writeOwnRows, type WrittenRows } from './write-own-rows.ts';

/** The picture was overtaken by another worker: nothing was written, and the batch is to be run again with `lockFirst`. */
export class StalePictureError extends Error {
  constructor() {
    super('another worker took the slots or funds that this batch had counted on');
    this.name = 'StalePictureError';
  }
}

export type RouteOptions = {
  readonly market: MarketReader;
  /** Leads at most; 250 to 500 is where a commit's cost is shared by enough of them. */
  readonly limit: number;
  /** Lock every counter before deciding rather than the chosen ones after it: slower beside other workers, never overtaken. */
  readonly lockFirst: boolean;
  /** Told which leads are at hand, should deciding on them fail. */
  readonly onClaimed?: (leadIds: readonly Uuid[]) => void;
};

export type RouteReport = {
  readonly leads: number;
  readonly deliveries: number;
  /** Queued for suppliers. */
  readonly callbacks: number;
  readonly outcomes: Readonly<Record<Decision['outcome'], number>>;
};

export async function routeLeads(tx: Tx, options: RouteOptions, now: Date): Promise<RouteReport> {
  const claimed = await claimDueLeads(tx, options.limit, now);
  options.onClaimed?.(claimed.map((lead) => lead.leadId));
  const outcomes = { routed: 0, rejected: 0, held: 0 };
  if (claimed.length === 0) return { leads: 0, deliveries: 0, callbacks: 0, outcomes };
  const inForce = await options.market.current(tx);
  const leads = await prepare(tx, claimed, inForce);
  const picture = await takePicture(tx, { leads, inForce, lockFirst: options.lockFirst, now });
  const batch = decideBatch(leads, picture);
  const written = await writeOwnRows(tx, batch, inForce, now);
  await takeUnderLock(tx, batch, inForce, options.lockFirst);
  await writeUnderLock(tx, { batch, written, stored: inForce.stored }, now);
  for (const { outcome } of batch.decisions) outcomes[outcome] += 1;
  return { leads: claimed.length, deliveries: written.deliveries.length, callbacks: written.callbacks, outcomes };
}

async function prepare(tx: Tx, claimed: readonly ClaimedLead[], { stored }: MarketInForce): Promise<LeadToRoute[]> {
  const before = await buyersOfLeads(
    tx,
    claimed.map((lead) => lead.leadId),
  );
  return claimed.map(({ leadId, externalId, isTest, receivedAt, fields: text, score, supplierKey }) => {
    const fields = JSON.parse(text) as LeadFields;
    return {
      leadId,
      externalId,
      isTest,
      receivedAt: receivedAt.getTime(),
      facts: factsOf({ fields, score, supplierKey }),
      wishedSlot: fields.appointmentAt === null ? null : Date.parse(fields.appointmentAt),
      persons: personHashes(stored.personPepper, fields),
      buyersBefore: before.get(leadId) ?? new Set(),
    };
  });
}

type PictureOptions = { leads: readonly LeadToRoute[]; inForce: MarketInForce; lockFirst: boolean; now: Date };

async function takePicture(tx: Tx, { leads, inForce, lockFirst, now }: PictureOptions): Promise<Picture> {
  const { stored, book, calendar } = inForce;
  const { dedupDays, holdMinutes, strategy } = stored.settings;
  const personsOf = (some: readonly LeadToRoute[]): string[] => [...new Set(some.flatMap((lead) => lead.persons))];
  // A test lead sells nobody, so it may look without making anybody wait.
  const people = { locked: personsOf(leads.filter((lead) => !lead.isTest)), seen: personsOf(leads) };
  const since = dedupDays === 0 ? null : new Date(now.getTime() - dedupDays * DAY_MS);
  const sales = await lockPersons(tx, people, { since, now });
  // Turns are handed out by one worker at a time; the other strategies need no such order.
  const inTurn = strategy === 'round_robin' ? book.open.map(({ offer }) => offer.offerKey) : [];
  const turns = inTurn.length === 0 ? new Map<string, number>() : await lockTurns(tx, inTurn);
  const keys = book.open.flatMap((booked) =>
    windowsOf(booked, now, calendar.spanOf)
      // Locks are taken in one order, so that whoever locks before deciding has to lock whatever may be sold from.
      .filter(({ window }) => lockFirst || isLimited(booked, window))
      .map(({ window, span }) => ({ offerKey: booked.offer.offerKey, window, startsAt: new Date(span.from) })),
  );
  const counters = new Map(
    (await (lockFirst ? lockCounters : readCounters)(tx, keys)).map((counter) => [counterName(counter), counter]),
  );
  const limited = new Map(
    book.open.flatMap(({ buyer }) =>
      buyer.billing.creditLimitCents === null ? [] : [[buyer.buyerKey, buyer.billing.creditLimitCents] as const],
    ),
  );
  const buyers = new Set(book.open.map(({ buyer }) => buyer.buyerKey));
  const funds = lockFirst ? await lockFunds(tx, [...buyers]) : await readFunds(tx, [...limited.keys()]);
  return {
    now,
    holdMs: holdMinutes * 60_000,
    book,
    calendar,
    readings: (offerKey) => (window, startsAt) =>
      counters.get(counterName({ offerKey, window, startsAt: new Date(startsAt) })) ?? null,
    funds: new Map([...limited].map(([buyerKey, limit]) => [buyerKey, available(funds.get(buyerKey), limit)])),
    sales,
    blocksRepeats: dedupDays > 0,
    failing: await failingEndpoints(tx, new Date(now.getTime() - holdMinutes * 60_000)),
    strategy,
    turns,
    // After the counters: whoever holds an offer's counters is the only one who books its slots.
    slots: await readSlots(
      tx,
      book.open.flatMap(({ offer }) => (offer.booking === null ? [] : [offer.offerKey])),
      now,
    ),
  };
}

function available(funds: Funds | undefined, creditLimitCents: number): number {
  return (funds?.balanceCents ?? 0) + creditLimitCents - (funds?.heldCents ?? 0);
}

/** Locks what the batch sells from, makes sure that it still fits, and takes it. */
async function takeUnderLock(
  tx: Tx,
  batch: BatchDecision,
  { book }: MarketInForce,
  lockedFirst: boolean,
): Promise<void> {
  const keys = batch.grants.flatMap(changesOf);
  const offers = new Map(book.open.map((booked) => [booked.offer.offerKey, booked]));
  if (lockedFirst) {
    // Slots stand behind the lock on their offer's windows, so they only have to be there.
    await makeCounters(
      tx,
      keys.filter(({ window }) => window === 'slot'),
    );
  } else {
    const actual = new Map((await lockCounters(tx, keys)).map((counter) => [counterName(counter), counter]));
    const paces = new Map(batch.grants.map(({ offerKey, pacedTo }) => [offerKey, pacedTo]));
    for (const grant of keys) {
      const offer = offers.get(grant.offerKey)?.offer;
      const pacedTo = paces.get(grant.offerKey) ?? null;
      const isThere = offer !== undefined && fits(actual.get(counterName(grant)), grant, { offer, pacedTo });
      if (!isThere) throw new StalePictureError();
    }
  }
  await addToCounterUse(tx, keys);
  await promiseFunds(tx, batch.promised, book);
}

async function promiseFunds(tx: Tx, promised: ReadonlyMap<string, number>, book: OfferBook): Promise<void> {
  const limits = new Map(book.open.map(({ buyer }) => [buyer.buyerKey, buyer.billing.creditLimitCents]));
  // Where nobody has a limit there is nothing to compare, and holding locks by itself: one wait less while everybody waits.
  if ([...promised.keys()].some((buyerKey) => (limits.get(buyerKey) ?? null) !== null)) {
    const funds = await lockFunds(tx, [...promised.keys()]);
    for (const [buyerKey, cents] of promised) {
      const limit = limits.get(buyerKey) ?? null;
      if (cents === 0 || limit === null) continue;
      if (cents > available(funds.get(buyerKey), limit)) throw new StalePictureError();
    }
  }
  await holdFunds(tx, promised);
}

/** What a grant adds to each counter of its offer. */
function changesOf({ offerKey, windows, slots, cents, appointments }: Grant): CounterChange[] {
  return [
    ...windows.map(({ window, startsAt }) => ({ offerKey, window, startsAt: new Date(startsAt), slots, cents })),
    ...[...appointments].map(([start, booked]) => ({
      offerKey,
      window: 'slot' as const,
      startsAt: new Date(start),
      slots: booked,
      // Every sale of an offer has the same payout.
      cents: (cents / slots) * booked,
    })),
  ];
}

type Limits = { readonly offer: Offer; readonly pacedTo: number | null };

function fits(actual: Counter | undefined, grant: CounterChange, { offer, pacedTo }: Limits): boolean {
  const paced = grant.window === 'daily' ? pacedTo : null;
  // A pace never allows more than the cap.
  const cap = grant.window === 'slot' ? (offer.booking?.capacity ?? 0) : (paced ?? offer.caps[grant.window]);
  const budget = grant.window === 'slot' ? null : offer.budgetCents[grant.window];
  return (
    actual !== undefined &&
    (cap === null || actual.used + grant.slots <= cap) &&
    (budget === null || actual.usedCents + grant.cents <= budget)
  );
}

/** Under the locks: the charges, and the decisions with the numbers that say in which order they took effect. */
async function writeUnderLock(
  tx: Tx,
  { batch, written, stored }: { batch: BatchDecision; written: WrittenRows; stored: StoredSettings },
  now: Date,
): Promise<void> {
  await chargeDeliveries(tx, written.confirmed, now);
  await tx.query(insertDecisions, [
    uuidArray(batch.decisions.map(({ lead }) => lead.leadId)),
    textArray(batch.decisions.map(({ outcome }) => outcome)),
    textArray(written.traces),
    now,
    stored.version,
  ]);
  if (stored.settings.strategy === 'round_robin') await recordTurns(tx, batch.turns);
  await appendBuyerEvents(
    tx,
    written.deliveries.map(({ buyerKey, deliveryId }) => ({ buyerKey, type: 'lead.delivered', subjectId: deliveryId })),
    now,
  );
}

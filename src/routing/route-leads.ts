// Decides a batch of due leads in one transaction: people locked, offers weighed, caps and funds checked under lock, then
// deliveries, money promised and decisions written together (contract 4.3; decision 004).
import { DAY_MS } from '../base/time.ts';
import type { LeadId } from '../base/ids.ts';
import { counterName, lockCounters, readCounters, readSlots } from '../caps/cap-counters.ts';
import { appendBuyerEvents } from '../deliveries/feed/buyer-events.ts';
import { findBuyersOfLeads } from '../deliveries/find-sales.ts';
import { failingEndpoints } from '../endpoints/health.ts';
import { enterTransfers } from '../ledger/post-transfers.ts';
import { lockFunds, readFunds } from '../ledger/funds.ts';
import { claimDueLeads } from '../leads/inbox.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import { identityHashes } from '../leads/identity-hash.ts';
import { identityKey, type SalesByIdentity } from '../leads/identity.rules.ts';
import { lockIdentities } from '../leads/identity-sales.ts';
import { int2Array, int8Array, textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { type BatchDecision, decideBatch, type Decision, type Snapshot } from './decide-batch.rules.ts';
import { isLimited, windowsOf } from './availability.rules.ts';
import { factsOf, type LeadToRoute } from './lead-facts.ts';
import type { CurrentMarket, MarketReader } from './market-reader.ts';
import { lockTurns, recordTurns } from './offer-turns.ts';
import { countDecisions, insertDecisions, selectSalesOfSuppliers } from './routing.sql.ts';
import { type Accounts, availableFunds, takeUnderLock } from './take-under-lock.ts';
import { writeOwnRows, type WrittenRows } from './write-own-rows.ts';
import type { ClaimedLead } from '../leads/stored-lead.ts';
import type { StoredSettings } from '../marketplace/settings.ts';

export type RouteOptions = {
  readonly market: MarketReader;
  /** Leads at most; 250 to 500 is where a commit's cost is shared by enough of them. */
  readonly limit: number;
  /** Lock every counter before deciding rather than the chosen ones after it: slower beside other workers, never overtaken. */
  readonly lockFirst: boolean;
  /** Told which leads are at hand, should deciding on them fail. */
  readonly onClaimed?: (leadIds: readonly LeadId[]) => void;
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
  const currentMarket = await options.market.current(tx);
  const { leads, identities } = await prepare(tx, claimed, currentMarket);
  const snapshot = await takeSnapshot(tx, { leads, currentMarket, lockFirst: options.lockFirst, now });
  const batch = decideBatch(leads, snapshot);
  const rounds = await readRounds(tx, claimed, leads);
  const written = await writeOwnRows(tx, batch, { suppliers: currentMarket.suppliers, identities }, now);
  const accounts = await takeUnderLock(tx, batch, { written, currentMarket, lockedFirst: options.lockFirst });
  await writeUnderLock(tx, { batch, written, rounds, accounts, stored: currentMarket.stored }, now);
  for (const { outcome } of batch.decisions) outcomes[outcome] += 1;
  return { leads: claimed.length, deliveries: written.deliveries.length, callbacks: written.callbacks, outcomes };
}

type Prepared = { readonly leads: LeadToRoute[]; readonly identities: ReadonlyMap<LeadId, LeadFields> };

async function prepare(tx: Tx, claimed: readonly ClaimedLead[], { personPepper }: CurrentMarket): Promise<Prepared> {
  const before = await findBuyersOfLeads(
    tx,
    claimed.map((lead) => lead.leadId),
  );
  const identities = new Map<LeadId, LeadFields>();
  const leads = claimed.map(({ leadId, externalId, isTest, receivedAt, fields: text, score, supplierKey }) => {
    const fields = JSON.parse(text) as LeadFields;
    identities.set(leadId, fields);
    return {
      leadId,
      externalId,
      isTest,
      receivedAt: receivedAt.getTime(),
      facts: factsOf({ fields, score, supplierKey }),
      requestedSlot: fields.appointmentAt === null ? null : Date.parse(fields.appointmentAt),
      identities: identityHashes(personPepper, fields),
      buyersBefore: before.get(leadId) ?? new Set(),
    };
  });
  return { leads, identities };
}

type SnapshotOptions = { leads: readonly LeadToRoute[]; currentMarket: CurrentMarket; lockFirst: boolean; now: Date };

async function takeSnapshot(tx: Tx, { leads, currentMarket, lockFirst, now }: SnapshotOptions): Promise<Snapshot> {
  const { stored, offerIndex, calendar } = currentMarket;
  const { dedupDays, holdMinutes, strategy } = stored.settings;
  const since = dedupDays === 0 ? null : new Date(now.getTime() - dedupDays * DAY_MS);
  // A test lead sells nobody, so it makes nobody wait.
  const live = leads.filter((lead) => !lead.isTest);
  const sales = await lockIdentities(tx, [...new Set(live.flatMap(({ identities }) => identities))], { since, now });
  const tests = leads.filter((lead) => lead.isTest);
  if (since !== null) await addOwnSales(tx, { sales, tests, since });
  // Turns are handed out by one worker at a time; the other strategies need no such order.
  const inTurn = strategy === 'round_robin' ? offerIndex.open.map(({ offer }) => offer.offerKey) : [];
  const turns = inTurn.length === 0 ? new Map<string, number>() : await lockTurns(tx, inTurn);
  const keys = offerIndex.open.flatMap((indexed) =>
    windowsOf(indexed, now, calendar.spanOf)
      // Locks are taken in one order, so that whoever locks before deciding has to lock whatever may be sold from.
      .filter(({ window }) => lockFirst || isLimited(indexed, window))
      .map(({ window, span }) => ({ offerKey: indexed.offer.offerKey, window, startsAt: new Date(span.from) })),
  );
  const counters = new Map(
    (await (lockFirst ? lockCounters : readCounters)(tx, keys)).map((counter) => [counterName(counter), counter]),
  );
  const limited = new Map(
    offerIndex.open.flatMap(({ buyer }) =>
      buyer.billing.creditLimitCents === null ? [] : [[buyer.buyerKey, buyer.billing.creditLimitCents] as const],
    ),
  );
  const buyers = new Set(offerIndex.open.map(({ buyer }) => buyer.buyerKey));
  const funds = lockFirst ? await lockFunds(tx, [...buyers]) : await readFunds(tx, [...limited.keys()]);
  return {
    now,
    holdMs: holdMinutes * 60_000,
    offerIndex,
    calendar,
    readings: (offerKey) => (window, startsAt) =>
      counters.get(counterName({ offerKey, window, startsAt: new Date(startsAt) })) ?? null,
    funds: new Map([...limited].map(([buyerKey, limit]) => [buyerKey, availableFunds(funds.get(buyerKey), limit)])),
    sales,
    blocksRepeats: dedupDays > 0,
    failing: await failingEndpoints(tx, holdMinutes * 60_000, now),
    strategy,
    turns,
    // After the counters: whoever holds an offer's counters is the only one who books its slots.
    slots: await readSlots(
      tx,
      offerIndex.open.flatMap(({ offer }) => (offer.booking === null ? [] : [offer.offerKey])),
      now,
    ),
  };
}

/** Adds for test leads what their own supplier's leads were sold as. */
async function addOwnSales(
  tx: Tx,
  { sales, tests, since }: { sales: SalesByIdentity; tests: readonly LeadToRoute[]; since: Date },
): Promise<void> {
  const wanted = tests.flatMap(({ identities, facts }) =>
    identities.map((hash) => ({ hash, supplierKey: facts.supplierKey })),
  );
  if (wanted.length === 0) return;
  const rows = await tx.query(selectSalesOfSuppliers, {
    hashes: int8Array(wanted.map(({ hash }) => hash)),
    supplierKeys: textArray(wanted.map(({ supplierKey }) => supplierKey)),
    since,
  });
  for (const { hash, supplierKey, scope } of rows) {
    const key = identityKey(hash, { isTest: true, supplierKey });
    sales.set(key, (sales.get(key) ?? new Set()).add(scope));
  }
}

type Rounds = ReadonlyMap<LeadId, number>;

/** How often each lead was decided before; one that is neither held nor back from a buyer comes for the first time. */
async function readRounds(tx: Tx, claimed: readonly ClaimedLead[], leads: readonly LeadToRoute[]): Promise<Rounds> {
  const again = claimed.filter(({ state }, index) => state === 'held' || (leads[index]?.buyersBefore.size ?? 0) > 0);
  if (again.length === 0) return new Map();
  const rows = await tx.query(countDecisions, {
    leadIds: uuidArray(again.map(({ leadId }) => leadId)),
  });
  return new Map(rows.map(({ leadId, decisions }) => [leadId, decisions]));
}

type LastRows = {
  readonly batch: BatchDecision;
  readonly written: WrittenRows;
  readonly rounds: Rounds;
  readonly accounts: Accounts;
  readonly stored: StoredSettings;
};

/**
 * Under the locks: the entries of the charges and what is promised to the other deliveries, the decisions with the numbers that say in
 * which order they took effect, and the partners' feeds. All at once, because everybody waits for it.
 */
async function writeUnderLock(
  tx: Tx,
  { batch, written, rounds, accounts, stored }: LastRows,
  now: Date,
): Promise<void> {
  await Promise.all([
    enterTransfers(tx, { fresh: written.charges, accounts, holds: holdsOf(batch, written) }, now),
    tx.query(insertDecisions, {
      leadIds: uuidArray(batch.decisions.map(({ lead }) => lead.leadId)),
      rounds: int2Array(batch.decisions.map(({ lead }) => 1 + (rounds.get(lead.leadId) ?? 0))),
      outcomes: textArray(batch.decisions.map(({ outcome }) => outcome)),
      traces: textArray(written.traces),
      now,
      version: stored.version,
    }),
    stored.settings.strategy === 'round_robin' ? recordTurns(tx, batch.turns) : null,
    appendBuyerEvents(
      tx,
      written.deliveries.map(({ buyerKey, deliveryId }) => ({
        buyerKey,
        type: 'lead.delivered',
        subjectId: deliveryId,
      })),
      now,
    ),
  ]);
}

/** Of what is promised, what is not charged at once. */
function holdsOf({ promised }: BatchDecision, { charges }: WrittenRows): Map<string, number> {
  const holds = new Map(promised);
  for (const { buyerKey, amountCents } of charges) holds.set(buyerKey, (holds.get(buyerKey) ?? 0) - amountCents);
  return holds;
}

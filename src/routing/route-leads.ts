// Routes a batch of due leads in one transaction: identities locked, offers compared, caps and funds checked under lock, then
// deliveries, charges, holds and decisions written together (contract 4.3; decision 004).
import type { LeadId } from '../base/ids.ts';
import type { NameColumn } from '../buyers/own-columns.ts';
import type { EndpointQueue } from '../deliveries/sending/endpoint-queue.rules.ts';
import { appendBuyerEvents } from '../deliveries/feed/buyer-events.ts';
import { enterTransfers } from '../ledger/post-transfers.ts';
import { claimDueLeads } from '../leads/inbox.ts';
import type { ClaimedLead } from '../leads/stored-lead.ts';
import type { StoredSettings } from '../marketplace/settings.ts';
import { int2Array, textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { nameColumnsFor } from './name-columns.rules.ts';
import { type BatchDecision, decideBatch, type Decision } from './decide-batch.rules.ts';
import type { LeadToRoute } from './lead-facts.ts';
import type { CurrentMarket, MarketReader } from './market-reader.ts';
import type { FaultyOffer } from './offer-index.rules.ts';
import { type Accounts, reserveCapacity } from './reserve-capacity.ts';
import { countDecisions, insertDecisions, writeTurns } from './routing.sql.ts';
import { prepareLeads, takeSnapshot } from './take-snapshot.ts';
import type { RoutedBatch } from './trace-batch.ts';
import { writeUnlockedRows, type WrittenRows } from './write-unlocked-rows.ts';

export type RouteOptions = {
  readonly market: MarketReader;
  /** Maximum number of leads; with 250 to 500 enough of them share the cost of a commit. */
  readonly limit: number;
  /** Lock every counter before deciding instead of the chosen ones after it: slower beside other workers, but never stale. */
  readonly lockFirst: boolean;
  /** Receives the claimed leads, for the case that deciding on them fails. */
  readonly onClaimed?: (leadIds: readonly LeadId[]) => void;
};

export type RouteReport = {
  readonly leads: number;
  readonly deliveries: number;
  /** Queued for suppliers. */
  readonly callbacks: number;
  /** The endpoint queues that got a delivery; null if one of the partners has none and reads the API. */
  readonly queues: readonly EndpointQueue[] | null;
  /** When the longest waiting of the leads became due; null without leads. */
  readonly oldestDueAt: Date | null;
  /** Offers that were left out because a value could not be used, the same ones in each batch while it lasts. */
  readonly leftOut: readonly FaultyOffer[];
  readonly outcomes: Readonly<Record<Decision['outcome'], number>>;
  readonly batch: RoutedBatch;
  /** For parts of names, which exports and sheets of partners need. */
  readonly nameColumns: readonly NameColumn[];
};

const NOTHING: RoutedBatch = { decisions: [], sold: [] };
const NONE = {
  ...{ leads: 0, deliveries: 0, callbacks: 0, queues: [], oldestDueAt: null, leftOut: [], batch: NOTHING },
  nameColumns: [],
};

export async function routeLeads(tx: Tx, options: RouteOptions, now: Date): Promise<RouteReport> {
  const claimed = await claimDueLeads(tx, options.limit, now);
  options.onClaimed?.(claimed.map((lead) => lead.leadId));
  const outcomes = { routed: 0, rejected: 0, held: 0 };
  if (claimed.length === 0) {
    return { ...NONE, outcomes };
  }
  const currentMarket = await options.market.current(tx);
  const { leads, fieldsOf } = await prepareLeads(tx, claimed, currentMarket, now);
  const snapshot = await takeSnapshot(tx, { leads, currentMarket, lockFirst: options.lockFirst }, now);
  const batch = decideBatch(leads, snapshot);
  const rounds = await readRounds(tx, claimed, leads);
  const written = await writeUnlockedRows(tx, batch, { suppliers: currentMarket.suppliers, fieldsOf }, now);
  const accounts = await reserveCapacity(tx, batch, { written, currentMarket, lockedFirst: options.lockFirst });
  writeUnderLock(tx, { batch, written, rounds, accounts, stored: currentMarket.stored }, now);
  for (const { outcome } of batch.decisions) outcomes[outcome] += 1;
  return {
    leads: claimed.length,
    deliveries: written.deliveries.length,
    callbacks: written.callbacks,
    queues: queuesOf(written),
    oldestDueAt: claimed[0]?.dueAt ?? null,
    leftOut: leftOutOf(currentMarket.offerIndex, batch),
    outcomes,
    batch: { decisions: batch.decisions, sold: written.deliveries },
    nameColumns: nameColumnsFor(written.deliveries, fieldsOf),
  };
}

function leftOutOf({ faulty }: CurrentMarket['offerIndex'], { failed }: BatchDecision): readonly FaultyOffer[] {
  if (failed.size === 0) return faulty;
  const inBatch = [...failed].map(
    ([
      {
        offer: { offerKey, buyerKey },
      },
      error,
    ]) => ({ offerKey, buyerKey, error }),
  );
  return [...faulty, ...inBatch];
}

function queuesOf({ deliveries }: WrittenRows): EndpointQueue[] | null {
  const queues = new Map<string, EndpointQueue>();
  for (const { buyerKey, channel } of deliveries) {
    if (channel === null) return null;
    queues.set(`${buyerKey} ${channel}`, { buyerKey, channel });
  }
  return [...queues.values()];
}

type Rounds = ReadonlyMap<LeadId, number>;

/** How many decisions each lead has already; only leads that were held or returned from a buyer have any. */
async function readRounds(tx: Tx, claimed: readonly ClaimedLead[], leads: readonly LeadToRoute[]): Promise<Rounds> {
  const again = claimed.filter(({ state }, index) => state === 'held' || (leads[index]?.buyersBefore.size ?? 0) > 0);
  if (again.length === 0) return new Map();
  const rows = await tx.query(countDecisions, {
    leadIds: uuidArray(again.map(({ leadId }) => leadId)),
  });
  return new Map(rows.map(({ leadId, decisions }) => [leadId, decisions]));
}

type LockedRows = {
  readonly batch: BatchDecision;
  readonly written: WrittenRows;
  readonly rounds: Rounds;
  readonly accounts: Accounts;
  readonly stored: StoredSettings;
};

/**
 * Writes under the locks: ledger entries of the charges, holds for the other deliveries, the decisions with the numbers that order them,
 * and the partners' feeds. Other workers wait for these locks, so all statements travel together with the COMMIT.
 */
function writeUnderLock(tx: Tx, { batch, written, rounds, accounts, stored }: LockedRows, now: Date): void {
  const { turns } = batch;
  enterTransfers(tx, { fresh: written.charges, accounts, holds: holdsOf(batch, written) }, now);
  void tx.query(insertDecisions, {
    leadIds: uuidArray(batch.decisions.map(({ lead }) => lead.leadId)),
    rounds: int2Array(batch.decisions.map(({ lead }) => 1 + (rounds.get(lead.leadId) ?? 0))),
    outcomes: textArray(batch.decisions.map(({ outcome }) => outcome)),
    traces: textArray(written.traces),
    now,
    version: stored.version,
  });
  if (stored.settings.strategy === 'round_robin' && turns.length > 0) void tx.query(writeTurns, { turns });
  appendBuyerEvents(
    tx,
    written.deliveries.map(({ buyerKey, deliveryId }) => ({ buyerKey, type: 'lead.delivered', subjectId: deliveryId })),
    now,
  );
}

/** The promised amounts that are not charged at once. */
function holdsOf({ promised }: BatchDecision, { charges }: WrittenRows): Map<string, number> {
  const holds = new Map(promised);
  for (const { buyerKey, amountCents } of charges) {
    if (buyerKey !== undefined) holds.set(buyerKey, (holds.get(buyerKey) ?? 0) - amountCents);
  }
  return holds;
}

// Locks the counters and accounts that a decided batch takes from, and checks that caps and funds still suffice (contract 4.5, 4.7;
// decision 004).
import {
  addToCounterUse,
  type CounterChange,
  counterName,
  lockCounters,
  insertCounters,
} from '../caps/cap-counters.ts';
import { lockAccounts } from '../ledger/accounts.ts';
import { accountKey, accountsOf, type AccountState, type Funds } from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import type { BatchDecision, Grant } from './decide-batch.rules.ts';
import type { CurrentMarket } from './market-reader.ts';
import type { Offer } from './offer.ts';
import type { WrittenRows } from './write-unlocked-rows.ts';
import type { Counter } from '../caps/counter.ts';

/** Another worker changed the snapshot meanwhile: roll back, and run the batch again with `lockFirst`. */
export class StaleSnapshotError extends Error {
  constructor() {
    super('another worker took the slots or funds that this batch had counted on');
    this.name = 'StaleSnapshotError';
  }
}

export type ReservationInput = {
  readonly written: WrittenRows;
  readonly currentMarket: CurrentMarket;
  readonly lockedFirst: boolean;
};
export type Accounts = ReadonlyMap<string, AccountState>;

/** Adds the batch to the counters after the checks. Returns the locked accounts, into which the caller enters the money. */
export async function reserveCapacity(
  tx: Tx,
  batch: BatchDecision,
  { written, currentMarket: { offerIndex }, lockedFirst }: ReservationInput,
): Promise<Accounts> {
  const keys = batch.grants.flatMap(changesOf);
  const offers = new Map(offerIndex.open.map((indexed) => [indexed.offer.offerKey, indexed]));
  if (lockedFirst) {
    // The lock on an offer's windows covers its slots, so their counters only have to exist.
    await insertCounters(
      tx,
      keys.filter(({ window }) => window === 'slot'),
    );
  } else {
    const actual = new Map((await lockCounters(tx, keys)).map((counter) => [counterName(counter), counter]));
    const paces = new Map(batch.grants.map(({ offerKey, pacedTo }) => [offerKey, pacedTo]));
    for (const grant of keys) {
      const offer = offers.get(grant.offerKey)?.offer;
      const pacedTo = paces.get(grant.offerKey) ?? null;
      const isFree = offer !== undefined && fits(actual.get(counterName(grant)), grant, { offer, pacedTo });
      if (!isFree) throw new StaleSnapshotError();
    }
  }
  const paying = [...batch.promised]
    .filter(([, cents]) => cents > 0)
    .map(([buyerKey]) => accountKey('buyer', buyerKey));
  const [, accounts] = await Promise.all([
    addToCounterUse(tx, keys),
    lockAccounts(tx, new Set([...paying, ...accountsOf(written.charges)])),
  ]);
  const limits = new Map(offerIndex.open.map(({ buyer }) => [buyer.buyerKey, buyer.billing.creditLimitCents]));
  for (const [buyerKey, cents] of batch.promised) {
    const limit = limits.get(buyerKey) ?? null;
    if (cents === 0 || limit === null) continue;
    if (cents > availableFunds(accounts.get(accountKey('buyer', buyerKey)), limit)) throw new StaleSnapshotError();
  }
  return accounts;
}

/** The amounts that a grant adds to each counter of its offer. */
function changesOf({ offerKey, windows, slots, cents, appointments }: Grant): CounterChange[] {
  return [
    ...windows.map(({ window, startsAt }) => ({ offerKey, window, startsAt: new Date(startsAt), slots, cents })),
    ...[...(appointments ?? [])].map(([start, count]) => ({
      offerKey,
      window: 'slot' as const,
      startsAt: new Date(start),
      slots: count,
      // Every sale of an offer has the same payout.
      cents: (cents / slots) * count,
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

/** Cents that a buyer can still commit to. */
export function availableFunds(funds: Funds | undefined, creditLimitCents: number): number {
  return (funds?.balanceCents ?? 0) + creditLimitCents - (funds?.heldCents ?? 0);
}

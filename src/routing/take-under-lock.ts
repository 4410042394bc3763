// Locks what a decided batch sells from, and makes sure that it is still there (contract 4.5, 4.7; decision 004).
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
import type { WrittenRows } from './write-own-rows.ts';
import type { Counter } from '../caps/counter.ts';

/** The picture was overtaken by another worker: nothing was written, and the batch is to be run again with `lockFirst`. */
export class StalePictureError extends Error {
  constructor() {
    super('another worker took the slots or funds that this batch had counted on');
    this.name = 'StalePictureError';
  }
}

export type Taking = {
  readonly written: WrittenRows;
  readonly currentMarket: CurrentMarket;
  readonly lockedFirst: boolean;
};
export type Accounts = ReadonlyMap<string, AccountState>;

/** Locks what the batch sells from, makes sure that it still fits, and takes it; the money is entered afterwards, into the accounts as they are answered. */
export async function takeUnderLock(
  tx: Tx,
  batch: BatchDecision,
  { written, currentMarket: { offerIndex }, lockedFirst }: Taking,
): Promise<Accounts> {
  const keys = batch.grants.flatMap(changesOf);
  const offers = new Map(offerIndex.open.map((indexed) => [indexed.offer.offerKey, indexed]));
  if (lockedFirst) {
    // Slots stand behind the lock on their offer's windows, so they only have to be there.
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
      const isThere = offer !== undefined && fits(actual.get(counterName(grant)), grant, { offer, pacedTo });
      if (!isThere) throw new StalePictureError();
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
    if (cents > availableFunds(accounts.get(accountKey('buyer', buyerKey)), limit)) throw new StalePictureError();
  }
  return accounts;
}

/** What a grant adds to each counter of its offer. */
function changesOf({ offerKey, windows, slots, cents, appointments }: Grant): CounterChange[] {
  return [
    ...windows.map(({ window, startsAt }) => ({ offerKey, window, startsAt: new Date(startsAt), slots, cents })),
    ...[...appointments].map(([start, indexed]) => ({
      offerKey,
      window: 'slot' as const,
      startsAt: new Date(start),
      slots: indexed,
      // Every sale of an offer has the same payout.
      cents: (cents / slots) * indexed,
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

/** What a buyer may still promise. */
export function availableFunds(funds: Funds | undefined, creditLimitCents: number): number {
  return (funds?.balanceCents ?? 0) + creditLimitCents - (funds?.heldCents ?? 0);
}

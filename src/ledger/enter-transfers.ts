// Enters drafted transfers into their accounts, and what is promised besides, in one statement (contract 4.7, 4.14).
import { int8Array, textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { writeEntries } from './ledger.sql.ts';
import { type AccountState, type NewTransfer, type PlannedEntry, planEntries } from './transfer.rules.ts';

export type Entering = {
  readonly fresh: readonly NewTransfer[];
  /** As `lockAccounts` found them in this transaction; nothing may have changed them since. */
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** What is promised to deliveries that are under way, by buyer key, in cents of 0 or more. */
  readonly holds?: ReadonlyMap<string, number>;
};

/** Answers the entries. Balances follow in the order of the transfers. */
export async function enterTransfers(
  tx: Tx,
  { fresh, accounts, holds = new Map() }: Entering,
  now: Date,
): Promise<readonly PlannedEntry[]> {
  const { entries, accounts: changed } = planEntries(fresh, accounts, holds);
  if (changed.size === 0) return entries;
  const states = [...changed.values()];
  await tx.query(writeEntries, {
    transferIds: uuidArray(entries.map(({ transferId }) => transferId)),
    accountKeys: textArray(entries.map((entry) => entry.accountKey)),
    accountVersions: int8Array(entries.map(({ accountVersion }) => accountVersion)),
    amountCents: int8Array(entries.map(({ amountCents }) => amountCents)),
    balanceAfterCents: int8Array(entries.map(({ balanceAfterCents }) => balanceAfterCents)),
    now,
    changedKeys: textArray([...changed.keys()]),
    balanceCents: int8Array(states.map(({ balanceCents }) => balanceCents)),
    heldCents: int8Array(states.map(({ heldCents }) => heldCents)),
    versions: int8Array(states.map(({ version }) => version)),
  });
  return entries;
}

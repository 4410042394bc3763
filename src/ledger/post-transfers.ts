// Posts transfers to the ledger: each business key moves money once, even when repeated or concurrent (contract 4.14, 6.10).
import { strict as assert } from 'node:assert';
import type { Tx } from '../platform/database/database.ts';
import type { LedgerEntry } from './entry.rules.ts';
import { selectByBusinessKeys, insertTransfers, writeEntries } from './ledger.sql.ts';
import { lockAccounts } from './accounts.ts';
import {
  accountKey,
  accountsOf,
  type AnyTransferInput,
  buyerChange,
  type NewTransfer,
  type PlannedEntry,
  type TransferInput,
  transferError,
  moveOf,
  type AccountState,
  planEntries,
} from './transfer.rules.ts';
import { newUuid } from '../base/ids.ts';
import { int8Array, textArray, uuidArray } from '../platform/database/binary-array.ts';

/** The transfer as stored in the ledger, and whether this call posted it. */
export type Posted = LedgerEntry & { readonly isNew: boolean };

/**
 * Four statements at most, for any number of transfers. Returns the transfers by business key, without those of amount 0. A transfer posted
 * before is returned as it was posted, even if another amount is requested now. The buyers' accounts must be open.
 */
export async function postTransfers(
  tx: Tx,
  transfers: readonly TransferInput[],
  now: Date,
): Promise<Map<string, Posted>> {
  const accounts = await lockAccounts(tx, accountsOf(transfers.filter(({ amountCents }) => amountCents !== 0)));
  const { fresh, repeated } = await draftTransfers(tx, transfers, now);
  const entries = enterTransfers(tx, { fresh, accounts }, now);
  const posted = [...newlyPosted(fresh, entries, now), ...(await previouslyPosted(tx, repeated))];
  return new Map(posted.map((entry) => [entry.businessKey, entry]));
}

function newlyPosted(
  fresh: ReadonlyArray<NewTransfer<TransferInput>>,
  entries: readonly PlannedEntry[],
  createdAt: Date,
): Posted[] {
  const balances = new Map(entries.map((entry) => [entry.transferId + entry.accountKey, entry.balanceAfterCents]));
  return fresh.map((transfer) => {
    const { transferId, businessKey, buyerKey, type, description } = transfer;
    const { deliveryId = null, returnId = null, disputeId = null, invoiceId = null } = transfer;
    const balanceAfterCents = balances.get(transferId + accountKey('buyer', buyerKey));
    assert(balanceAfterCents !== undefined, 'a planned transfer has no entry for its buyer');
    const amountCents = buyerChange(transfer);
    const origin = { deliveryId, returnId, disputeId, invoiceId };
    return {
      transferId,
      businessKey,
      buyerKey,
      type,
      amountCents,
      balanceAfterCents,
      description,
      ...origin,
      createdAt,
      isNew: true,
    };
  });
}

async function previouslyPosted(tx: Tx, repeated: ReadonlyArray<NewTransfer<TransferInput>>): Promise<Posted[]> {
  if (repeated.length === 0) return [];
  const entries = await tx.query(selectByBusinessKeys, {
    businessKeys: repeated.map(({ businessKey }) => businessKey),
  });
  assert(entries.length === repeated.length, 'a posted transfer cannot be read back');
  return entries.map((entry) => Object.assign(entry, { isNew: false }));
}

export type DraftedTransfers<Input extends AnyTransferInput> = {
  /** New to the ledger: exactly these must be passed to `enterTransfers`. */
  readonly fresh: ReadonlyArray<NewTransfer<Input>>;
  /** Their business keys are already in the ledger. */
  readonly repeated: ReadonlyArray<NewTransfer<Input>>;
};

/**
 * Inserts transfers without entries, which `enterTransfers` must add under the account locks in the same transaction. Skips amounts of 0.
 * Waits for a concurrent transaction with the same business key: to avoid deadlocks, call it before locking the accounts only with keys
 * that no other transaction can use.
 */
export async function draftTransfers<Input extends AnyTransferInput>(
  tx: Tx,
  transfers: readonly Input[],
  now: Date,
): Promise<DraftedTransfers<Input>> {
  const wanted = withUniqueKeys(transfers);
  if (wanted.length === 0) return { fresh: [], repeated: [] };
  const moves = wanted.map((transfer) => moveOf(transfer));
  const rows = await tx.query(insertTransfers, {
    transferIds: uuidArray(wanted.map(({ transferId }) => transferId)),
    businessKeys: textArray(wanted.map(({ businessKey }) => businessKey)),
    types: textArray(wanted.map(({ type }) => type)),
    fromAccounts: textArray(moves.map(({ fromAccount }) => fromAccount)),
    toAccounts: textArray(moves.map(({ toAccount }) => toAccount)),
    amountCents: int8Array(moves.map(({ amountCents }) => amountCents)),
    descriptions: textArray(wanted.map(({ description }) => description)),
    deliveryIds: uuidArray(wanted.map(({ deliveryId }) => deliveryId ?? null)),
    returnIds: uuidArray(wanted.map(({ returnId }) => returnId ?? null)),
    disputeIds: uuidArray(wanted.map(({ disputeId }) => disputeId ?? null)),
    invoiceIds: uuidArray(wanted.map(({ invoiceId }) => invoiceId ?? null)),
    now,
  });
  const inserted = new Set(rows.map(({ businessKey }) => businessKey));
  return {
    fresh: wanted.filter(({ businessKey }) => inserted.has(businessKey)),
    repeated: wanted.filter(({ businessKey }) => !inserted.has(businessKey)),
  };
}

function withUniqueKeys<Input extends AnyTransferInput>(transfers: readonly Input[]): Array<NewTransfer<Input>> {
  const first = new Map<string, NewTransfer<Input>>();
  for (const transfer of transfers) {
    const error = transferError(transfer);
    assert(error === null, `the transfer ${transfer.businessKey} cannot be posted: ${error}`);
    if (transfer.amountCents === 0 || first.has(transfer.businessKey)) continue;
    first.set(transfer.businessKey, { ...transfer, transferId: newUuid() });
  }
  return [...first.values()];
}

export type EntriesInput = {
  readonly fresh: readonly NewTransfer[];
  /** From `lockAccounts` in this transaction, unchanged since. */
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** Additional holds for pending deliveries, by buyer key, in cents of 0 or more. */
  readonly holds?: ReadonlyMap<string, number>;
};

/**
 * Adds the entries of drafted transfers, and holds, in one statement, which is sent and not waited for: as the last one of a transaction it
 * travels together with the COMMIT. Returns the entries; balances follow in the order of the transfers.
 */
export function enterTransfers(
  tx: Tx,
  { fresh, accounts, holds = new Map() }: EntriesInput,
  now: Date,
): readonly PlannedEntry[] {
  const { entries, accounts: changed } = planEntries(fresh, accounts, holds);
  if (changed.size === 0) return entries;
  const states = [...changed.values()];
  void tx.query(writeEntries, {
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

// Posts transfers: each business key moves money once, whatever is repeated or runs at the same time (contract 4 and 6).
import { strict as assert } from 'node:assert';

import { newUuid } from '../base/ids.ts';
import { int8Array, textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import {
  type AccountRow,
  insertEntries,
  insertTransfers,
  lockAccounts,
  selectByBusinessKeys,
  updateAccounts,
} from './ledger.sql.ts';
import {
  accountKey,
  type AccountState,
  buyerChange,
  faultOf,
  moveOf,
  type NewTransfer,
  type Plan,
  planEntries,
  type PlannedEntry,
  type TransferInput,
} from './transfer.rules.ts';

/** The transfer as it stands in the ledger, and whether it was this call that put it there. */
export type Posted = LedgerEntry & { readonly isNew: boolean };

/**
 * Five statements at most, whatever the number of transfers. The answer has every business key but those of amount 0; one that had been
 * posted before comes back as it was posted then, even if another amount is asked for now. The buyers' accounts must be open.
 */
export async function postTransfers(
  tx: Tx,
  transfers: readonly TransferInput[],
  now: Date,
): Promise<Map<string, Posted>> {
  const wanted = firstOfEachKey(transfers);
  if (wanted.length === 0) return new Map();
  const accounts = await lockTouched(tx, wanted);
  const inserted = await insertNew(tx, wanted, now);
  const fresh = wanted.filter(({ businessKey }) => inserted.has(businessKey));
  const plan = planEntries(fresh, accounts);
  if (fresh.length > 0) await write(tx, plan, now);
  const repeated = wanted.filter(({ businessKey }) => !inserted.has(businessKey));
  const posted = [...postedNow(fresh, plan.entries, now), ...(await postedBefore(tx, repeated))];
  return new Map(posted.map((entry) => [entry.businessKey, entry]));
}

function firstOfEachKey(transfers: readonly TransferInput[]): NewTransfer[] {
  const first = new Map<string, NewTransfer>();
  for (const transfer of transfers) {
    const fault = faultOf(transfer);
    assert(fault === null, `the transfer ${transfer.businessKey} cannot be posted: ${fault}`);
    if (transfer.amountCents === 0 || first.has(transfer.businessKey)) continue;
    first.set(transfer.businessKey, { ...transfer, transferId: newUuid() });
  }
  return [...first.values()];
}

async function lockTouched(tx: Tx, transfers: readonly NewTransfer[]): Promise<Map<string, AccountState>> {
  const moves = transfers.map((transfer) => moveOf(transfer));
  const keys = new Set(moves.flatMap(({ fromAccount, toAccount }) => [fromAccount, toAccount]));
  const rows = await tx.query<AccountRow>(lockAccounts, [textArray([...keys])]);
  assert(rows.length === keys.size, 'a transfer touches an account that is not open');
  return new Map(rows.map((row) => [row.accountKey, row]));
}

/** The business keys of those that were not in the ledger yet. */
async function insertNew(tx: Tx, transfers: readonly NewTransfer[], now: Date): Promise<Set<string>> {
  const moves = transfers.map((transfer) => moveOf(transfer));
  const rows = await tx.query<{ businessKey: string }>(insertTransfers, [
    uuidArray(transfers.map(({ transferId }) => transferId)),
    textArray(transfers.map(({ businessKey }) => businessKey)),
    textArray(transfers.map(({ type }) => type)),
    textArray(moves.map(({ fromAccount }) => fromAccount)),
    textArray(moves.map(({ toAccount }) => toAccount)),
    int8Array(moves.map(({ amountCents }) => amountCents)),
    textArray(transfers.map(({ description }) => description)),
    uuidArray(transfers.map(({ deliveryId }) => deliveryId ?? null)),
    uuidArray(transfers.map(({ returnId }) => returnId ?? null)),
    uuidArray(transfers.map(({ disputeId }) => disputeId ?? null)),
    uuidArray(transfers.map(({ invoiceId }) => invoiceId ?? null)),
    now,
  ]);
  return new Set(rows.map(({ businessKey }) => businessKey));
}

async function write(tx: Tx, { entries, accounts }: Plan, now: Date): Promise<void> {
  await tx.query(insertEntries, [
    uuidArray(entries.map(() => newUuid())),
    uuidArray(entries.map(({ transferId }) => transferId)),
    textArray(entries.map((entry) => entry.accountKey)),
    int8Array(entries.map(({ accountVersion }) => accountVersion)),
    int8Array(entries.map(({ amountCents }) => amountCents)),
    int8Array(entries.map(({ balanceAfterCents }) => balanceAfterCents)),
    now,
  ]);
  const states = [...accounts.values()];
  await tx.query(updateAccounts, [
    textArray([...accounts.keys()]),
    int8Array(states.map(({ balanceCents }) => balanceCents)),
    int8Array(states.map(({ heldCents }) => heldCents)),
    int8Array(states.map(({ version }) => version)),
  ]);
}

function postedNow(fresh: readonly NewTransfer[], entries: readonly PlannedEntry[], createdAt: Date): Posted[] {
  const balances = new Map(entries.map((entry) => [entry.transferId + entry.accountKey, entry.balanceAfterCents]));
  return fresh.map((transfer) => {
    const { transferId, businessKey, buyerKey, type, description } = transfer;
    const { deliveryId = null, returnId = null, disputeId = null, invoiceId = null } = transfer;
    const balanceAfterCents = balances.get(transferId + accountKey('buyer', buyerKey));
    assert(balanceAfterCents !== undefined, 'a transfer was planned without its buyer');
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

async function postedBefore(tx: Tx, repeated: readonly NewTransfer[]): Promise<Posted[]> {
  if (repeated.length === 0) return [];
  const entries = await tx.query<LedgerEntry>(selectByBusinessKeys, [repeated.map(({ businessKey }) => businessKey)]);
  assert(entries.length === repeated.length, 'a transfer that stands in the ledger cannot be read back');
  return entries.map((entry) => Object.assign(entry, { isNew: false }));
}

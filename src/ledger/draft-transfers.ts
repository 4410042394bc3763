// Writes transfers of which the entries follow, under the locks on their accounts (`enterTransfers`), in the same transaction.
import { strict as assert } from 'node:assert';

import { newUuid } from '../base/ids.ts';
import { int8Array, textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { insertTransfers } from './ledger.sql.ts';
import { faultOf, moveOf, type NewTransfer, type TransferInput } from './transfer.rules.ts';

export type Drafts = {
  /** New to the ledger: these and only these are to be entered. */
  readonly fresh: readonly NewTransfer[];
  /** In the ledger before under their business keys. */
  readonly repeated: readonly NewTransfer[];
};

/**
 * Without those of amount 0. Waits for whoever is posting under the same business key: call it before the accounts are locked only
 * with keys that nobody else can know of, or two could wait for each other.
 */
export async function draftTransfers(tx: Tx, transfers: readonly TransferInput[], now: Date): Promise<Drafts> {
  const wanted = firstOfEachKey(transfers);
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

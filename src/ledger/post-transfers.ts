// Posts transfers: each business key moves money once, whatever is repeated or runs at the same time (contract 4.14, 6.10).
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import { draftTransfers } from './draft-transfers.ts';
import { enterTransfers } from './enter-transfers.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { selectByBusinessKeys } from './ledger.sql.ts';
import { lockAccounts } from './lock-accounts.ts';
import {
  accountKey,
  accountsOf,
  buyerChange,
  type NewTransfer,
  type PlannedEntry,
  type TransferInput,
} from './transfer.rules.ts';

/** The transfer as it stands in the ledger, and whether it was this call that put it there. */
export type Posted = LedgerEntry & { readonly isNew: boolean };

/**
 * Four statements at most, whatever the number of transfers. The answer has every business key but those of amount 0; one that had been
 * posted before comes back as it was posted then, even if another amount is asked for now. The buyers' accounts must be open.
 */
export async function postTransfers(
  tx: Tx,
  transfers: readonly TransferInput[],
  now: Date,
): Promise<Map<string, Posted>> {
  const accounts = await lockAccounts(tx, accountsOf(transfers.filter(({ amountCents }) => amountCents !== 0)));
  const { fresh, repeated } = await draftTransfers(tx, transfers, now);
  const entries = await enterTransfers(tx, { fresh, accounts }, now);
  const posted = [...postedNow(fresh, entries, now), ...(await postedBefore(tx, repeated))];
  return new Map(posted.map((entry) => [entry.businessKey, entry]));
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
  const entries = await tx.query(selectByBusinessKeys, {
    businessKeys: repeated.map(({ businessKey }) => businessKey),
  });
  assert(entries.length === repeated.length, 'a transfer that stands in the ledger cannot be read back');
  return entries.map((entry) => Object.assign(entry, { isNew: false }));
}

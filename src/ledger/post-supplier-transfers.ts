// Posts transfers on suppliers' accounts: claw-backs, payouts and adjustments (contract 11.2). Costs are drafted with the charges.
import { strict as assert } from 'node:assert';
import type { Tx } from '../platform/database/database.ts';
import { lockAccounts } from './accounts.ts';
import type { SupplierEntry } from './entry.rules.ts';
import { selectSupplierEntries } from './ledger.sql.ts';
import { draftTransfers, enterTransfers } from './post-transfers.ts';
import { accountKey, accountsOf, type SupplierTransferInput, supplierChange } from './transfer.rules.ts';

/** The transfer as stored in the ledger, and whether this call posted it. */
export type PostedToSupplier = SupplierEntry & { readonly isNew: boolean };

/**
 * Like `postTransfers`, for suppliers. Partners' accounts that the transaction changes as well must be locked before. Returns the transfers by
 * business key, without those of amount 0; one posted before is returned as it was posted.
 */
export async function postSupplierTransfers(
  tx: Tx,
  transfers: readonly SupplierTransferInput[],
  now: Date,
): Promise<Map<string, PostedToSupplier>> {
  const accounts = await lockAccounts(tx, accountsOf(transfers.filter(({ amountCents }) => amountCents !== 0)));
  const { fresh, repeated } = await draftTransfers(tx, transfers, now);
  const entries = enterTransfers(tx, { fresh, accounts }, now);
  const balances = new Map(entries.map((entry) => [entry.transferId + entry.accountKey, entry.balanceAfterCents]));
  const posted = fresh.map(({ releaseHeldCents: _none, buyerKey: _nobody, ...transfer }): PostedToSupplier => {
    const { deliveryId = null, returnId = null, disputeId = null } = transfer;
    const balanceAfterCents = balances.get(transfer.transferId + accountKey('supplier', transfer.supplierKey));
    assert(balanceAfterCents !== undefined, 'a planned transfer has no entry for its supplier');
    const amountCents = supplierChange(transfer);
    return {
      ...transfer,
      deliveryId,
      returnId,
      disputeId,
      amountCents,
      balanceAfterCents,
      createdAt: now,
      isNew: true,
    };
  });
  const businessKeys = repeated.map(({ businessKey }) => businessKey);
  const known = businessKeys.length === 0 ? [] : await tx.query(selectSupplierEntries, { businessKeys });
  assert(known.length === repeated.length, 'a posted transfer cannot be read back');
  const all = [...posted, ...known.map((entry) => ({ ...entry, isNew: false }))];
  return new Map(all.map((entry) => [entry.businessKey, entry]));
}

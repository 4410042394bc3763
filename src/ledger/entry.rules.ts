// A ledger entry as its buyer sees it, and the range of account versions on one page of entries (contract 6.18).
import type { ClaimId, DeliveryId, InvoiceId, TransferId } from '../base/ids.ts';
import type { SupplierTransferType, TransferType } from './transfer.rules.ts';

/** The entry of a transfer on the buyer's own account. */
export type LedgerEntry = {
  /** On the wire `entryId` (`txn_…`): a transfer has exactly one entry that a buyer can see. */
  readonly transferId: TransferId;
  readonly businessKey: string;
  readonly buyerKey: string;
  readonly type: TransferType;
  /** Below 0 for a charge, above for a credit and a payment, either for an adjustment. */
  readonly amountCents: number;
  readonly balanceAfterCents: number;
  readonly description: string;
  readonly deliveryId: DeliveryId | null;
  readonly returnId: ClaimId | null;
  readonly disputeId: ClaimId | null;
  readonly invoiceId: InvoiceId | null;
  readonly createdAt: Date;
};

/** The entry of a transfer on the supplier's own account. */
export type SupplierEntry = Omit<LedgerEntry, 'buyerKey' | 'type' | 'invoiceId'> & {
  readonly supplierKey: string;
  /** The amount is above 0 for a cost, below for a claw-back and a payout, either for an adjustment. */
  readonly type: SupplierTransferType;
};

/** Account versions: after < version ≤ upTo. */
export type VersionRange = { readonly after: number; readonly upTo: number };

/**
 * `total` is the account's version: entries are numbered from 1 without a gap, so a page needs no counting and no OFFSET. Page 1 holds the
 * newest entries; null for a page past the end.
 */
export function versionsOfPage(total: number, page: number, pageSize: number): VersionRange | null {
  const upTo = total - (page - 1) * pageSize;
  return upTo <= 0 ? null : { after: Math.max(0, upTo - pageSize), upTo };
}

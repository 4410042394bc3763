// A ledger entry as its buyer sees it, and the account versions on one page of entries (contract 6.18).
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

/** Which entries of an account, by their versions: a range without some, or only some. The versions ascend, and those left out are within the range. */
export type EntrySet =
  | { readonly range: VersionRange; readonly without: readonly number[] }
  | { readonly only: readonly number[] };

export function countEntries(set: EntrySet): number {
  return 'only' in set ? set.only.length : Math.max(0, set.range.upTo - set.range.after) - set.without.length;
}

/** Newest first. Counts nothing but the versions left out, because entries are numbered from 1 without a gap. Empty past the end. */
export function versionsOfPage(set: EntrySet, page: number, pageSize: number): number[] {
  const skipped = (page - 1) * pageSize;
  if ('only' in set) return set.only.toReversed().slice(skipped, skipped + pageSize);
  const versions: number[] = [];
  let left = skipped;
  let upTo = set.range.upTo;
  for (const hole of [...set.without.toReversed(), set.range.after]) {
    const size = Math.max(0, upTo - hole);
    for (let version = upTo - left; version > hole && versions.length < pageSize; version -= 1) versions.push(version);
    if (versions.length === pageSize) break;
    left = Math.max(0, left - size);
    upTo = hole - 1;
  }
  return versions;
}

/** `strays`, which ascend and are within the range, are left out; those at its ends make it shorter instead. */
export function rangeWithout({ after, upTo }: VersionRange, strays: readonly number[]): EntrySet {
  let first = 0;
  while (first < strays.length && strays[first] === after + 1 + first) first += 1;
  let cut = 0;
  while (cut < strays.length - first && strays[strays.length - 1 - cut] === upTo - cut) cut += 1;
  return {
    range: { after: after + first, upTo: upTo - cut },
    without: strays.slice(first, strays.length - cut),
  };
}

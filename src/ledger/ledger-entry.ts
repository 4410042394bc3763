// A transfer as its buyer sees it: the entry on the buyer's own account (contract 6.18).
import type { Uuid, InvoiceId, DeliveryId, TransferId } from '../base/ids.ts';
import type { TransferType } from './transfer.rules.ts';

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
  readonly returnId: Uuid | null;
  readonly disputeId: Uuid | null;
  readonly invoiceId: InvoiceId | null;
  readonly createdAt: Date;
};

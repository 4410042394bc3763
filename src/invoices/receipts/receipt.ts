// A receipt: the document of one payment of a prepaid partner (contract 6.21).
import type { ReceiptId } from '../../base/ids.ts';
import type { PartyDetails } from '../invoice.ts';

/** Fixed when it is issued. */
export type Receipt = {
  readonly receiptId: ReceiptId;
  /** `RCP-2026-000001`, counted without gaps in the UTC year of issue. */
  readonly number: string;
  readonly buyerKey: string;
  readonly amountCents: number;
  /** Of the payment, as in the partner's ledger. */
  readonly description: string;
  readonly paidAt: Date;
  /** Of the partner. */
  readonly timeZone: string;
  readonly currency: string;
  readonly sellerName: string;
  readonly sellerDetails: PartyDetails;
  readonly buyerName: string;
  readonly buyerDetails: PartyDetails;
  readonly issuedAt: Date;
};

export function receiptNumber(year: number, count: number): string {
  return `RCP-${year}-${String(count).padStart(6, '0')}`;
}

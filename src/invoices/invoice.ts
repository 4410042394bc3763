// An invoice: what a partner was charged and credited in one calendar month of its own zone (contract 6.19).
import type { InvoiceId } from '../base/ids.ts';

export type InvoiceStatus = 'draft' | 'issued' | 'paid' | 'overdue' | 'void';
/** A draft lives only inside the transaction that issues it. */
export const invoiceStatuses: readonly InvoiceStatus[] = ['draft', 'issued', 'paid', 'overdue', 'void'];

/** As it was issued, but for what has been paid since, and for its status at the time of reading. */
export type Invoice = {
  readonly invoiceId: InvoiceId;
  readonly number: string;
  readonly buyerKey: string;
  /** `YYYY-MM` in `timeZone`. */
  readonly month: string;
  readonly timeZone: string;
  readonly startsAt: Date;
  /** The first instant that no longer belongs to it. */
  readonly endsAt: Date;
  readonly sellerName: string;
  readonly buyerName: string;
  readonly currency: string;
  readonly status: InvoiceStatus;
  readonly subtotalCents: number;
  readonly creditsCents: number;
  /** What earlier invoices carried to this one. */
  readonly carriedInCents: number;
  /** What the credits exceed the charges by: it is carried to a later invoice, which is `carriedTo` once it is issued. */
  readonly carriedOutCents: number;
  readonly carriedTo: InvoiceId | null;
  /** Charges less credits and what was carried in, plus what is carried out. Below 0 on invoices of earlier releases only. */
  readonly totalCents: number;
  /** What of the total was covered by money that the partner had left. */
  readonly fromBalanceCents: number;
  /** What of the total was covered by payments of this very invoice. */
  readonly paidCents: number;
  readonly amountDueCents: number;
  readonly issuedAt: Date;
  readonly dueAt: Date;
  readonly paidAt: Date | null;
  readonly voidedAt: Date | null;
  readonly voidNote: string | null;
};

/** So many charges of one kind at one price on one day of the period; day 0 is before it. */
export type InvoiceItem = {
  readonly day: number;
  readonly what: string;
  readonly unitCents: number;
  readonly quantity: number;
};

/** A credit or a payment as the partner reads it. */
export type InvoicePosting = { readonly at: Date; readonly description: string; readonly amountCents: number };

export type InvoiceDetail = {
  readonly invoice: Invoice;
  readonly items: readonly InvoiceItem[];
  /** Oldest first, and no more of them than a document lists. */
  readonly credits: readonly InvoicePosting[];
  /** How many there are in all. */
  readonly creditCount: number;
  /** Oldest first. */
  readonly payments: readonly InvoicePosting[];
};

export type MonthSum = {
  readonly invoices: number;
  readonly subtotalCents: number;
  readonly creditsCents: number;
  readonly totalCents: number;
  readonly amountDueCents: number;
};

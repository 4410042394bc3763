// Types of invoices: the charges and credits of a partner in one calendar month of its time zone (contract 6.19).

import type { InvoiceId } from '../base/ids.ts';

export type InvoiceStatus = 'draft' | 'issued' | 'paid' | 'overdue' | 'void';
/** A draft exists only inside the transaction that issues it. */
export const invoiceStatuses: readonly InvoiceStatus[] = ['draft', 'issued', 'paid', 'overdue', 'void'];

/** What an invoice says of one side beside its name; invoices of earlier releases say nothing. */
export type PartyDetails = { readonly address?: readonly string[]; readonly taxId?: string | null };

/** Fixed at issue, except for payments and for the status, which is as of the time of reading. */
export type Invoice = {
  readonly invoiceId: InvoiceId;
  readonly number: string;
  readonly buyerKey: string;
  /** `YYYY-MM` in `timeZone`. */
  readonly month: string;
  readonly timeZone: string;
  readonly startsAt: Date;
  /** Exclusive. */
  readonly endsAt: Date;
  readonly sellerName: string;
  readonly buyerName: string;
  readonly sellerDetails: PartyDetails;
  readonly buyerDetails: PartyDetails;
  readonly currency: string;
  readonly status: InvoiceStatus;
  readonly subtotalCents: number;
  readonly creditsCents: number;
  /** Carried from earlier invoices. */
  readonly carriedInCents: number;
  /** Excess of credits over charges, carried to a later invoice: `carriedTo`, once that is issued. */
  readonly carriedOutCents: number;
  readonly carriedTo: InvoiceId | null;
  /** Hundredths of a percent, of what is left of the charges after credits and what earlier invoices carried. */
  readonly taxBasisPoints: number;
  readonly taxCents: number;
  /** Charges − credits − carried in + carried out + tax. Negative on invoices of earlier releases only. */
  readonly totalCents: number;
  /** Part of the total paid from the available balance. */
  readonly fromBalanceCents: number;
  /** Part of the total paid by payments for this invoice. */
  readonly paidCents: number;
  readonly amountDueCents: number;
  readonly issuedAt: Date;
  readonly dueAt: Date;
  readonly paidAt: Date | null;
  readonly voidedAt: Date | null;
  readonly voidNote: string | null;
};

/** Number of charges of one kind and price on one day of the period; day 0 is before the period. */
export type InvoiceItem = {
  readonly day: number;
  readonly what: string;
  readonly unitCents: number;
  readonly quantity: number;
};

/** A credit or payment, as shown to the partner. */
export type InvoicePosting = { readonly at: Date; readonly description: string; readonly amountCents: number };

export type InvoiceDetail = {
  readonly invoice: Invoice;
  readonly items: readonly InvoiceItem[];
  /** Oldest first, limited to the number that a document lists. */
  readonly credits: readonly InvoicePosting[];
  /** Number of all credits. */
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

/** Filters of the operator's list; `open` is issued or overdue. */
export const listedStatuses = ['any', 'open', 'issued', 'overdue', 'paid', 'void'] as const;
export type ListedStatus = (typeof listedStatuses)[number];

/** By time of issue, due time or amount, from the earliest or lowest on, or with `-` from the latest or highest on. */
export const invoiceOrders = [
  'issued',
  '-issued',
  'due',
  '-due',
  'total',
  '-total',
  'amountDue',
  '-amountDue',
] as const;
export type InvoiceOrder = (typeof invoiceOrders)[number];

/** What a list of invoices comes to. */
export type InvoiceSums = { readonly rows: number; readonly cents: number };

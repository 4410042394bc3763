// Invoices in the operator's console: the list, one invoice, payments, and the monthly run (contract 6.19, 7.2).
import { type Static, Type } from 'typebox';
import { invoiceOrders, listedStatuses } from '../invoices/invoice.ts';
import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const amount = Type.Number();
const count = Type.Integer({ minimum: 0 });

/** Pages beyond the counted items are empty. */
const PAGE_MAX = 200;
export const PAGE_SIZE = 50;
const Month = Type.String({ pattern: '^2\\d{3}-(?:0[1-9]|1[0-2])$' });
const PartnerKey = Type.String({ minLength: 1, maxLength: 63 });

export const InvoicesQuerySchema = Type.Object({
  month: Type.Optional(Month),
  status: Type.Optional(Type.Enum([...listedStatuses], { default: 'any' })),
  partner: Type.Optional(PartnerKey),
  sort: Type.Optional(
    Type.Enum([...invoiceOrders], {
      default: '-issued',
      description:
        'What to order by; `-` begins with the latest or highest. Other orders than by `issued` need `month` or `partner`.',
    }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 1 })),
});
export type InvoicesQuery = Static<typeof InvoicesQuerySchema>;
const { month: ofMonth, status: ofStatus, partner: ofPartner } = InvoicesQuerySchema.properties;
/** The filters alone. */
export const InvoiceFiltersSchema = Type.Object({ month: ofMonth, status: ofStatus, partner: ofPartner });
export type InvoiceFilters = Static<typeof InvoiceFiltersSchema>;
/** Invoice number or id. */
export const InvoiceParams = Type.Object({ id: text });
export const DocumentQuery = Type.Object({ form: Type.Optional(Type.Enum(['pdf', 'html'], { default: 'pdf' })) });

const members = {
  invoiceId: text,
  number: text,
  partner: text,
  partnerName: text,
  /** `YYYY-MM` in `timeZone`. */
  month: text,
  timeZone: text,
  periodStart: time,
  periodEnd: time,
  status: Type.Enum(['issued', 'paid', 'overdue', 'void']),
  subtotal: amount,
  credits: amount,
  carriedIn: amount,
  carriedOut: amount,
  net: amount,
  taxPercent: amount,
  tax: amount,
  total: amount,
  amountDue: amount,
  issuedAt: time,
  dueAt: time,
  currency: text,
  fromBalance: amount,
  paid: amount,
  paidAt: orNull(time),
  voidedAt: orNull(time),
  voidNote: orNull(text),
};
export const InvoiceSchema = Type.Object(members);
export type Invoice = Static<typeof InvoiceSchema>;

export const InvoicesSchema = Type.Object({
  page: count,
  pageSize: count,
  total: count,
  totalPages: count,
  hasMore: Type.Boolean({ description: 'Whether there are more than were counted.' }),
  currency: text,
  /** Totals of the requested month, without void invoices. */
  sum: orNull(Type.Object({ invoices: count, subtotal: amount, credits: amount, total: amount, amountDue: amount })),
  data: Type.Array(InvoiceSchema),
});

export type Invoices = Static<typeof InvoicesSchema>;

const Posting = Type.Object({ at: time, description: text, amount });
export type InvoicePosting = Static<typeof Posting>;

export const InvoiceDetailSchema = Type.Object({
  ...members,
  /** 0 for entries before the month. */
  items: Type.Array(Type.Object({ day: count, what: text, unit: amount, quantity: count })),
  credited: Type.Array(Posting),
  creditCount: count,
  payments: Type.Array(Posting),
  /** The part of the partner's balance that can pay this invoice; null if nothing is due. */
  free: orNull(amount),
});
export type InvoiceDetail = Static<typeof InvoiceDetailSchema>;

export const PayBody = Type.Object(
  {
    /** The amount received; null pays from the partner's balance. */
    amount: orNull(Type.Number()),
  },
  { additionalProperties: false },
);
export type InvoicePayment = Static<typeof PayBody>;
export const VoidBody = Type.Object(
  { note: Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\p{Cc}]*$' }) },
  { additionalProperties: false },
);
export type InvoiceVoiding = Static<typeof VoidBody>;
export const RunBody = Type.Object(
  { month: Month, partner: Type.Optional(PartnerKey), dryRun: Type.Boolean() },
  { additionalProperties: false },
);
export type InvoiceRun = Static<typeof RunBody>;

/** The outcome for one partner. */
export type InvoiceRunResult = {
  readonly kind: 'line';
  readonly outcome: 'due' | 'issued' | 'exists';
  readonly partner: string;
  readonly partnerName: string;
  /** Characters of the name or address that the PDF cannot show; empty for none. */
  readonly unprintable: string;
  readonly number: string | null;
  readonly subtotal: number;
  readonly credits: number;
  readonly total: number;
  readonly amountDue: number;
};
export type InvoiceRunProgress = { readonly kind: 'progress'; readonly done: number; readonly of: number };
export type InvoiceRunEnd = {
  readonly kind: 'end';
  /** False if the service stopped during the run. */
  readonly isWhole: boolean;
  readonly partners: number;
  /** Invoices that the run issued, or would issue. */
  readonly invoices: number;
  readonly existed: number;
  readonly total: number;
  readonly amountDue: number;
};
export type InvoiceRunLine = InvoiceRunResult | InvoiceRunProgress | InvoiceRunEnd;

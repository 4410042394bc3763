// Invoices as the operator's console has them (contract 6.19, 7.2).
import { Type } from 'typebox';

import { listedStatuses } from '../invoices/listed-status.ts';
import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const amount = Type.Number();
const count = Type.Integer({ minimum: 0 });

/** A page beyond what is counted has nothing. */
const PAGE_MAX = 200;
export const PAGE_SIZE = 50;
const Month = Type.String({ pattern: '^2\\d{3}-(?:0[1-9]|1[0-2])$' });
const PartnerKey = Type.String({ minLength: 1, maxLength: 63 });

export const ListQuery = Type.Object({
  month: Type.Optional(Month),
  status: Type.Optional(Type.Enum([...listedStatuses], { default: 'any' })),
  partner: Type.Optional(PartnerKey),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 1 })),
});
/** Number or id. */
export const InvoiceParams = Type.Object({ id: text });
export const DocumentQuery = Type.Object({ form: Type.Optional(Type.Enum(['pdf', 'html'], { default: 'pdf' })) });

const form = {
  invoiceId: text,
  number: text,
  partner: text,
  partnerName: text,
  month: text,
  timeZone: text,
  periodStart: time,
  periodEnd: time,
  status: Type.Enum(['issued', 'paid', 'overdue', 'void']),
  subtotal: amount,
  credits: amount,
  carriedIn: amount,
  carriedOut: amount,
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

export const InvoicesSchema = Type.Object({
  page: count,
  pageSize: count,
  total: count,
  totalPages: count,
  hasMore: Type.Boolean({ description: 'There are more than are counted.' }),
  currency: text,
  /** Of the month asked for, without void ones. */
  sum: orNull(Type.Object({ invoices: count, subtotal: amount, credits: amount, total: amount, amountDue: amount })),
  data: Type.Array(Type.Object(form)),
});

const Posting = Type.Object({ at: time, description: text, amount });

export const InvoiceDetailSchema = Type.Object({
  ...form,
  items: Type.Array(Type.Object({ day: count, what: text, unit: amount, quantity: count })),
  credited: Type.Array(Posting),
  creditCount: count,
  payments: Type.Array(Posting),
  /** What the partner's balance has free to pay with; null where nothing is due. */
  free: orNull(amount),
});

export const PayBody = Type.Object(
  {
    /** What came in; null pays from what the balance has free. */
    amount: orNull(Type.Number()),
  },
  { additionalProperties: false },
);
export const VoidBody = Type.Object(
  { note: Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\p{Cc}]*$' }) },
  { additionalProperties: false },
);
export const RunBody = Type.Object(
  { month: Month, partner: Type.Optional(PartnerKey), dryRun: Type.Boolean() },
  { additionalProperties: false },
);

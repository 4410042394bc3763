// The ledger in the operator's console: accounts, their entries, a manual posting, and the recount (contract 7.7).
import { type Static, Type } from 'typebox';

import { buyerStatuses } from '../buyers/partner.schema.ts';
import { accountOrders } from '../invoices/account-order.rules.ts';
import { transferTypes } from '../ledger/transfer.rules.ts';
import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const amount = Type.Number();
const count = Type.Integer({ minimum: 0 });
const time = Type.String({ format: 'date-time' });
const page = Type.Optional(Type.Integer({ minimum: 1, default: 1 }));
const pageMembers = { page: count, pageSize: count, total: count, totalPages: count };

export const AccountsQuerySchema = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 100 })),
  order: Type.Optional(Type.Enum([...accountOrders], { default: 'name' })),
  page,
});
export type AccountsQuery = Static<typeof AccountsQuerySchema>;

const AccountSchema = Type.Object({
  partner: text,
  name: text,
  status: Type.Enum([...buyerStatuses]),
  mode: Type.Enum(['prepaid', 'postpaid']),
  timeZone: text,
  balance: amount,
  held: amount,
  /** Null: no limit. */
  creditLimit: orNull(amount),
  available: orNull(amount),
});
export type Account = Static<typeof AccountSchema>;

export const AccountsSchema = Type.Object({ ...pageMembers, currency: text, data: Type.Array(AccountSchema) });
export type Accounts = Static<typeof AccountsSchema>;

export const AccountParams = Type.Object({ partner: text });
const filters = {
  type: Type.Optional(Type.Enum([...transferTypes])),
  /** from ≤ posted < to. */
  from: Type.Optional(time),
  to: Type.Optional(time),
};
export const AccountQuerySchema = Type.Object({ page, ...filters });
export type AccountQuery = Static<typeof AccountQuerySchema>;

/** The filters alone. */
export const EntryFiltersSchema = Type.Object(filters);
export type EntryFilters = Static<typeof EntryFiltersSchema>;

const EntrySchema = Type.Object({
  entryId: text,
  createdAt: time,
  type: Type.Enum([...transferTypes]),
  amount,
  balanceAfter: amount,
  description: text,
  deliveryId: orNull(text),
  returnId: orNull(text),
  disputeId: orNull(text),
  invoiceId: orNull(text),
});
export type Entry = Static<typeof EntrySchema>;

export const AccountPageSchema = Type.Object({
  currency: text,
  account: AccountSchema,
  entries: Type.Object({ ...pageMembers, data: Type.Array(EntrySchema) }),
});
export type AccountPage = Static<typeof AccountPageSchema>;

export const PostingBody = Type.Object(
  {
    partner: Type.String({ minLength: 1, maxLength: 63 }),
    type: Type.Enum(['payment', 'credit', 'adjustment']),
    /** Not 0; negative for an adjustment only. */
    amount: Type.Number(),
    /** One line, shown to the partner. */
    description: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\p{Cc}]*$' }),
  },
  { additionalProperties: false },
);
export type Posting = Static<typeof PostingBody>;

export const PostedSchema = Type.Object({
  entryId: text,
  partner: text,
  type: Type.Enum(['payment', 'credit', 'adjustment']),
  amount,
  balanceBefore: amount,
  balanceAfter: amount,
  description: text,
  createdAt: time,
});
export type Posted = Static<typeof PostedSchema>;

/** One line of the recount's stream. */
export type CheckLine =
  | { readonly kind: 'step'; readonly step: string; readonly done: number; readonly of: number }
  | {
      readonly kind: 'end';
      readonly ok: boolean;
      readonly accounts: number;
      readonly entries: number;
      readonly difference: number;
      readonly faults: readonly string[];
    };

// SQL statements for the operator's list of invoices.
import { COUNTED_MAX } from '../base/counted-max.ts';
import { statement } from '../platform/database/database.ts';
import {
  type Invoice,
  type InvoiceOrder,
  invoiceOrders,
  type InvoiceSums,
  type ListedStatus,
  listedStatuses,
  type MonthSum,
} from './invoice.ts';
import { invoiceColumns } from './invoice.sql.ts';

/** An invoice is overdue from its due time on, even before the stored status says so. */
const STATUSES = {
  any: `status <> 'draft'`,
  open: `status IN ('issued', 'overdue')`,
  issued: `status = 'issued' AND due_at > $now`,
  overdue: `status IN ('issued', 'overdue') AND due_at <= $now`,
  paid: `status = 'paid'`,
  void: `status = 'void'`,
} as const satisfies Record<ListedStatus, string>;
const OF_MONTH = `period = to_date($month, 'YYYY-MM')`;
const OF_BUYER = 'buyer_key = $buyerKey';

type OfMonth = { readonly month: string };
type OfBuyer = { readonly buyerKey: string };

/** Statements that count and page invoices; `Condition` has the parameters of the conditions. */
const listing = <Condition>(name: string, conditions: readonly string[]) => {
  // Uses $now in any case, so that all counts have the same parameters.
  const where = ['$now::timestamptz IS NOT NULL', ...conditions].join(' AND ');
  return {
    count: statement<{ readonly now: Date } & Condition, { total: number }>(
      `invoices.count_${name}`,
      `SELECT count(*) AS total FROM (SELECT FROM invoice WHERE ${where} LIMIT ${COUNTED_MAX + 1}) AS counted`,
    ),
    sum: statement<{ readonly now: Date; readonly limit: number } & Condition, InvoiceSums>(
      `invoices.sum_${name}`,
      `SELECT count(*) AS rows, coalesce(sum(amount_due_cents), 0)::bigint AS cents
       FROM (SELECT amount_due_cents FROM invoice WHERE ${where} LIMIT $limit) AS shown`,
    ),
    pages: Object.fromEntries(
      invoiceOrders.map((order) => [order, pageBy<Condition>(`${name}_by_${order}`, where, order)]),
    ) as Readonly<Record<InvoiceOrder, ReturnType<typeof pageBy<Condition>>>>,
  };
};

const BY = { issued: 'issued_at', due: 'due_at', total: 'total_cents', amountDue: 'amount_due_cents' } as const;

function pageBy<Condition>(name: string, where: string, order: InvoiceOrder) {
  const [column, direction] = order.startsWith('-') ? [order.slice(1), 'DESC'] : [order, 'ASC'];
  return statement<{ readonly now: Date; readonly offset: number; readonly limit: number } & Condition, Invoice>(
    `invoices.page_${name}`,
    `SELECT ${invoiceColumns} FROM invoice WHERE ${where}
     ORDER BY ${BY[column as keyof typeof BY]} ${direction}, invoice_id ${direction} OFFSET $offset LIMIT $limit`,
  );
}

const listings = (status: ListedStatus) => ({
  ofAll: listing<unknown>(status, [STATUSES[status]]),
  ofMonth: listing<OfMonth>(`${status}_of_month`, [STATUSES[status], OF_MONTH]),
  ofBuyer: listing<OfBuyer>(`${status}_of_partner`, [STATUSES[status], OF_BUYER]),
  ofMonthAndBuyer: listing<OfMonth & OfBuyer>(`${status}_of_month_of_partner`, [STATUSES[status], OF_MONTH, OF_BUYER]),
});

/** One statement per set of conditions, because the planner can only use an index for conditions known at planning time. */
export const invoiceListings = Object.fromEntries(listedStatuses.map((status) => [status, listings(status)])) as Record<
  ListedStatus,
  ReturnType<typeof listings>
>;

/** Sums over all invoices of a month that are not void. */
export const sumOfMonth = statement<{ readonly month: string }, MonthSum>(
  'invoices.sum_of_month',
  `SELECT count(*) AS invoices, coalesce(sum(subtotal_cents), 0)::bigint AS "subtotalCents",
          coalesce(sum(credits_cents), 0)::bigint AS "creditsCents", coalesce(sum(total_cents), 0)::bigint AS "totalCents",
          coalesce(sum(amount_due_cents), 0)::bigint AS "amountDueCents"
   FROM invoice WHERE period = to_date($month, 'YYYY-MM') AND status NOT IN ('draft', 'void')`,
);

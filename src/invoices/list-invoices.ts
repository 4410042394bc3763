// Lists invoices for the operator, newest first, with the sums of a month (contract 7.2).
import { strict as assert } from 'node:assert';
import type { Tx } from '../platform/database/database.ts';
import { COUNTED_MAX } from '../base/counted-max.ts';
import { invoiceListings, sumOfMonth } from './list-invoices.sql.ts';
import type { Invoice, InvoiceOrder, InvoiceSums, MonthSum, ListedStatus } from './invoice.ts';

export type InvoiceFilter = {
  readonly status: ListedStatus;
  /** `YYYY-MM`; null for all. */
  readonly month: string | null;
  readonly buyerKey: string | null;
};

export type InvoicePage = InvoiceFilter & {
  readonly order: InvoiceOrder;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

/** `total` is exact up to `COUNTED_MAX`, and one more beyond. The sums are of the whole month, regardless of other conditions. */
export async function listInvoices(
  tx: Tx,
  { page, pageSize, order, ...filter }: InvoicePage,
  now: Date,
): Promise<{ readonly total: number; readonly invoices: readonly Invoice[]; readonly sum: MonthSum | null }> {
  const listing = selectListing(tx, filter, now);
  const [count] = await listing.count();
  const total = count?.total ?? 0;
  const offset = (page - 1) * pageSize;
  const isPast = offset >= Math.min(total, COUNTED_MAX);
  const invoices = isPast ? [] : await listing.page(orderOf(filter, order), { offset, limit: pageSize });
  return { total, invoices, sum: filter.month === null ? null : await readSum(tx, filter.month) };
}

/** By amounts and due time a month or a partner is ordered, each of which has few invoices; all invoices come by time of issue. */
function orderOf({ month, buyerKey }: InvoiceFilter, order: InvoiceOrder): InvoiceOrder {
  if (month !== null || buyerKey !== null || order === 'issued') return order;
  return '-issued';
}

/** The invoices on all pages of `listInvoices`, up to `limit`, and what is due on them. */
export async function sumInvoices(tx: Tx, filter: InvoiceFilter, limit: number, now: Date): Promise<InvoiceSums> {
  const [sums] = await selectListing(tx, filter, now).sum(limit);
  assert(sums !== undefined, 'a sum has always a row');
  return sums;
}

type Listing = {
  count(): Promise<ReadonlyArray<{ readonly total: number }>>;
  sum(limit: number): Promise<readonly InvoiceSums[]>;
  page(order: InvoiceOrder, range: { readonly offset: number; readonly limit: number }): Promise<readonly Invoice[]>;
};

function selectListing(tx: Tx, { status, month, buyerKey }: InvoiceFilter, now: Date): Listing {
  const { ofAll, ofMonth, ofBuyer, ofMonthAndBuyer } = invoiceListings[status];
  if (month !== null && buyerKey !== null) {
    const conditions = { now, month, buyerKey };
    return {
      count: () => tx.query(ofMonthAndBuyer.count, conditions),
      sum: (limit) => tx.query(ofMonthAndBuyer.sum, { ...conditions, limit }),
      page: (order, range) => tx.query(ofMonthAndBuyer.pages[order], { ...conditions, ...range }),
    };
  }
  if (month !== null) {
    return {
      count: () => tx.query(ofMonth.count, { now, month }),
      sum: (limit) => tx.query(ofMonth.sum, { now, month, limit }),
      page: (order, range) => tx.query(ofMonth.pages[order], { now, month, ...range }),
    };
  }
  if (buyerKey !== null) {
    return {
      count: () => tx.query(ofBuyer.count, { now, buyerKey }),
      sum: (limit) => tx.query(ofBuyer.sum, { now, buyerKey, limit }),
      page: (order, range) => tx.query(ofBuyer.pages[order], { now, buyerKey, ...range }),
    };
  }
  return {
    count: () => tx.query(ofAll.count, { now }),
    sum: (limit) => tx.query(ofAll.sum, { now, limit }),
    page: (order, range) => tx.query(ofAll.pages[order], { now, ...range }),
  };
}

async function readSum(tx: Tx, month: string): Promise<MonthSum> {
  const [sum] = await tx.query(sumOfMonth, { month });
  assert(sum !== undefined, 'a sum always returns a row');
  return sum;
}

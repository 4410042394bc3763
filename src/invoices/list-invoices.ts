// A page of invoices for the operator, newest first, and what those of a month come to (contract 7.2).
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import { COUNTED_MAX } from '../base/counted-max.ts';
import { type InvoiceFilter, listingOf, sumOfMonth } from './invoice-list.sql.ts';
import type { Invoice } from './invoice.ts';

export type InvoicePage = InvoiceFilter & {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

export type MonthSum = {
  readonly invoices: number;
  readonly subtotalCents: number;
  readonly creditsCents: number;
  readonly totalCents: number;
  readonly amountDueCents: number;
};

/** `total` is exact up to `COUNTED_MAX`; then the next number, which says "more". The sum is of the month, whatever the other conditions. */
export async function listInvoices(
  tx: Tx,
  { page, pageSize, ...filter }: InvoicePage,
  now: Date,
): Promise<{ readonly total: number; readonly invoices: readonly Invoice[]; readonly sum: MonthSum | null }> {
  const listing = listingOf(filter, now);
  const [count] = await tx.query<{ total: number }>(listing.count, listing.values);
  const total = count?.total ?? 0;
  const offset = (page - 1) * pageSize;
  const isPast = offset >= Math.min(total, COUNTED_MAX);
  const invoices = isPast ? [] : await tx.query<Invoice>(listing.page, [...listing.values, offset, pageSize]);
  return { total, invoices, sum: filter.month === null ? null : await readSum(tx, filter.month) };
}

async function readSum(tx: Tx, month: string): Promise<MonthSum> {
  const [sum] = await tx.query(sumOfMonth, { month });
  assert(sum !== undefined, 'a sum has always a row');
  return sum;
}

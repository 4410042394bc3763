// Adds up what lists show: a partner's deliveries under filters and a search, and the sales of leads.
import { strict as assert } from 'node:assert';

import type { LeadId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { countByDay } from './count-deliveries.ts';
import { type DeliverySums, sumFound, sumListed, sumSalesOfLeads } from './delivery-sums.sql.ts';
import type { DeliveryQuery } from './list-deliveries.ts';
import { pageSpan, totalOf, within } from './page-span.rules.ts';
import { findAllIds } from './search/find-deliveries.ts';
import type { ParsedSearch } from './search/search-query.rules.ts';

type Listed = {
  readonly query: Omit<DeliveryQuery, 'page' | 'pageSize' | 'isOldestFirst'>;
  /** Null for no search. */
  readonly parsed: ParsedSearch | null;
  /** Rows that are read. */
  readonly atMost: number;
};

const NONE: DeliverySums = { rows: 0, cents: 0 };

/** Of the rows of `listDeliveries` or `findDeliveries`. `isAll`: false if a search did not look at all deliveries. */
export async function sumDeliveries(
  tx: Tx,
  buyerKey: string,
  { query, parsed, atMost }: Listed,
): Promise<DeliverySums & { readonly isAll: boolean }> {
  if (parsed !== null || (query.narrowing ?? null) !== null) {
    const { ids, backTo } = await findAllIds(tx, buyerKey, { query, parsed });
    const [found = NONE] = ids.length === 0 ? [] : await tx.query(sumFound, { buyerKey, ids });
    return { ...found, isAll: backTo === null };
  }
  const { status, eventType = null } = query;
  // The counts per day limit the scan, as for the list.
  const days = await countByDay(tx, buyerKey, query);
  const span = within(pageSpan(days, 0, totalOf(days)), query);
  if (span === null) return { ...NONE, isAll: true };
  const { from, until } = span;
  const [sums = NONE] = await tx.query(sumListed({ status, eventType }), { buyerKey, from, until, atMost });
  return { ...sums, isAll: true };
}

/** How many of the leads were sold, and the money of their confirmed deliveries. */
export async function sumSales(
  tx: Tx,
  leadIds: readonly LeadId[],
): Promise<{ readonly sold: number; readonly cents: number }> {
  const [sums] = await tx.query(sumSalesOfLeads, { leadIds });
  assert(sums !== undefined, 'a sum has always a row');
  return sums;
}

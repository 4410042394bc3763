// Reads all deliveries of a partner that match a filter or a search, page by page, newest first by deliveredAt, then id (contract 6.6).
import type { DeliveryId } from '../../base/ids.ts';
import type { Tx } from '../../platform/database/database.ts';
import { countByDay } from '../count-deliveries.ts';
import type { DeliveryFilter } from '../delivery-filter.ts';
import type { EventType } from '../delivery.ts';
import type { ExportRow } from './export-line.rules.ts';
import { EXPORT_PAGE, nextPage, openCursor, openCursorOfIds, prepareExport } from './export.sql.ts';
import { findAllIds } from '../search/find-deliveries.ts';
import type { Narrowing } from '../narrowing.ts';
import { pageSpan, totalOf, within } from '../page-span.rules.ts';
import type { ParsedSearch } from '../search/search-query.rules.ts';

export type ExportFilter = DeliveryFilter & {
  /** Null or missing for both kinds. */
  readonly eventType?: EventType | null;
  /** Null or missing for no search. With a search the file has the deliveries that the pages of the search show. */
  readonly search?: ParsedSearch | null;
  /** Null or missing for none. As with a search, the file has the deliveries that the pages show. */
  readonly narrowing?: Narrowing | null;
};

export type ExportPage = {
  readonly rows: readonly ExportRow[];
  readonly isLast: boolean;
};

export type Export = {
  /** The number of rows on all pages, exact if the transaction is a snapshot. */
  readonly total: number;
  /** At least one page, which may be empty. */
  readonly pages: AsyncGenerator<ExportPage, void, undefined>;
};

/** Pages requested ahead, so that the database works while a page is sent; no more pages are in memory. */
const PAGES_AHEAD = 4;

/** All pages are from one instant if `tx` is a snapshot. One export per transaction. */
export async function readExport(tx: Tx, buyerKey: string, filter: ExportFilter): Promise<Export> {
  const total = await openExport(tx, buyerKey, filter);
  return { total, pages: pagesOf(tx, total) };
}

async function openExport(tx: Tx, buyerKey: string, { search = null, ...filter }: ExportFilter): Promise<number> {
  const { status, eventType = null } = filter;
  if (search !== null || (filter.narrowing ?? null) !== null) {
    const { ids } = await findAllIds(tx, buyerKey, { query: filter, parsed: search });
    if (ids.length > 0) await open(tx, buyerKey, ids);
    return ids.length;
  }
  // The counts per day limit the scan: a few Pending deliveries are not searched in years of others.
  const days = await countByDay(tx, buyerKey, filter);
  const total = totalOf(days);
  const span = within(pageSpan(days, 0, total), filter);
  if (span === null) return 0;
  await tx.query(prepareExport);
  await tx.query(openCursor({ status, eventType }), { buyerKey, from: span.from, until: span.until });
  return total;
}

async function open(tx: Tx, buyerKey: string, ids: readonly DeliveryId[]): Promise<void> {
  await tx.query(prepareExport);
  await tx.query(openCursorOfIds, { buyerKey, ids });
}

async function* pagesOf(tx: Tx, total: number): Export['pages'] {
  if (total === 0) {
    yield { rows: [], isLast: true };
    return;
  }
  const ahead = Array.from({ length: PAGES_AHEAD }, () => readPage(tx));
  for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
    const page = await next;
    if (!page.isLast) ahead.push(readPage(tx));
    yield page;
    if (page.isLast) return;
  }
}

function readPage(tx: Tx): Promise<ExportPage> {
  const page = tx.query(nextPage).then((rows): ExportPage => ({ rows, isLast: rows.length < EXPORT_PAGE }));
  // If reading stops early, the error of a page requested ahead is not handled anywhere; if reading goes on, `await` throws it.
  page.catch(() => undefined);
  return page;
}

// Reads all deliveries of a partner that a filter matches, newest first by deliveredAt, then id, page by page (contract 6, GET export).
import { utcDay } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import type { DeliveryFilter } from './delivery-filter.ts';
import { countByDay } from './delivery.sql.ts';
import type { ExportRow } from './export-line.rules.ts';
import { EXPORT_PAGE, nextPage, openCursor, prepareExport } from './export.sql.ts';
import { type DayCount, pageSpan, totalOf } from './page-span.rules.ts';

type Page = {
  readonly rows: readonly ExportRow[];
  /** Whether nothing comes after it. */
  readonly isLast: boolean;
};

/** The database works on the next pages while one is in use; there are no more than these in memory. */
const PAGES_AHEAD = 4;

/** All pages are of one instant; one at least, which may be empty. One reading in a transaction. */
export async function* readExport(
  tx: Tx,
  buyerKey: string,
  { status, from, to }: DeliveryFilter,
): AsyncGenerator<Page, void, undefined> {
  // The counts know the days between which the rows lie: the few pending ones are not looked for in all the years before.
  const days = await tx.query<DayCount>(countByDay, [buyerKey, from && utcDay(from), to && utcDay(to), status, null]);
  const span = pageSpan(days, 0, totalOf(days));
  if (span === null) {
    yield { rows: [], isLast: true };
    return;
  }
  await tx.query(prepareExport);
  await tx.query(openCursor[status ?? 'any'], [buyerKey, span.from, span.until]);
  const ahead = Array.from({ length: PAGES_AHEAD }, () => readPage(tx));
  for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
    const page = await next;
    if (!page.isLast) ahead.push(readPage(tx));
    yield page;
    if (page.isLast) return;
  }
}

function readPage(tx: Tx): Promise<Page> {
  const page = tx.query<ExportRow>(nextPage).then((rows): Page => ({ rows, isLast: rows.length < EXPORT_PAGE }));
  // Who stops reading never asks what became of it; who goes on is told.
  page.catch(() => undefined);
  return page;
}

// Lists a page of a partner's deliveries with the total number, by deliveredAt, then id (contract 6.2).
import type { Tx } from '../platform/database/database.ts';
import { countByDay } from './count-deliveries.ts';
import type { DeliveryFilter } from './delivery-filter.ts';
import type { EventType, DeliveryRow } from './delivery.ts';
import { selectPage } from './delivery.sql.ts';
import type { Narrowing } from './narrowing.ts';
import { pageSpan, totalOf, within } from './page-span.rules.ts';

export type DeliveryQuery = DeliveryFilter & {
  /** Null or missing for both kinds. */
  readonly eventType?: EventType | null;
  /** For searches only: `listDeliveries` has no such filters. */
  readonly narrowing?: Narrowing | null;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  /** The newest first by default. */
  readonly isOldestFirst?: boolean;
};

/**
 * `total` is exact and agrees with the page if `tx` is a snapshot. Otherwise a delivery that is created or settled between the two reads
 * may be counted but not listed.
 */
export async function listDeliveries(
  tx: Tx,
  buyerKey: string,
  query: DeliveryQuery,
): Promise<{ readonly total: number; readonly rows: readonly DeliveryRow[] }> {
  const { status, eventType = null, isOldestFirst = false } = query;
  const days = await countByDay(tx, buyerKey, query);
  const total = totalOf(days);
  const { offset, size } = newestRows(query, total);
  const span = size === 0 ? null : within(pageSpan(days, offset, size), query);
  if (span === null) return { total, rows: [] };
  const rows = await tx.query(selectPage({ status, eventType }), { buyerKey, ...span, pageSize: size });
  return { total, rows: isOldestFirst ? rows.toReversed() : rows };
}

/** The rows of the page among all rows, the newest first. */
function newestRows(
  { page, pageSize, isOldestFirst = false }: DeliveryQuery,
  total: number,
): { readonly offset: number; readonly size: number } {
  const before = (page - 1) * pageSize;
  if (!isOldestFirst) return { offset: before, size: pageSize };
  const end = Math.max(0, total - before);
  const offset = Math.max(0, end - pageSize);
  return { offset, size: end - offset };
}

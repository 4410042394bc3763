// Lists a page of a partner's deliveries with the total number, newest first by deliveredAt, then id (contract 6.2).
import type { Tx } from '../platform/database/database.ts';
import { countByDay } from './count-deliveries.ts';
import type { DeliveryFilter } from './delivery-filter.ts';
import type { EventType, DeliveryRow } from './delivery.ts';
import { selectPage } from './delivery.sql.ts';
import { pageSpan, totalOf, within } from './page-span.rules.ts';

export type DeliveryQuery = DeliveryFilter & {
  /** Null or missing for both kinds. */
  readonly eventType?: EventType | null;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
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
  const { page, pageSize, status, eventType = null } = query;
  const days = await countByDay(tx, buyerKey, query);
  const span = within(pageSpan(days, (page - 1) * pageSize, pageSize), query);
  const rows = span === null ? [] : await tx.query(selectPage({ status, eventType }), { buyerKey, ...span, pageSize });
  return { total: totalOf(days), rows };
}

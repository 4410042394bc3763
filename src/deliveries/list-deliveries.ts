// A page of a partner's deliveries and how many there are in all, newest first by deliveredAt, then id (contract 6, GET leads).
import { utcDay } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import type { DeliveryFilter } from './delivery-filter.ts';
import type { EventType } from './delivery-ref.ts';
import type { DeliveryRow } from './delivery-row.ts';
import { countByDay, selectPage } from './delivery.sql.ts';
import { type DayCount, pageSpan, totalOf } from './page-span.rules.ts';

export type DeliveryQuery = DeliveryFilter & {
  /** Null, or left out, for both kinds. */
  readonly eventType?: EventType | null;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

/**
 * `total` is exact, and the page belongs to it if `tx` is a snapshot; otherwise a delivery that is made or settled between the two
 * reads may be counted without being seen.
 */
export async function listDeliveries(
  tx: Tx,
  buyerKey: string,
  { page, pageSize, status, from, to, eventType = null }: DeliveryQuery,
): Promise<{ readonly total: number; readonly rows: readonly DeliveryRow[] }> {
  const days = await tx.query<DayCount>(countByDay, [
    buyerKey,
    from && utcDay(from),
    to && utcDay(to),
    status,
    eventType,
  ]);
  const span = pageSpan(days, (page - 1) * pageSize, pageSize);
  const rows =
    span === null
      ? []
      : await tx.query<DeliveryRow>(selectPage({ status, eventType }), [
          buyerKey,
          span.from,
          span.until,
          span.skip,
          pageSize,
        ]);
  return { total: totalOf(days), rows };
}

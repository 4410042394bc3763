// How many deliveries of a kind a buyer has in a span of time that were confirmed, returned ones among them: what caps on returns
// are a share of (contract 6.7). The counts of whole days answer; rows are read for the parts of days at the ends only.
import { strict as assert } from 'node:assert';

import type { Span } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import type { EventType } from './delivery-ref.ts';
import { daysAround, nearestDays } from './kept-span.rules.ts';
import { countKeptSql, keptBoundsSql } from './return.sql.ts';

export type KeptQuery = { readonly eventType: EventType; readonly span: Span };

/** Two numbers between which the exact one lies; no delivery is read for them. */
export async function keptBounds(
  tx: Tx,
  buyerKey: string,
  { eventType, span }: KeptQuery,
): Promise<{ readonly atLeast: number; readonly atMost: number }> {
  const { inner, outer } = daysAround(span);
  const [row] = await tx.query(keptBoundsSql, {
    buyerKey,
    eventType,
    fromDay: outer.from,
    untilDay: outer.until,
    innerFrom: inner.from,
    innerUntil: inner.until,
  });
  assert(row !== undefined, 'a sum has always a row');
  return row;
}

/** The exact number. */
export async function countKept(tx: Tx, buyerKey: string, { eventType, span }: KeptQuery): Promise<number> {
  const { days, parts } = nearestDays(span);
  const [row] = await tx.query(countKeptSql, {
    buyerKey,
    eventType,
    fromDay: days.from,
    untilDay: days.until,
    starts: parts.map((part) => new Date(part.from)),
    ends: parts.map((part) => new Date(part.until)),
    signs: parts.map((part) => part.sign),
  });
  assert(row !== undefined, 'a sum has always a row');
  return row.kept;
}

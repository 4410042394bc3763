// A buyer's deliveries in any span of time by their present status: counted by whole UTC days, and by rows only for the parts of days at
// its ends, of half a day at most.
import { strict as assert } from 'node:assert';

import type { Span } from '../base/time.ts';
import { nearestDays } from '../deliveries/split-days.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { countsInSpan } from './counts-of-span.sql.ts';
import type { CountsOfSpan } from './count-rows.ts';

/** Exact if `tx` is a snapshot. */
export async function countsOfSpan(tx: Tx, buyerKey: string, span: Span): Promise<CountsOfSpan> {
  const { days, parts } = nearestDays(span);
  const [row] = await tx.query(countsInSpan, {
    buyerKey,
    from: days.from,
    until: days.until,
    startsTimes: parts.map((part) => new Date(part.from)),
    endsTimes: parts.map((part) => new Date(part.until)),
    signs: parts.map((part) => part.sign),
  });
  assert(row !== undefined, 'a sum has always a row');
  return row;
}

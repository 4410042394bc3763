// Reads and saves the verticals of the marketplace, closed ones included (contract 7.6).
import type { Tx } from '../platform/database/database.ts';
import { readVerticalsSql, saveVerticalsSql } from './vertical.sql.ts';
import type { Vertical } from './verticals.ts';

/** By key, in the order of their keys. */
export async function readVerticals(tx: Tx): Promise<Map<string, Vertical>> {
  const rows = await tx.query(readVerticalsSql);
  return new Map(rows.map(({ definition }) => [definition.key, definition]));
}

/** Inserts or replaces whole verticals. The caller bumps the configuration version, and records history and audit. */
export async function saveVerticals(tx: Tx, verticals: readonly Vertical[], now: Date): Promise<void> {
  if (verticals.length === 0) return;
  await tx.query(saveVerticalsSql, {
    keys: verticals.map(({ key }) => key),
    definitions: verticals.map((vertical) => JSON.stringify(vertical)),
    now,
  });
}

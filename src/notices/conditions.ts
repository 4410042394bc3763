// Keeps which conditions hold, such as funds under a threshold: each raises a notice when it begins, and no other until it has clearly ended
// (contract 12.3).
import type { Tx } from '../platform/database/database.ts';
import type { NoticeKind } from './notice.ts';
import { beginConditionsSql, endConditionsSql } from './notice.sql.ts';

export type Conditions = {
  readonly kind: NoticeKind;
  /** Of which it holds now. */
  readonly begun: readonly string[];
  /** Of which it has clearly ended. Those in neither list stay as they are. */
  readonly ended: readonly string[];
};

/** Returns the subjects of which the condition has begun: raise their notices in the same transaction. */
export async function followConditions(
  tx: Tx,
  { kind, begun, ended }: Conditions,
  now: Date,
): Promise<ReadonlySet<string>> {
  if (ended.length > 0) await tx.query(endConditionsSql, { kind, subjects: ended });
  if (begun.length === 0) return new Set();
  const rows = await tx.query(beginConditionsSql, { kind, subjects: begun, now });
  return new Set(rows.map(({ subject }) => subject));
}

// Reads the whole audit trail for the operator, newest first (contract 6.15).
import { FIRST_ID, firstIdOf } from '../base/id-time.ts';
import type { AuditId, Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { AuditRecord } from './audit-event.ts';
import { type AuditConditions, distinctActions, distinctActors, searchOf } from './audit-search.sql.ts';

export type AuditSearch = {
  readonly conditions: AuditConditions;
  /** From ≤ time of writing < until; null is no bound. */
  readonly from: Date | null;
  readonly until: Date | null;
  /** Only what stands behind this event in the list; null for its beginning. */
  readonly before: Uuid | null;
  readonly limit: number;
};

// After every id there can be.
const LAST_ID: Uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** `next` is where to go on; null where there is nothing more. */
export async function searchAudit(
  tx: Tx,
  { conditions, from, until, before, limit }: AuditSearch,
): Promise<{ readonly events: readonly AuditRecord[]; readonly next: AuditId | null }> {
  const after = from === null ? FIRST_ID : firstIdOf(from);
  const end = until === null ? LAST_ID : firstIdOf(until);
  const bound = before === null || before > end ? end : before;
  const rows = await tx.query(searchOf(conditions), { ...conditions, after, before: bound, limit: limit + 1 });
  const events = rows
    .slice(0, limit)
    .map(({ actorType, actorName, ...row }) => ({ ...row, actor: { type: actorType, name: actorName } }));
  return { events, next: rows.length > limit ? (events.at(-1)?.auditId ?? null) : null };
}

/** A partner's tokens act under their own names: what is longer than this is typed, not chosen. */
const CHOICES_MAX = 200;

/** What has ever been done, and by whom: to choose from. In the order of the alphabet. */
export async function auditChoices(tx: Tx): Promise<{ readonly actions: string[]; readonly actors: string[] }> {
  const actions = await tx.query(distinctActions, { limit: CHOICES_MAX });
  const actors = await tx.query(distinctActors, { limit: CHOICES_MAX });
  return { actions: actions.map(({ value }) => value), actors: actors.map(({ value }) => value) };
}

// Finds what was changed of some things and by whom, for the operator.
import type { Tx } from '../platform/database/database.ts';
import { selectAuditEventsOn } from './about.sql.ts';
import type { AuditedChange } from './audit-event.ts';

export type AuditedThing = {
  readonly target: string;
  /** The first word of the actions asked for: `offer` for `offer.updated`. */
  readonly topic: string;
};

/** Newest first, from so many events. What was kept apart because of its partner comes as one change. */
export async function auditOn(tx: Tx, things: readonly AuditedThing[], limit: number): Promise<AuditedChange[]> {
  const rows = await tx.query(selectAuditEventsOn, {
    targets: things.map(({ target }) => target),
    topics: things.map(({ topic }) => topic),
    limit,
  });
  const changes: AuditedChange[] = [];
  for (const { actorType, actorName, ...row } of rows) {
    const last = changes.at(-1);
    const isPart =
      last !== undefined &&
      last.at.getTime() === row.at.getTime() &&
      last.target === row.target &&
      last.action === row.action;
    if (isPart) changes[changes.length - 1] = { ...last, changes: { ...row.changes, ...last.changes } };
    else changes.push({ ...row, actor: { type: actorType, name: actorName } });
  }
  return changes;
}

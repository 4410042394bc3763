// Reads the audit trail: by partner, by search conditions, and by target (contract 6.13, 6.15).
import type { Tx } from '../platform/database/database.ts';
import type { AuditRecord, AuditActor, AuditedChange } from './audit-event.ts';
import {
  selectAuditEventsOfBuyer,
  type AuditConditions,
  distinctActions,
  distinctActors,
  searchStatement,
  selectAuditEventsAbout,
  selectAuditEventsOn,
} from './audit.sql.ts';
import { FIRST_ID, firstIdOf, LAST_ID } from '../base/id-time.ts';
import type { AuditId, Uuid } from '../base/ids.ts';

/** The latest events that the partner may see, at most `limit`. */
export async function listAudit(tx: Tx, buyerKey: string, limit: number): Promise<AuditRecord[]> {
  const rows = await tx.query(selectAuditEventsOfBuyer, { buyerKey, limit });
  return rows.map(({ actorType, actorName, ...row }) => ({ ...row, actor: { type: actorType, name: actorName } }));
}

export type AuditSearch = {
  readonly conditions: AuditConditions;
  /** from ≤ time < until; null for no bound. */
  readonly from: Date | null;
  readonly until: Date | null;
  /** The last event of the previous page; null for the first page. */
  readonly before: Uuid | null;
  readonly limit: number;
};

/** Searches all events, newest first. `next` is `before` of the next page, or null at the end. */
export async function searchAudit(
  tx: Tx,
  { conditions, from, until, before, limit }: AuditSearch,
): Promise<{ readonly events: readonly AuditRecord[]; readonly next: AuditId | null }> {
  const after = from === null ? FIRST_ID : firstIdOf(from);
  const end = until === null ? LAST_ID : firstIdOf(until);
  const bound = before === null || before > end ? end : before;
  const rows = await tx.query(searchStatement(conditions), { ...conditions, after, before: bound, limit: limit + 1 });
  const events = rows
    .slice(0, limit)
    .map(({ actorType, actorName, ...row }) => ({ ...row, actor: { type: actorType, name: actorName } }));
  return { events, next: rows.length > limit ? (events.at(-1)?.auditId ?? null) : null };
}

/** Every access token is an actor, so there may be more values than a selection can offer. */
const CHOICES_MAX = 200;

/** All actions and actors for a selection, in alphabetical order. */
export async function readAuditChoices(tx: Tx): Promise<{ readonly actions: string[]; readonly actors: string[] }> {
  const actions = await tx.query(distinctActions, { limit: CHOICES_MAX });
  const actors = await tx.query(distinctActors, { limit: CHOICES_MAX });
  return { actions: actions.map(({ value }) => value), actors: actors.map(({ value }) => value) };
}

export type AuditMention = {
  readonly at: Date;
  readonly actor: AuditActor;
  readonly action: string;
  readonly target: string;
};

export type AuditMentionQuery = {
  /** Only events with a later id; ids are ordered by time. */
  readonly after: Uuid;
  readonly targets: readonly string[];
  readonly actions: readonly string[];
  readonly limit: number;
};

/** Events of a partner about given targets, oldest first. */
export async function readAuditAbout(tx: Tx, buyerKey: string, topic: AuditMentionQuery): Promise<AuditMention[]> {
  const { after, targets, actions, limit } = topic;
  const rows = await tx.query(selectAuditEventsAbout, { buyerKey, after, targets, actions, limit });
  return rows.map(({ actorType, actorName, ...row }) => ({ ...row, actor: { type: actorType, name: actorName } }));
}

export type AuditTarget = {
  readonly target: string;
  /** The first word of the action: `offer` for `offer.updated`. */
  readonly topic: string;
};

/** Changes of given targets, newest first, from at most `limit` events. Merges events of one change that were stored per partner. */
export async function readAuditChanges(
  tx: Tx,
  targets: readonly AuditTarget[],
  limit: number,
): Promise<AuditedChange[]> {
  const rows = await tx.query(selectAuditEventsOn, {
    targets: targets.map(({ target }) => target),
    topics: targets.map(({ topic }) => topic),
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

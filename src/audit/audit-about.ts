// Finds what a partner may see of the audit trail about something, from some moment on (contract 6.13).
import type { Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { selectAuditEventsAbout } from './about.sql.ts';
import type { AuditActor } from './audit-event.ts';

export type AuditMention = {
  readonly at: Date;
  readonly actor: AuditActor;
  readonly action: string;
  readonly target: string;
};

export type AuditTopic = {
  /** Only events with a later id than this one; ids are made in the order of time. */
  readonly after: Uuid;
  readonly targets: readonly string[];
  readonly actions: readonly string[];
  readonly limit: number;
};

/** Oldest first. */
export async function auditAbout(tx: Tx, buyerKey: string, topic: AuditTopic): Promise<AuditMention[]> {
  const { after, targets, actions, limit } = topic;
  const rows = await tx.query(selectAuditEventsAbout, { buyerKey, after, targets, actions, limit });
  return rows.map(({ actorType, actorName, ...row }) => ({ ...row, actor: { type: actorType, name: actorName } }));
}

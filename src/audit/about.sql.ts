// The statement that finds audit events by what they are about.
import { statement } from '../platform/database/database.ts';
import type { Uuid } from '../base/ids.ts';
import type { AuditActor, AuditedChange } from './audit-event.ts';

export type EventRow = { at: Date; actorType: AuditActor['type']; actorName: string; action: string; target: string };

/** Ids rise with the time of writing, so that the index leaves out whatever is older than $after. */
export const selectAuditEventsAbout = statement<
  {
    readonly buyerKey: string;
    readonly after: Uuid;
    readonly targets: readonly string[];
    readonly actions: readonly string[];
    readonly limit: number;
  },
  EventRow
>(
  'audit.about',
  `SELECT at, actor_type AS "actorType", actor_name AS "actorName", action, target
   FROM audit_event
   WHERE buyer_key = $buyerKey AND audit_id > $after AND target = ANY($targets::text[]) AND action = ANY($actions::text[])
   ORDER BY audit_id LIMIT $limit`,
);

export type ChangeRow = Omit<AuditedChange, 'actor'> & {
  readonly actorType: AuditActor['type'];
  readonly actorName: string;
};

/** By target and the first word of the action: keys of partners, offers and suppliers may be equal. */
export const selectAuditEventsOn = statement<
  { readonly targets: readonly string[]; readonly topics: readonly string[]; readonly limit: number },
  ChangeRow
>(
  'audit.on',
  `SELECT e.at, e.actor_type AS "actorType", e.actor_name AS "actorName", e.action, e.target, e.changes
   FROM unnest($targets::text[], $topics::text[]) AS named (target, topic)
   JOIN audit_event e ON e.target = named.target AND split_part(e.action, '.', 1) = named.topic
   ORDER BY e.audit_id DESC LIMIT $limit`,
);

// The statement that finds audit events by what they are about.
import { statement } from '../platform/database/database.ts';

/** Ids rise with the time of writing, so that the index leaves out whatever is older than $2. */
export const selectAuditEventsAbout = statement(
  'audit.about',
  `SELECT at, actor_type AS "actorType", actor_name AS "actorName", action, target
   FROM audit_event
   WHERE buyer_key = $1 AND audit_id > $2 AND target = ANY($3::text[]) AND action = ANY($4::text[])
   ORDER BY audit_id LIMIT $5`,
);

/** By target and the first word of the action: keys of partners, offers and suppliers may be equal. */
export const selectAuditEventsOn = statement(
  'audit.on',
  `SELECT e.at, e.actor_type AS "actorType", e.actor_name AS "actorName", e.action, e.target, e.changes
   FROM unnest($1::text[], $2::text[]) AS named (target, topic)
   JOIN audit_event e ON e.target = named.target AND split_part(e.action, '.', 1) = named.topic
   ORDER BY e.audit_id DESC LIMIT $3`,
);

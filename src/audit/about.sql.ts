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

// The statements on messages to suppliers.
import { statement } from '../platform/database/database.ts';

export const insertCallbacks = statement(
  'suppliers.insert_callbacks',
  `INSERT INTO callback_job (event_id, supplier_key, type, lead_id, external_id, status, reason, occurred_at, due_at)
   SELECT event_id, supplier_key, type, lead_id, external_id, status, reason, $8, $8
   FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[])
     AS u (event_id, supplier_key, type, lead_id, external_id, status, reason)`,
);

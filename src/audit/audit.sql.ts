// The statements on audit_event.
import { statement } from '../platform/database/database.ts';

export const insertAuditEvents = statement(
  'audit.insert',
  `INSERT INTO audit_event (audit_id, at, actor_type, actor_name, buyer_key, supplier_key, action, target, changes, ip, request_id)
   SELECT audit_id, at, actor_type, actor_name, buyer_key, supplier_key, action, target, changes::jsonb, ip, request_id
   FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
               $9::text[], $10::text[], $11::text[])
     AS event (audit_id, at, actor_type, actor_name, buyer_key, supplier_key, action, target, changes, ip, request_id)`,
);

export type AuditRow = {
  auditId: string;
  at: Date;
  actorType: 'buyer' | 'operator' | 'system' | 'supplier';
  actorName: string;
  buyerKey: string | null;
  supplierKey: string | null;
  action: string;
  target: string;
  changes: Record<string, { from: never; to: never }>;
  ip: string | null;
  requestId: string | null;
};

/** By id, which is by time of writing to the millisecond, and in the order given within one call. */
export const selectAuditEventsOfBuyer = statement(
  'audit.of-buyer',
  `SELECT audit_id AS "auditId", at, actor_type AS "actorType", actor_name AS "actorName", buyer_key AS "buyerKey",
          supplier_key AS "supplierKey", action, target, changes, ip, request_id AS "requestId"
   FROM audit_event WHERE buyer_key = $1 ORDER BY audit_id DESC LIMIT $2`,
);

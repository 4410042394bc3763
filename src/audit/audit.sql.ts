// The statements on audit_event.
import { statement } from '../platform/database/database.ts';
import type { AuditId } from '../base/ids.ts';

export const insertAuditEvents = statement<{
  readonly auditIds: readonly AuditId[];
  readonly times: readonly Date[];
  readonly actorTypes: readonly string[];
  readonly actorNames: readonly string[];
  readonly buyerKeys: ReadonlyArray<string | null>;
  readonly supplierKeys: ReadonlyArray<string | null>;
  readonly actions: readonly string[];
  readonly targets: readonly string[];
  readonly changes: readonly string[];
  readonly ips: ReadonlyArray<string | null>;
  readonly requestIds: ReadonlyArray<string | null>;
}>(
  'audit.insert',
  `INSERT INTO audit_event (audit_id, at, actor_type, actor_name, buyer_key, supplier_key, action, target, changes, ip, request_id)
   SELECT audit_id, at, actor_type, actor_name, buyer_key, supplier_key, action, target, changes::jsonb, ip, request_id
   FROM unnest($auditIds::uuid[], $times::timestamptz[], $actorTypes::text[], $actorNames::text[], $buyerKeys::text[], $supplierKeys::text[], $actions::text[], $targets::text[],
               $changes::text[], $ips::text[], $requestIds::text[])
     AS event (audit_id, at, actor_type, actor_name, buyer_key, supplier_key, action, target, changes, ip, request_id)`,
);

export type AuditRow = {
  auditId: AuditId;
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
export const selectAuditEventsOfBuyer = statement<{ readonly buyerKey: string; readonly limit: number }, AuditRow>(
  'audit.of-buyer',
  `SELECT audit_id AS "auditId", at, actor_type AS "actorType", actor_name AS "actorName", buyer_key AS "buyerKey",
          supplier_key AS "supplierKey", action, target, changes, ip, request_id AS "requestId"
   FROM audit_event WHERE buyer_key = $buyerKey ORDER BY audit_id DESC LIMIT $limit`,
);

// SQL statements for audit events: insert, list by partner or target, and search by any conditions.
import { statement, type Statement } from '../platform/database/database.ts';
import type { AuditId, Uuid } from '../base/ids.ts';
import type { AuditActor, AuditedChange } from './audit-event.ts';

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

/** Newest first by id: by time of writing to the millisecond, and in the given order within one call. */
export const selectAuditEventsOfBuyer = statement<{ readonly buyerKey: string; readonly limit: number }, AuditRow>(
  'audit.of-buyer',
  `SELECT audit_id AS "auditId", at, actor_type AS "actorType", actor_name AS "actorName", buyer_key AS "buyerKey",
          supplier_key AS "supplierKey", action, target, changes, ip, request_id AS "requestId"
   FROM audit_event WHERE buyer_key = $buyerKey ORDER BY audit_id DESC LIMIT $limit`,
);

export type EventRow = { at: Date; actorType: AuditActor['type']; actorName: string; action: string; target: string };

/** Ids are ordered by time, so that the index skips events before $after. */
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

/** By target and first word of the action, because keys of partners, offers and suppliers may be equal. */
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

/** In the order of the conditions in a statement; each column has an index (migration 0021). */
const COLUMNS = {
  actor: 'actor_name',
  actorType: 'actor_type',
  action: 'action',
  target: 'target',
  partner: 'buyer_key',
  supplier: 'supplier_key',
} as const;
export type AuditCondition = keyof typeof COLUMNS;
const conditions = Object.keys(COLUMNS) as readonly AuditCondition[];

export type AuditConditions = Readonly<Partial<Record<AuditCondition, string>>>;

type Search = AuditConditions & { readonly after: Uuid; readonly before: Uuid; readonly limit: number };

/** $after < id < $before, at most $limit of the newest; ids rise with the time of writing. */
function searchBy(given: readonly AuditCondition[]): Statement<Search, AuditRow> {
  const where = given.map((name) => ` AND ${COLUMNS[name]} = $${name}`);
  return statement<Search, AuditRow>(
    `audit.search_${given.join('_')}`,
    `SELECT audit_id AS "auditId", at, actor_type AS "actorType", actor_name AS "actorName", buyer_key AS "buyerKey",
            supplier_key AS "supplierKey", action, target, changes, ip, request_id AS "requestId"
     FROM audit_event WHERE audit_id > $after AND audit_id < $before${where.join('')} ORDER BY audit_id DESC LIMIT $limit`,
  );
}

// Indexed by a bit mask of the given conditions.
const searches = Array.from({ length: 2 ** conditions.length }, (_, index) =>
  searchBy(conditions.filter((_name, bit) => (index & (1 << bit)) !== 0)),
);

/** One statement per set of conditions, so that the planner can use their indexes. Each new condition doubles the number. */
export const searchStatement = Object.assign(
  (wanted: AuditConditions): Statement<Search, AuditRow> => {
    const index = conditions.reduce((sum, name, bit) => sum + (wanted[name] === undefined ? 0 : 1 << bit), 0);
    const search = searches[index];
    if (search === undefined) throw new RangeError('unknown set of conditions');
    return search;
  },
  { all: searches },
);

/** Distinct values with one index lookup each: there are only some dozens, even among millions of events. */
const distinct = (column: 'action' | 'actor_name') =>
  statement<{ readonly limit: number }, { value: string }>(
    `audit.distinct_${column}`,
    `WITH RECURSIVE found AS (
       (SELECT ${column} AS value FROM audit_event ORDER BY ${column} LIMIT 1)
       UNION ALL
       SELECT (SELECT e.${column} FROM audit_event e WHERE e.${column} > f.value ORDER BY e.${column} LIMIT 1)
       FROM found f WHERE f.value IS NOT NULL
     )
     SELECT value FROM found WHERE value IS NOT NULL LIMIT $limit`,
  );
export const distinctActions = distinct('action');
export const distinctActors = distinct('actor_name');

// The statements by which the operator reads the whole audit trail: by who, what, to what, for whom and when.
import type { Uuid } from '../base/ids.ts';
import { statement, type Statement } from '../platform/database/database.ts';
import type { AuditRow } from './audit.sql.ts';

/** In the order in which a statement has them; each has an index of its own (migration 0021). */
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

// By the sum of 2ⁿ for each condition that is given, n being its place among all.
const searches = Array.from({ length: 2 ** conditions.length }, (_, index) =>
  searchBy(conditions.filter((_name, bit) => (index & (1 << bit)) !== 0)),
);

/** A statement for each set of conditions, so that their indexes serve: one more condition doubles them. */
export const searchOf = Object.assign(
  (wanted: AuditConditions): Statement<Search, AuditRow> => {
    const index = conditions.reduce((sum, name, bit) => sum + (wanted[name] === undefined ? 0 : 1 << bit), 0);
    const search = searches[index];
    if (search === undefined) throw new RangeError('there is no such set of conditions');
    return search;
  },
  { all: searches },
);

/** Each different value once, a probe of the index for each: there are some dozens, whatever the number of events. */
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

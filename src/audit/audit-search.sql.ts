// The statements by which the operator reads the whole audit trail: by who, what, to what, for whom and when.
import { type PositionalStatement, statement } from '../platform/database/database.ts';

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

/** $1 < id < $2, at most $3 of the newest; ids rise with the time of writing. A statement for each set of conditions, so that their indexes serve. */
export function searchOf(wanted: AuditConditions): {
  readonly statement: PositionalStatement;
  readonly values: readonly string[];
} {
  const given = conditions.filter((name) => wanted[name] !== undefined);
  const where = given.map((name, index) => ` AND ${COLUMNS[name]} = $${index + 4}`);
  return {
    statement: statement(
      `audit.search_${given.join('_')}`,
      `SELECT audit_id AS "auditId", at, actor_type AS "actorType", actor_name AS "actorName", buyer_key AS "buyerKey",
              supplier_key AS "supplierKey", action, target, changes, ip, request_id AS "requestId"
       FROM audit_event WHERE audit_id > $1 AND audit_id < $2${where.join('')} ORDER BY audit_id DESC LIMIT $3`,
    ),
    values: given.map((name) => wanted[name] ?? ''),
  };
}

/** Each different value once, a probe of the index for each: there are some dozens, whatever the number of events. */
const distinct = (column: 'action' | 'actor_name') =>
  statement(
    `audit.distinct_${column}`,
    `WITH RECURSIVE found AS (
       (SELECT ${column} AS value FROM audit_event ORDER BY ${column} LIMIT 1)
       UNION ALL
       SELECT (SELECT e.${column} FROM audit_event e WHERE e.${column} > f.value ORDER BY e.${column} LIMIT 1)
       FROM found f WHERE f.value IS NOT NULL
     )
     SELECT value FROM found WHERE value IS NOT NULL LIMIT $1`,
  );
export const distinctActions = distinct('action');
export const distinctActors = distinct('actor_name');

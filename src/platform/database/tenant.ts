// Runs partners' requests as a restricted database role that sees this partner's rows only, and none when no partner is known: the second
// wall between partners (contract 1.10; decision 017). Creates the role where it is missing.
import { AsyncLocalStorage } from 'node:async_hooks';

import type { Logger } from 'pino';

import { OutsideError } from '../outside-error.ts';
import { type Database, statement, type Tx, type TxOptions } from './database.ts';
import type pg from 'pg';
import { isRoleRefused } from './sql-state.ts';

const tenants = new AsyncLocalStorage<string>();

/** Runs `work` for this partner, including everything asynchronous that it starts. */
export function forTenant<Value>(buyerKey: string, work: () => Value): Value {
  return tenants.run(buyerKey, work);
}

/**
 * The database for partners' routes, which can neither forget nor choose the role. Without the wall it is the database itself.
 */
export function behindWall(database: Database, wall: Wall): Database {
  if (!wall.stands) return database;
  const tx = <Value>(work: (tx: Tx) => Promise<Value>, options?: TxOptions): Promise<Value> =>
    database.tx(work, { ...options, tenant: tenants.getStore() ?? null });
  return {
    ...database,
    tx,
    query: (statementToRun, ...params) => tx((inside) => inside.query(statementToRun, ...params)),
  };
}

/** `stands`: the role exists with its rights and limits, and this connection's user is a member. */
export type Wall = { readonly stands: boolean };

// Runs as the role itself.
const checkWall = statement<void, Wall>(
  'platform.look_at_wall',
  `SELECT row_security_active('delivery') AND has_table_privilege('delivery', 'SELECT') AS stands`,
);

export async function readWall(database: Database): Promise<Wall> {
  try {
    const [row] = await database.tx((tx) => tx.query(checkWall), { tenant: null, snapshot: true });
    return { stands: row?.stands === true };
  } catch (error) {
    if (isRoleRefused(error)) return { stands: false };
    throw error;
  }
}

/**
 * For a process that is about to serve partners. Throws when the wall is missing, unless the operator allows that; then every start logs
 * a warning.
 */
export async function requireWall(
  database: Database,
  { allowMissingWall, log }: { readonly allowMissingWall: boolean; readonly log: Logger },
): Promise<Wall> {
  const wall = await readWall(database);
  if (wall.stands) return wall;
  if (!allowMissingWall) {
    throw new OutsideError(
      'configuration_faulty',
      'The second wall between partners is missing in the database. Have ops/roles.sql run once by a role that may create roles ' +
        '(docs/operations.md, "The second wall"), or set ALLOW_MISSING_TENANT_WALL=true to serve without it.',
      { retryable: false },
    );
  }
  log.warn(
    'serving without the second wall between partners, as ALLOW_MISSING_TENANT_WALL says: run ops/roles.sql to build it',
  );
  return wall;
}

/** One query in all cases, because it runs at every start and with every command. */
const IS_MISSING = `
  SELECT to_regprocedure('grant_buyer_rights()') IS NOT NULL
    AND NOT coalesce((SELECT pg_has_role(current_user, oid, 'MEMBER') AND has_table_privilege(oid, to_regclass('delivery'), 'SELECT')
                      FROM pg_roles WHERE rolname = 'leadmarket_buyer'), false) AS "isMissing"`;

const BUILD = `
  DO $$
  BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'leadmarket_buyer') THEN
      CREATE ROLE leadmarket_buyer NOLOGIN;
    END IF;
    IF NOT pg_has_role(current_user, 'leadmarket_buyer', 'MEMBER') THEN
      EXECUTE format('GRANT leadmarket_buyer TO %I', current_user);
    END IF;
    PERFORM grant_buyer_rights();
  END $$`;

/**
 * Creates the role where it is missing and this user may create it: a dump restored on another server has the tables and not the role, and
 * the migration that creates the role counts as applied. Otherwise changes nothing: readiness does not depend on it, and `doctor` says what
 * to do.
 */
export async function buildWallIfMissing(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isMissing: boolean }>(IS_MISSING);
  if (rows[0]?.isMissing !== true) return;
  try {
    await client.query(BUILD);
  } catch (error) {
    if (!isRoleRefused(error)) throw error;
  }
}

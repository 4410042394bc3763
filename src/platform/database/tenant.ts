// The second wall between partners: whatever a partner's request asks of the database is run as a lesser role that sees this partner's
// rows only, and none where no partner is known (contract 1.10; decision 017).
import { AsyncLocalStorage } from 'node:async_hooks';

import type { Logger } from 'pino';

import { OutsideError } from '../outside-error.ts';
import { type Database, statement, type Tx, type TxOptions } from './database.ts';
import { isRoleRefused } from './sql-state.ts';

const tenants = new AsyncLocalStorage<string>();

/** Everything that `work` begins is for this partner, however long it takes. */
export function forTenant<Value>(buyerKey: string, work: () => Value): Value {
  return tenants.run(buyerKey, work);
}

/**
 * The database as partners' routes are given it: a route can neither forget the wall nor choose on which side of it to be. Where the
 * wall is missing it is the database itself.
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

/** Whether the role is there with its rights and its limits, and this connection's user may enter it. */
export type Wall = { readonly stands: boolean };

// Asked as the role itself.
const lookAtWall = statement<void, Wall>(
  'platform.look_at_wall',
  `SELECT row_security_active('delivery') AND has_table_privilege('delivery', 'SELECT') AS stands`,
);

export async function readWall(database: Database): Promise<Wall> {
  try {
    const [row] = await database.tx((tx) => tx.query(lookAtWall), { tenant: null, snapshot: true });
    return { stands: row?.stands === true };
  } catch (error) {
    if (isRoleRefused(error)) return { stands: false };
    throw error;
  }
}

/**
 * For a process that is about to serve partners. Throws where the wall is missing and the operator has not said that it may be; where
 * they have, every start says in the log that it is.
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

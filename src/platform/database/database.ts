// The pool, transactions and named statements: the only way to PostgreSQL for every slice (design: engine).
import { strict as assert } from 'node:assert';

import pg from 'pg';

import { OutsideError } from '../outside-error.ts';
import { answered, asked, watchAnswers } from './answer-watch.ts';
import { isConnectionFailure } from './sql-state.ts';

/**
 * A connection inside an open transaction. Operations take it first and never open or end one themselves. Statements are run in the
 * order in which they are asked for, and nothing after one that failed.
 */
export type Tx = {
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
};

export type TxOptions = {
  /** All statements see the data of one instant, and none may write: for answers put together from several reads. */
  readonly snapshot?: boolean;
  /** Behind the second wall (tenant.ts): only this partner's rows are there; with null nobody's. Left out, the service's own sight. */
  readonly tenant?: string | null;
  /** Statements get all the time that they need, whatever `answerWithinMs` is: for what reads everything. */
  readonly patient?: boolean;
};

/** A text of SQL that the server parses and plans once per connection under its name. */
export type Statement = { readonly name: string; readonly text: string };

export type Database = {
  /** One statement in its own implicit transaction. */
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs `work` between BEGIN and COMMIT; rolls back when it throws. A failed COMMIT is an `outcome_unknown` OutsideError. */
  tx<Value>(work: (tx: Tx) => Promise<Value>, options?: TxOptions): Promise<Value>;
  /** A connection of its own outside the pool, for LISTEN, for session locks and, without an end to its patience, for migrations. */
  connect(options?: { readonly isPatient?: boolean }): Promise<pg.Client>;
  /** The pool behind it, for the queue library and for streams. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  readonly connection: pg.ClientConfig;
  /** Connections of this process; 10 saturates one server of this size, more only queue inside it. */
  readonly connections?: number;
  readonly applicationName?: string;
  /** After so long without an answer a statement counts as lost with its connection. None for commands that may take long. */
  readonly answerWithinMs?: number;
  /** Told about connections that broke while idle; without a listener `pg` would end the process. */
  readonly onIdleError?: (error: Error) => void;
};

const statementNames = new Map<string, string>();

/** Declares a named statement. Two texts under one name would be a protocol fault, so that is refused here. */
export function statement(name: string, text: string): Statement {
  const known = statementNames.get(name);
  assert(known === undefined || known === text, `two statements are named ${name}`);
  statementNames.set(name, text);
  return { name, text };
}

const BIGINT_OID = 20;

function parseBigint(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), 'a bigint left the range of safe integers');
  return value;
}

/** pg's parsers, but bigint as a checked number: every bigint of the schema is cents, a count or a small sequence. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
    if (oid === BIGINT_OID && format !== 'binary') return parseBigint;
    return pg.types.getTypeParser(oid, format);
  },
};

export function openDatabase(options: DatabaseOptions): Database {
  const config: pg.ClientConfig = {
    ...options.connection,
    application_name: options.applicationName ?? 'leadmarket',
    types,
    // Statements that are asked for without waiting for the one before travel together, and are still run one after the other.
    pipeline: true,
    // A line that goes nowhere says nothing: without both a paused server or a dropped route would hang its callers for ever.
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    ...(options.answerWithinMs === undefined ? {} : { query_timeout: options.answerWithinMs }),
  };
  // A cancelled wait for a synchronous standby is only a warning: the commit is then not known to be on the standby.
  const uncertain = new WeakSet<pg.ClientBase>();
  const pool = openPool(config, options, uncertain);

  const checkout = async (): Promise<pg.PoolClient> => {
    try {
      return await pool.connect();
    } catch (cause) {
      throw new OutsideError('database_unavailable', 'Storage is unavailable.', { cause, retryable: true });
    }
  };

  return {
    pool,
    async query<Row>(statementToRun: Statement, values?: readonly unknown[]): Promise<Row[]> {
      const client = await checkout();
      let broken = false;
      try {
        const rows = await runOn<Row>(client, statementToRun, { values });
        if (uncertain.has(client)) throw notConfirmed();
        return rows;
      } catch (error) {
        broken = isConnectionFailure(error);
        if (broken) throw new OutsideError('outcome_unknown', 'Storage failed.', { cause: error, retryable: true });
        throw error;
      } finally {
        client.release(broken || uncertain.has(client));
      }
    },
    async tx<Value>(work: (tx: Tx) => Promise<Value>, begin: TxOptions = {}): Promise<Value> {
      const client = await checkout();
      let broken = false;
      try {
        await send(client, beginOf(begin));
        const value = await work({
          query: <Row>(statementToRun: Statement, values?: readonly unknown[]) =>
            runOn<Row>(client, statementToRun, { values, patient: begin.patient }),
        });
        await commit(client);
        if (uncertain.has(client)) throw notConfirmed();
        return value;
      } catch (error) {
        // Nothing is said to a line that is dead, and nothing more to a server that has become a standby.
        broken = error instanceof OutsideError || isConnectionFailure(error) || !(await rolledBack(client));
        if (isConnectionFailure(error)) {
          throw new OutsideError('outcome_unknown', 'Storage failed.', { cause: error, retryable: true });
        }
        throw error;
      } finally {
        client.release(broken);
      }
    },
    async connect({ isPatient = false } = {}) {
      const client = new pg.Client(isPatient ? { ...config, query_timeout: 0 } : config);
      await client.connect();
      return client;
    },
    async close() {
      await pool.end();
    },
  };
}

/** Connections that were told that a commit may not be on the standby are put into `uncertain`. */
function openPool(config: pg.ClientConfig, options: DatabaseOptions, uncertain: WeakSet<pg.ClientBase>): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    // Watched in another way.
    query_timeout: 0,
    max: options.connections ?? 10,
    idleTimeoutMillis: 30_000,
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  if (options.answerWithinMs !== undefined) watchAnswers(pool, options.answerWithinMs);
  pool.on('connect', (client) => {
    // The pool listens only while a connection is idle. In use, one that is cut between two statements would end the process; who
    // uses it finds out at the next statement.
    client.on('error', () => undefined);
    client.on('notice', (notice) => {
      if (notice.message?.includes('synchronous replication') === true) uncertain.add(client);
    });
  });
  return pool;
}

const BUYER_KEY = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** One text and so one round trip, whatever has to be set; it ends with the transaction. */
function beginOf({ snapshot = false, tenant }: TxOptions): string {
  const begin = snapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY' : 'BEGIN';
  if (tenant === undefined) return begin;
  assert(tenant === null || BUYER_KEY.test(tenant), 'a tenant has the key of a partner');
  return `${begin}; SET LOCAL ROLE leadmarket_buyer; SET LOCAL app.buyer = '${tenant ?? ''}'`;
}

/** The commit is on this server's disk and not known to be on its standby's: it may be lost with the server. */
function notConfirmed(): OutsideError {
  return new OutsideError('outcome_unknown', 'Storage did not confirm.', { retryable: true });
}

type Run = { readonly values?: readonly unknown[] | undefined; readonly patient?: boolean | undefined };

async function runOn<Row>(client: pg.PoolClient, { name, text }: Statement, { values, patient }: Run): Promise<Row[]> {
  const result = await send(client, { name, text, values: values as unknown[] }, { patient });
  return result.rows as Row[];
}

/**
 * By callback: behind the promise that the driver would make, V8 keeps every query and its values until the next full collection, and
 * batches of leads then bring that on several times a second.
 */
async function send(
  client: pg.PoolClient,
  query: string | pg.QueryConfig,
  { patient = false }: Pick<Run, 'patient'> = {},
): Promise<pg.QueryResult> {
  if (!patient) asked(client);
  try {
    return await new Promise((resolve, reject) => {
      client.query(query, (error: Error | null, result) => (error === null ? resolve(result) : reject(error)));
    });
  } catch (error) {
    // Says who asked instead of which socket answered.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  } finally {
    if (!patient) answered(client);
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  try {
    const result = await send(client, 'COMMIT');
    // A transaction that failed inside answers COMMIT with ROLLBACK and no error.
    assert(result.command === 'COMMIT', 'the transaction had failed before its commit');
  } catch (cause) {
    if (isConnectionFailure(cause)) {
      throw new OutsideError('outcome_unknown', 'Storage failed while committing.', { cause, retryable: true });
    }
    throw cause;
  }
}

/** False where the connection cannot even roll back: the pool must drop it. */
async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await send(client, 'ROLLBACK');
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

// Transactions and named statements: the only way to PostgreSQL for every slice.
import { strict as assert } from 'node:assert';

import type pg from 'pg';

import { OutsideError } from '../outside-error.ts';
import { answered, asked } from './answer-watch.ts';
import { type Connections, type ConnectionsOptions, openConnections } from './connections.ts';
import { isConnectionFailure } from './sql-state.ts';

/**
 * A connection inside an open transaction. Operations take it first and never open or end one themselves. Statements are run in the
 * order in which they are asked for, and nothing after one that failed.
 */
export type Tx = { readonly query: Query };

/** Runs a statement with its parameters by name. Without parameters there is no second argument. */
export type Query = <Params, Row>(statement: Statement<Params, Row>, ...params: ParamsOf<Params>) => Promise<Row[]>;

type ParamsOf<Params> = Params extends void ? [] : [params: NoInfer<Params>];

export type TxOptions = {
  /** All statements see the data of one instant, and none may write: for answers put together from several reads. */
  readonly snapshot?: boolean;
  /** Behind the second wall (tenant.ts): only this partner's rows are there; with null nobody's. Left out, the service's own sight. */
  readonly tenant?: string | null;
  /** Statements get all the time that they need, whatever `answerWithinMs` is, and a minute may pass between two: for what reads everything. */
  readonly patient?: boolean;
};

/**
 * A text of SQL that the server parses and plans once per connection under its name. `Params` are the values for its `$names`, `void`
 * where it has none; `Row` is what it returns, by column. test/statements.test.ts compares both with the migrated schema.
 */
export type Statement<Params, Row> = {
  readonly name: string;
  /** With `$1`, `$2`, … for the parameters. */
  readonly text: string;
  /** Members of `Params`, in the order of `$1`, `$2`, …. */
  readonly params: readonly string[];
  /** Never there: it only keeps the two types. */
  readonly types?: (params: Params) => Row;
};

export type Database = Connections & {
  /** One statement in its own implicit transaction. */
  readonly query: Query;
  /** Runs `work` between BEGIN and COMMIT; rolls back when it throws. A failed COMMIT is an `outcome_unknown` OutsideError. */
  tx<Value>(work: (tx: Tx) => Promise<Value>, options?: TxOptions): Promise<Value>;
};

const declared = new Map<string, string>();

/**
 * Declares a named statement with parameters such as `$buyerKey`. Two texts under one name would be a protocol fault, so that is
 * refused here.
 */
export function statement<Params = void, Row = never>(name: string, text: string): Statement<Params, Row> {
  const params: string[] = [];
  const positional = text.replaceAll(/\$([A-Za-z]\w*)/g, (_, param: string) => {
    if (!params.includes(param)) params.push(param);
    return `$${params.indexOf(param) + 1}`;
  });
  const known = declared.get(name);
  assert(known === undefined || known === positional, `two statements are named ${name}`);
  declared.set(name, positional);
  return { name, text: positional, params };
}

export function openDatabase(options: ConnectionsOptions): Database {
  const { checkout, isUncertain, ...connections } = openConnections(options);

  return {
    ...connections,
    async query(statementToRun, ...params) {
      const client = await checkout();
      let broken = false;
      try {
        const rows = await runOn(client, statementToRun, { params });
        if (isUncertain(client)) throw notConfirmed();
        return rows;
      } catch (error) {
        broken = isConnectionFailure(error);
        if (broken) throw new OutsideError('outcome_unknown', 'Storage failed.', { cause: error, retryable: true });
        throw error;
      } finally {
        client.release(broken || isUncertain(client));
      }
    },
    async tx<Value>(work: (tx: Tx) => Promise<Value>, begin: TxOptions = {}): Promise<Value> {
      const client = await checkout();
      let broken = false;
      try {
        await send(client, beginOf(begin));
        const value = await work({
          query: (statementToRun, ...params) => runOn(client, statementToRun, { params, patient: begin.patient }),
        });
        await commit(client);
        if (isUncertain(client)) throw notConfirmed();
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
  };
}

const BUYER_KEY = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** A reader of everything computes between its pages, and holds no locks that others wait for. */
const PATIENT_IDLE_IN_TRANSACTION_MS = 60_000;
const PATIENCE = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = ${PATIENT_IDLE_IN_TRANSACTION_MS}`;

/** One text and so one round trip, whatever has to be set; it ends with the transaction. */
function beginOf({ snapshot = false, patient = false, tenant }: TxOptions): string {
  const isolation = snapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY' : 'BEGIN';
  const begin = patient ? `${isolation}; ${PATIENCE}` : isolation;
  if (tenant === undefined) return begin;
  assert(tenant === null || BUYER_KEY.test(tenant), 'a tenant has the key of a partner');
  return `${begin}; SET LOCAL ROLE leadmarket_buyer; SET LOCAL app.buyer = '${tenant ?? ''}'`;
}

/** The commit is on this server's disk and not known to be on its standby's: it may be lost with the server. */
function notConfirmed(): OutsideError {
  return new OutsideError('outcome_unknown', 'Storage did not confirm.', { retryable: true });
}

type Run<Params> = { readonly params: ParamsOf<Params>; readonly patient?: boolean | undefined };

async function runOn<Params, Row>(
  client: pg.PoolClient,
  { name, text, params: names }: Statement<Params, Row>,
  { params: [params], patient = false }: Run<Params>,
): Promise<Row[]> {
  const given = params as Readonly<Record<string, unknown>> | undefined;
  const values = names.map((param) => given?.[param]);
  const result = await send(client, { name, text, values }, { patient });
  return result.rows as Row[];
}

/**
 * By callback: behind the promise that the driver would make, V8 keeps every query and its values until the next full collection, and
 * batches of leads then bring that on several times a second.
 */
async function send(
  client: pg.PoolClient,
  query: string | pg.QueryConfig,
  { patient = false }: { readonly patient?: boolean } = {},
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

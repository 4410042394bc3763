// Runs transactions and named statements: all slices access PostgreSQL through this file.
import { strict as assert } from 'node:assert';

import type pg from 'pg';

import { OutsideError } from '../outside-error.ts';
import { noteResponse, noteSent } from './response-watch.ts';
import { type Connections, type ConnectionsOptions, openConnections } from './connections.ts';
import { isConnectionFailure } from './sql-state.ts';

/**
 * A connection inside an open transaction. Operations take it as their first parameter and never open or end one themselves. Statements
 * run in the order in which they are sent; after one that failed no other runs. A last statement whose rows nothing needs may be sent
 * without waiting for it: it then travels together with the COMMIT, and its failure fails the transaction.
 */
export type Tx = { readonly query: Query };

/** Runs a statement with its parameters by name. Without parameters there is no second argument. */
export type Query = <Params, Row>(statement: Statement<Params, Row>, ...params: ParamsOf<Params>) => Promise<Row[]>;

type ParamsOf<Params> = Params extends void ? [] : [params: NoInfer<Params>];

export type TxOptions = {
  /** All statements see the data of one instant, and none may write: for results that combine several reads. */
  readonly snapshot?: boolean;
  /** Applies row-level security (tenant.ts): only this partner's rows are visible, with null none. Without it all rows are. */
  readonly tenant?: string | null;
  /** No time limit for statements, independent of `responseWithinMs`, and a minute between two: for exports and other long reads. */
  readonly patient?: boolean;
  /** For a standby: begins only where the log is replayed to this position, and otherwise throws `StandbyBehind`. */
  readonly replayedTo?: string;
  /** True once `work` has had an effect outside of the database: a read that failed on the replica is then not repeated (replica.ts). */
  readonly isUnderWay?: () => boolean;
};

/**
 * An SQL text that the server parses and plans once per connection under its name. `Params` are the values of its `$names`, `void`
 * without any; `Row` is a result row, by column. test/statements.test.ts compares both with the migrated schema.
 */
export type Statement<Params, Row> = {
  readonly name: string;
  /** With `$1`, `$2`, … for the parameters. */
  readonly text: string;
  /** Members of `Params`, in the order of `$1`, `$2`, …. */
  readonly params: readonly string[];
  /** Never set: it only carries the two types. */
  readonly types?: (params: Params) => Row;
};

export type Database = Connections & {
  /** One statement in its own implicit transaction. */
  readonly query: Query;
  /** Runs `work` between BEGIN and COMMIT; rolls back when it throws. A failed COMMIT is an `outcome_unknown` OutsideError. */
  tx<Value>(work: (tx: Tx) => Promise<Value> | Value, options?: TxOptions): Promise<Value>;
};

const declared = new Map<string, string>();

/**
 * Declares a named statement with parameters such as `$buyerKey`. Throws when the name already has another text, which would be a
 * protocol error.
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
    async tx<Value>(work: (tx: Tx) => Promise<Value> | Value, begin: TxOptions = {}): Promise<Value> {
      const client = await checkout();
      let broken = false;
      let failure: unknown;
      /** Statements without a response yet. */
      const sent = new Set<Promise<unknown>>();
      const track = (running: Promise<unknown>): void => {
        sent.add(running);
        running.then(
          () => sent.delete(running),
          (error: unknown) => {
            failure ??= error;
          },
        );
      };
      try {
        if (begin.replayedTo !== undefined) await requireReplayed(client, begin.replayedTo);
        // Sent together with the first statement, which cannot run outside of the transaction: if BEGIN fails, so does the connection.
        const began = send(client, beginOf(begin));
        track(began);
        const value = await work({
          query(statementToRun, ...params) {
            const running = runOn(client, statementToRun, { params, patient: begin.patient });
            track(running);
            return running;
          },
        });
        await Promise.all([...sent, commit(client)]);
        if (isUncertain(client)) throw notConfirmed();
        return value;
      } catch (caught) {
        // The first statement that failed is the cause: after it the server rejects the others, and the COMMIT.
        const error = failure ?? caught;
        // No ROLLBACK is sent over a dead connection, or to a server that has become a standby.
        const hasBegun = !(error instanceof StandbyBehind);
        broken =
          error instanceof OutsideError || isConnectionFailure(error) || (hasBegun && !(await rolledBack(client)));
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

/** The standby has not replayed the log to the position that a transaction asked for. */
export class StandbyBehind extends Error {}

const isReplayed = statement<{ readonly position: string }, { isReplayed: boolean }>(
  'platform.is_replayed',
  `SELECT coalesce(pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $position::text::pg_lsn, false) AS "isReplayed"`,
);

/** Before the transaction: its snapshot then has everything up to the position. */
async function requireReplayed(client: pg.PoolClient, position: string): Promise<void> {
  const [row] = await runOn(client, isReplayed, { params: [{ position }] });
  if (row?.isReplayed !== true) throw new StandbyBehind(`the standby has not replayed the log to ${position}`);
}

const BUYER_KEY = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** A long read computes between its pages, and holds no locks that others wait for. */
const PATIENT_IDLE_IN_TRANSACTION_MS = 60_000;
const PATIENCE = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = ${PATIENT_IDLE_IN_TRANSACTION_MS}`;

/** One text and thus one round trip; all settings end with the transaction. */
function beginOf({ snapshot = false, patient = false, tenant }: TxOptions): string {
  const isolation = snapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY' : 'BEGIN';
  const begin = patient ? `${isolation}; ${PATIENCE}` : isolation;
  if (tenant === undefined) return begin;
  assert(tenant === null || BUYER_KEY.test(tenant), 'a tenant has the key of a partner');
  return `${begin}; SET LOCAL ROLE leadmarket_buyer; SET LOCAL app.buyer = '${tenant ?? ''}'`;
}

/** The commit is on this server's disk but perhaps not on its standby's: it may be lost with the server. */
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
 * Uses the driver's callback: with its promise V8 keeps every query and its values until the next full collection, and batches of leads
 * then trigger that several times a second.
 */
async function send(
  client: pg.PoolClient,
  query: string | pg.QueryConfig,
  { patient = false }: { readonly patient?: boolean } = {},
): Promise<pg.QueryResult> {
  if (!patient) noteSent(client);
  try {
    return await new Promise((resolve, reject) => {
      client.query(query, (error: Error | null, result) => (error === null ? resolve(result) : reject(error)));
    });
  } catch (error) {
    // Replaces the stack of the socket handler by that of the caller.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  } finally {
    if (!patient) noteResponse(client);
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  try {
    const result = await send(client, 'COMMIT');
    // For a failed transaction the server responds to COMMIT with ROLLBACK and no error.
    assert(result.command === 'COMMIT', 'the transaction had failed before its commit');
  } catch (cause) {
    if (isConnectionFailure(cause)) {
      throw new OutsideError('outcome_unknown', 'Storage failed while committing.', { cause, retryable: true });
    }
    throw cause;
  }
}

/** False when the connection cannot even roll back: the pool must then drop it. */
async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await send(client, 'ROLLBACK');
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

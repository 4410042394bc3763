// The connections of one process to its database: the pool, and single ones; watched while they work, and given up where a process that
// ends would wait for a database that does not answer.
import { strict as assert } from 'node:assert';

import pg from 'pg';

import { OutsideError } from '../outside-error.ts';
import { watchResponses } from './answer-watch.ts';
import { type Connector, createConnector, endClient, IDLE_IN_TRANSACTION_MS } from './connector.ts';

export type Connections = {
  /** A connection of its own outside the pool, for LISTEN, for session locks and, without an end to its patience, for migrations. */
  connect(options?: ConnectOptions): Promise<pg.Client>;
  readonly pool: pg.Pool;
  /** Before the end of the process: a database that has fallen silent is given up, with all that waits for it, within seconds. */
  expectEnd(): void;
  /** Cuts every connection of this process; what waits for an answer fails, and so does everything that is asked from now on. */
  giveUp(): void;
  close(): Promise<void>;
};

export type ConnectOptions = {
  /** Statements get all the time that they need. */
  readonly isPatient?: boolean;
  /** Between two statements no more time may pass than within a transaction: for one that takes a lock of its session for its work. */
  readonly isBusy?: boolean;
};

export type ConnectionsOptions = {
  readonly connection: pg.ClientConfig;
  /** Connections of this process; 10 saturates one server of this size, more only queue inside it. */
  readonly connections?: number;
  readonly applicationName?: string;
  /** After so long without an answer a statement counts as lost with its connection. None for commands that may take long. */
  readonly answerWithinMs?: number;
  /** Tests hold transactions open on purpose, longer than a healthy process does. */
  readonly idleInTransactionMs?: number;
  /** Told about connections that broke while idle; without a listener `pg` would end the process. */
  readonly onIdleError?: (error: Error) => void;
};

/** The server ends a statement that nobody waits for any more: later than this side, which can tell why. */
const STATEMENT_OVER_ANSWER_MS = 5000;
/**
 * Less than a frozen process may keep a lock: what its other sessions wait for is then gone before they get it, and they do not hold it
 * one after the other. More than anybody waits for a lock whose holder works; whoever does comes again.
 */
const LOCK_MS = 5000;
/** As long as requests under way get at the end. */
const SILENCE_MS = 8000;
const ASK_EVERY_MS = 1000;
const AT_ONCE_MS = 3000;
const CLOSE_WITHIN_MS = 5000;

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

export type OpenConnections = Connections & {
  /** From the pool, whose `release` the caller owes. */
  checkout(): Promise<pg.PoolClient>;
  /** Whether it was told that a commit may not be on the standby. */
  isUncertain(client: pg.ClientBase): boolean;
};

export function openConnections(options: ConnectionsOptions): OpenConnections {
  const { answerWithinMs, idleInTransactionMs } = options;
  const connector = createConnector(options.connection);
  const limits = {
    statementMs: answerWithinMs === undefined ? undefined : answerWithinMs + STATEMENT_OVER_ANSWER_MS,
    lockMs: answerWithinMs === undefined ? undefined : LOCK_MS,
    idleInTransactionMs,
  };
  const config: pg.ClientConfig = {
    application_name: options.applicationName ?? 'leadmarket',
    types,
    // Statements that are asked for without waiting for the one before travel together, and are still run one after the other.
    pipeline: true,
    ...(answerWithinMs === undefined ? {} : { query_timeout: answerWithinMs }),
  };
  // Answers are watched in another way.
  const ofPool = { ...config, query_timeout: 0, max: options.connections ?? 10, idleTimeoutMillis: 30_000 };
  const pool = new pg.Pool(connector.forPool(ofPool, limits));
  const watch = answerWithinMs === undefined ? null : watchResponses(pool, answerWithinMs);
  let isEnding = false;
  let isClosed = false;
  pool.on('error', (error) => {
    if (!isClosed) options.onIdleError?.(error);
  });

  // A cancelled wait for a synchronous standby is only a warning: the commit is then not known to be on the standby.
  const uncertain = new WeakSet<pg.ClientBase>();
  pool.on('connect', (client) => {
    client.on('notice', (notice) => {
      if (notice.message?.includes('synchronous replication') === true) uncertain.add(client);
    });
  });

  return {
    pool,
    async checkout() {
      try {
        return await connector.onEachServer(() => pool.connect());
      } catch (cause) {
        const retryable = !(cause instanceof OutsideError) || cause.retryable;
        throw new OutsideError('database_unavailable', 'Storage is unavailable.', { cause, retryable });
      }
    },
    isUncertain: (client) => uncertain.has(client),
    connect({ isPatient = false, isBusy = false } = {}) {
      return connector.open(isPatient ? { ...config, query_timeout: 0 } : config, {
        ...limits,
        ...(isPatient ? { statementMs: 0, lockMs: 0 } : {}),
        ...(isBusy ? { idleMs: IDLE_IN_TRANSACTION_MS } : {}),
      });
    },
    expectEnd() {
      if (isEnding) return;
      isEnding = true;
      watch?.wakeUp();
      giveUpInSilence(connector, config);
    },
    giveUp: () => connector.giveUp(),
    async close() {
      isClosed = true;
      const patience = setTimeout(() => connector.giveUp(), CLOSE_WITHIN_MS);
      await pool.end();
      clearTimeout(patience);
      // The pool says goodbye and does not wait for an answer, which would keep the process.
      if (isEnding) connector.giveUp();
    },
  };
}

/**
 * Asks again and again for a new connection: one that is neither opened nor refused stands for a database that nothing can be expected
 * of. A refusal that comes at once is no silence, because whoever asks is told so as well.
 */
function giveUpInSilence(connector: Connector, config: pg.ClientConfig): void {
  const ask = (): void => {
    const askedAt = performance.now();
    const silent = setTimeout(() => connector.giveUp(), SILENCE_MS).unref();
    const heard = (): void => {
      clearTimeout(silent);
      setTimeout(ask, ASK_EVERY_MS).unref();
    };
    connector.open(config, {}).then(
      (client) => {
        heard();
        return endClient(client);
      },
      () => {
        if (performance.now() - askedAt < AT_ONCE_MS) heard();
      },
    );
  };
  ask();
}

// Opens the connections of one process to its database: the pool and single ones. Cuts those whose server stops responding, and all of
// them when a stopping process would wait for such a server.
import { strict as assert } from 'node:assert';

import pg from 'pg';

import { OutsideError } from '../outside-error.ts';
import { watchResponses } from './response-watch.ts';
import { type Connector, createConnector, endClient, IDLE_IN_TRANSACTION_MS } from './connector.ts';

export type Connections = {
  /** Opens a connection outside the pool: for LISTEN, for session locks and, without time limits, for migrations. */
  connect(options?: ConnectOptions): Promise<pg.Client>;
  readonly pool: pg.Pool;
  /** Call it before the end of the process: it gives up an unresponsive database, and all work that waits for it, within seconds. */
  expectEnd(): void;
  /** Cuts every connection of this process; pending and later statements fail. */
  giveUp(): void;
  close(): Promise<void>;
};

export type ConnectOptions = {
  /** No time limit for statements. */
  readonly isPatient?: boolean;
  /** Limits the time between two statements as within a transaction: for a session that holds a lock during its work. */
  readonly isBusy?: boolean;
};

export type ConnectionsOptions = {
  readonly connection: pg.ClientConfig;
  /** Connections of this process; 10 saturate a server of this size, more would only queue inside it. */
  readonly connections?: number;
  readonly applicationName?: string;
  /** After this long without a response the connection is cut and its statements fail. Undefined for commands that may take long. */
  readonly responseWithinMs?: number;
  /** Whether the server may be one that accepts no writes; connections to it open within 2 s or fail. */
  readonly isStandby?: boolean;
  /** For tests that hold transactions open longer than a healthy process does. */
  readonly idleInTransactionMs?: number;
  /** For tests that wait until the limit is over: how long a statement waits for a lock. */
  readonly lockMs?: number;
  /** The same: after how long a stopping process gives up a database that does not respond. */
  readonly silenceMs?: number;
  /** Called for connections that broke while idle; without a listener `pg` would end the process. */
  readonly onIdleError?: (error: Error) => void;
};

/** The server ends an abandoned statement this much later than this side, which can report the reason. */
const STATEMENT_OVER_ANSWER_MS = 5000;
/**
 * Less than a frozen process may hold a lock: its other sessions then give up waiting before they get it, and do not hold it one after the
 * other. More than a wait for a lock whose holder is working; longer waits are repeated.
 */
const LOCK_MS = 5000;
/** The same time that running requests get when the process stops. */
const SILENCE_MS = 8000;
const PROBE_EVERY_MS = 1000;
const PROMPT_MS = 3000;
const CLOSE_WITHIN_MS = 5000;

const BIGINT_OID = 20;

function parseBigint(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), 'a bigint left the range of safe integers');
  return value;
}

/** pg's parsers, but bigint as a checked number: every bigint in the schema is cents, a count or a small sequence. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
    if (oid === BIGINT_OID && format !== 'binary') return parseBigint;
    return pg.types.getTypeParser(oid, format);
  },
};

export type OpenConnections = Connections & {
  /** Takes a connection from the pool; the caller must call its `release`. */
  checkout(): Promise<pg.PoolClient>;
  /** Whether the server reported that a commit may not be on the standby. */
  isUncertain(client: pg.ClientBase): boolean;
};

/** What an idle process uses. A new connection plans its statements anew, which takes longer than running them for a minute. */
const KEPT = 2;

export function openConnections(options: ConnectionsOptions): OpenConnections {
  const { responseWithinMs, idleInTransactionMs, lockMs = LOCK_MS, silenceMs = SILENCE_MS } = options;
  const connector = createConnector(options.connection, options);
  const limits = {
    statementMs: responseWithinMs === undefined ? undefined : responseWithinMs + STATEMENT_OVER_ANSWER_MS,
    lockMs: responseWithinMs === undefined ? undefined : lockMs,
    idleInTransactionMs,
  };
  const config: pg.ClientConfig = {
    application_name: options.applicationName ?? 'leadmarket',
    types,
    // Statements that are sent without waiting for the previous one share a round trip, and still run one after the other.
    pipeline: true,
    ...(responseWithinMs === undefined ? {} : { query_timeout: responseWithinMs }),
  };
  // `watchResponses` replaces the driver's timeout.
  const ofPool = { ...config, query_timeout: 0, max: options.connections ?? 10, min: KEPT, idleTimeoutMillis: 30_000 };
  const pool = new pg.Pool(connector.forPool(ofPool, limits));
  const watch = responseWithinMs === undefined ? null : watchResponses(pool, responseWithinMs);
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
      watch?.shorten();
      giveUpOnSilence(connector, config, silenceMs);
    },
    giveUp: () => connector.giveUp(),
    async close() {
      isClosed = true;
      const patience = setTimeout(() => connector.giveUp(), CLOSE_WITHIN_MS);
      await pool.end();
      clearTimeout(patience);
      // The pool does not wait for the server to close the sockets, which would keep the process alive.
      if (isEnding) connector.giveUp();
    },
  };
}

/**
 * Probes with new connections: when one is neither opened nor rejected in time, the database is unresponsive and is given up. A prompt
 * rejection does not count as silence, because callers get it, too.
 */
function giveUpOnSilence(connector: Connector, config: pg.ClientConfig, silenceMs: number): void {
  const probe = (): void => {
    const startedAt = performance.now();
    const silence = setTimeout(() => connector.giveUp(), silenceMs).unref();
    const probeLater = (): void => {
      clearTimeout(silence);
      setTimeout(probe, PROBE_EVERY_MS).unref();
    };
    connector.open(config, {}).then(
      (client) => {
        probeLater();
        return endClient(client);
      },
      () => {
        if (performance.now() - startedAt < PROMPT_MS) probeLater();
      },
    );
  };
  probe();
}

// Opens every connection of this process to PostgreSQL: to the first listed server that accepts writes, with session limits so that neither
// a frozen process nor a dead connection holds locks (decision 025).
import type { Socket } from 'node:net';

import pg from 'pg';

import { OutsideError } from '../outside-error.ts';
import { needsWritableServer, serverUrls } from './server-list.rules.ts';

export type SessionLimits = {
  /** The server ends a statement that takes longer; 0 is no limit, undefined the server's own setting. */
  readonly statementMs?: number | undefined;
  /** The server ends a statement that waits longer for one lock; undefined is no limit. */
  readonly lockMs?: number | undefined;
  /** The server ends the session when a transaction has waited this long for its client. */
  readonly idleInTransactionMs?: number | undefined;
  /** The same outside transactions, for sessions that hold a session lock. */
  readonly idleMs?: number | undefined;
};

export type Connector = {
  /** Tries one server after the other. The caller ends the client with `endClient`. */
  open(config: pg.ClientConfig, limits: SessionLimits): Promise<pg.Client>;
  /** The configuration of a pool whose connections are opened by this connector. */
  forPool(config: pg.PoolConfig, limits: SessionLimits): pg.PoolConfig;
  /** Runs `connect` again for each further listed server while it fails. */
  onEachServer<Value>(connect: () => Promise<Value>): Promise<Value>;
  /** Cuts every connection and rejects new ones. */
  giveUp(): void;
};

/**
 * Shorter than the 20 s that a response may take, and longer than a healthy process is ever busy between two statements of a
 * transaction: seconds, on a machine with a load of thirty times its processors.
 */
export const IDLE_IN_TRANSACTION_MS = 15_000;

/** The server notices after 10 + 3 × 5 s that the peer of an idle connection is gone, and after 20 s that it accepts no more data. */
const TCP_LIMITS = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '20000',
};

/** The same on this side; by default the kernel probes an idle connection after two hours. */
const KEEP_ALIVE: pg.ClientConfig = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

const CONNECT_WITHIN_MS = 10_000;
/** With several servers a silent one must leave time to try the next within the 20 s that callers wait. */
const CONNECT_EACH_WITHIN_MS = 5000;

/** A read that cannot reach a standby in this time goes to the primary. */
const CONNECT_STANDBY_WITHIN_MS = 2000;

export function createConnector(connection: pg.ClientConfig, { isStandby = false } = {}): Connector {
  const servers = serversOf(connection);
  const mustWrite = !isStandby && needsWritableServer(connection.connectionString ?? '');
  const patienceMs = servers.length > 1 ? CONNECT_EACH_WITHIN_MS : CONNECT_WITHIN_MS;
  const connectionTimeoutMillis = isStandby ? CONNECT_STANDBY_WITHIN_MS : patienceMs;
  const opened = new Set<pg.Client>();
  /** The server that the next connection tries first: it stays with one that works. */
  let at = 0;
  let isOver = false;

  const create = (config: pg.ClientConfig, limits: SessionLimits): pg.Client => {
    const server = at;
    const client = new pg.Client({ ...config, ...KEEP_ALIVE, connectionTimeoutMillis, ...servers[server] });
    // Attached from the start: the database may end a connection in the packet that accepts it, and an `error` event without a
    // listener ends the process. The user of the connection gets the error at the next statement.
    client.on('error', () => undefined);
    client.once('end', () => opened.delete(client));
    const begin = client.connect.bind(client) as (done: (error: Error | null) => void) => void;
    const connect = (done: (error: Error | null, client?: pg.Client) => void): void => {
      if (isOver) {
        process.nextTick(done, givenUp());
        return;
      }
      opened.add(client);
      const fail = (error: Error): void => {
        if (at === server) at = (server + 1) % servers.length;
        cut(client);
        done(error);
      };
      begin((error) => {
        if (error !== null && error !== undefined) return fail(error);
        prepare(client, limits, connectionTimeoutMillis, (fault, isReadOnly) => {
          if (fault !== null) fail(fault);
          else if (mustWrite && isReadOnly) fail(readOnlyServer());
          else done(null, client);
        });
      });
    };
    client.connect = ((done?: (error: Error | null, client?: pg.Client) => void) =>
      done === undefined
        ? new Promise((resolve, reject) => connect((error) => (error === null ? resolve(client) : reject(error))))
        : connect(done)) as pg.Client['connect'];
    return client;
  };

  const onEachServer = async <Value>(connect: () => Promise<Value>): Promise<Value> => {
    for (let tried = 1; ; tried += 1) {
      const before = at;
      try {
        return await connect();
      } catch (error) {
        // The index moves on when a server fails; if it did not, the error has another cause.
        if (tried >= servers.length || at === before || isOver) throw error;
      }
    }
  };

  return {
    onEachServer,
    open: (config, limits) =>
      onEachServer(async () => {
        const client = create(config, limits);
        await client.connect();
        return client;
      }),
    forPool(config, limits) {
      // Pools make their clients with `new`, so it cannot be an arrow function.
      function Client(): pg.Client {
        return create(config, limits);
      }
      return { ...config, connectionTimeoutMillis, Client: Client as unknown as new () => pg.Client };
    },
    giveUp() {
      isOver = true;
      cutAll(opened);
    },
  };
}

function cutAll(clients: Iterable<pg.Client>): void {
  for (const client of clients) cut(client);
}

/** Closes the connection properly, and cuts it when the server does not respond. */
export async function endClient(client: pg.Client, withinMs = 2000): Promise<void> {
  const patience = setTimeout(() => cut(client), withinMs);
  try {
    await client.end();
  } finally {
    clearTimeout(patience);
  }
}

/** Destroys the socket; all pending statements fail. */
export function cut(client: pg.ClientBase, reason = 'The connection was cut.'): void {
  socketOf(client).destroy(new Error(reason));
}

/** The driver's types do not declare its socket. */
function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
}

/** Names the servers for the operator, without user and password: `one.internal:5432 or two.internal:5432 (leads)`. */
export function serverNames(connection: pg.ClientConfig): string {
  // The driver resolves the URL, the environment and its defaults.
  const clients = serversOf(connection).map((server) => new pg.Client(server));
  const hosts = clients.map(({ host, port }) => (host.startsWith('/') ? host : `${host}:${port}`));
  return `${hosts.join(' or ')} (${clients[0]?.database ?? ''})`;
}

/** The driver's options for each listed server, in order. */
function serversOf(connection: pg.ClientConfig): readonly pg.ClientConfig[] {
  const { connectionString } = connection;
  if (connectionString === undefined) return [connection];
  return serverUrls(connectionString).map((url) => ({ ...connection, connectionString: url }));
}

/**
 * Applies the limits with one statement on a new connection, so that transactions cost nothing extra. Not in the startup packet, because
 * poolers reject parameters that they do not know.
 */
function prepare(
  client: pg.Client,
  limits: SessionLimits,
  withinMs: number,
  done: (error: Error | null, isReadOnly?: boolean) => void,
): void {
  const { statementMs, lockMs, idleInTransactionMs = IDLE_IN_TRANSACTION_MS, idleMs } = limits;
  const settings = Object.entries({
    ...TCP_LIMITS,
    idle_in_transaction_session_timeout: String(idleInTransactionMs),
    ...(statementMs === undefined ? {} : { statement_timeout: String(statementMs) }),
    ...(lockMs === undefined ? {} : { lock_timeout: String(lockMs) }),
    ...(idleMs === undefined ? {} : { idle_session_timeout: String(idleMs) }),
  });
  const set = settings.map(([name, value]) => `set_config('${name}', '${value}', false)`);
  const text = `SELECT ${set.join(', ')}, current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;
  const query = { text, query_timeout: withinMs };
  client.query<{ isReadOnly: boolean }>(query, (error: Error | null, result) =>
    error === null || error === undefined ? done(null, result.rows[0]?.isReadOnly) : done(error),
  );
}

function readOnlyServer(): OutsideError {
  return new OutsideError('database_unavailable', 'The server accepts no writes.', { retryable: true });
}

function givenUp(): OutsideError {
  return new OutsideError('database_unavailable', 'The database has been given up.', { retryable: false });
}

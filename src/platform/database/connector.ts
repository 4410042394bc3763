// Opens every connection of this process to PostgreSQL: to the first server on the list that takes writes, with limits on its session so
// that neither a frozen process nor a dead line keeps locks (decision 025).
import type { Socket } from 'node:net';

import pg from 'pg';

import { OutsideError } from '../outside-error.ts';
import { needsWritableServer, serverUrls } from './server-list.rules.ts';

export type SessionLimits = {
  /** The server ends a statement that takes longer; 0 lets it take any time, and left out the server's own setting counts. */
  readonly statementMs?: number | undefined;
  /** The server gives up a statement that waits longer for one lock; left out, it waits for any time. */
  readonly lockMs?: number | undefined;
  /** The server ends the session when a transaction has waited so long for its client. */
  readonly idleInTransactionMs?: number | undefined;
  /** The same outside of transactions, for sessions that hold a lock of their own. */
  readonly idleMs?: number | undefined;
};

export type Connector = {
  /** Connects on one server after the other. The caller ends the client with `endClient`. */
  open(config: pg.ClientConfig, limits: SessionLimits): Promise<pg.Client>;
  /** The configuration of a pool whose connections are opened by this connector. */
  forPool(config: pg.PoolConfig, limits: SessionLimits): pg.PoolConfig;
  /** Runs `connect` again for each further server on the list while it fails. */
  onEachServer<Value>(connect: () => Promise<Value>): Promise<Value>;
  /** Cuts every connection, and refuses new ones from now on. */
  giveUp(): void;
};

/**
 * Shorter than the 20 s that an answer may take, and longer than a healthy process is ever busy between two statements of a
 * transaction: seconds, on a machine with thirty times more to do than it has processors.
 */
export const IDLE_IN_TRANSACTION_MS = 15_000;

/** The server notices after 10 + 3 × 5 s that the machine behind a quiet line is gone, and after 20 s that it takes no more data. */
const TCP_LIMITS = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '20000',
};

/** So does this side; without it the kernel waits two hours before it asks. */
const KEEP_ALIVE: pg.ClientConfig = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

const CONNECT_WITHIN_MS = 10_000;
/** Where there are more, one that says nothing must leave time to try the next within the 20 s that callers wait. */
const CONNECT_WITHIN_MS_OF_SEVERAL = 5000;

export function createConnector(connection: pg.ClientConfig): Connector {
  const servers = serversOf(connection);
  const mustWrite = needsWritableServer(connection.connectionString ?? '');
  const connectionTimeoutMillis = servers.length > 1 ? CONNECT_WITHIN_MS_OF_SEVERAL : CONNECT_WITHIN_MS;
  const opened = new Set<pg.Client>();
  /** Where the next connection goes: it stays with a server that works. */
  let at = 0;
  let isOver = false;

  const create = (config: pg.ClientConfig, limits: SessionLimits): pg.Client => {
    const server = at;
    const client = new pg.Client({ ...config, ...KEEP_ALIVE, connectionTimeoutMillis, ...servers[server] });
    // From the beginning: the database may end a connection in the very packet that welcomes it, and an `error` event that has no
    // listener ends the process. Whoever uses the connection finds out at the next statement.
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
        // Where the server is still the one to try, it was not the server that failed.
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

/** Says goodbye to the server, and cuts the line where that is not heard. */
export async function endClient(client: pg.Client, withinMs = 2000): Promise<void> {
  const patience = setTimeout(() => cut(client), withinMs);
  try {
    await client.end();
  } finally {
    clearTimeout(patience);
  }
}

/** Everything that waits for the connection fails. */
export function cut(client: pg.ClientBase, reason = 'The connection was cut.'): void {
  socketOf(client).destroy(new Error(reason));
}

/** The driver has it, and its types do not say so. */
function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
}

/** As an operator knows them, without user and password: `one.internal:5432 or two.internal:5432 (leads)`. */
export function serverNames(connection: pg.ClientConfig): string {
  // The driver knows best what a URL, the environment and its defaults come to.
  const clients = serversOf(connection).map((server) => new pg.Client(server));
  const hosts = clients.map(({ host, port }) => (host.startsWith('/') ? host : `${host}:${port}`));
  return `${hosts.join(' or ')} (${clients[0]?.database ?? ''})`;
}

/** Their options for the driver, in order. */
function serversOf(connection: pg.ClientConfig): readonly pg.ClientConfig[] {
  const { connectionString } = connection;
  if (connectionString === undefined) return [connection];
  return serverUrls(connectionString).map((url) => ({ ...connection, connectionString: url }));
}

/**
 * One statement when the connection is new, and nothing at any transaction. By SET rather than in the startup packet, where a pooler
 * would refuse what it does not know.
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
  return new OutsideError('database_unavailable', 'The server takes no writes.', { retryable: true });
}

function givenUp(): OutsideError {
  return new OutsideError('database_unavailable', 'The database has been given up.', { retryable: false });
}

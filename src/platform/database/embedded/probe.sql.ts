// Probes whether a server responds and has its database; creates the database if it is missing.
import pg from 'pg';

import { type Connection, DATABASE } from './connection.ts';
import { engineFailure, errorCode } from './engine-failure.ts';

const NO_DATABASE = '3D000';
const DATABASE_EXISTS = ['42P04', '23505'];
/** Not started yet, starting, stopping, or the connection was cut. */
const LATER = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAGAIN', '57P01', '57P02', '57P03'];
/** Every connection is in use, so the server responds. */
const FULL = '53300';

/** The server's own data directory (null when all its connections are in use), or `later`. */
export async function ask(connection: Connection): Promise<{ dataDirectory: string | null } | 'later'> {
  try {
    return { dataDirectory: await dataDirectoryOf(connection) };
  } catch (error) {
    const code = errorCode(error);
    if (code === FULL) return { dataDirectory: null };
    if (code === NO_DATABASE) {
      await makeDatabase(connection);
      return 'later';
    }
    if (code === null || LATER.includes(code)) return 'later';
    throw engineFailure(`The embedded PostgreSQL refuses connections (${code}).`, error);
  }
}

async function dataDirectoryOf(connection: Connection): Promise<string | null> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]?.data_directory ?? null;
  });
}

async function makeDatabase(connection: Connection): Promise<void> {
  try {
    await withClient({ ...connection, database: 'postgres' }, (client) => client.query(`CREATE DATABASE ${DATABASE}`));
  } catch (error) {
    // Another process that uses the engine may do it at the same time.
    const code = errorCode(error);
    if (code !== null && !DATABASE_EXISTS.includes(code) && !LATER.includes(code)) throw error;
  }
}

async function withClient<Value>(connection: Connection, work: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ ...connection, application_name: 'leadmarket-start', connectionTimeoutMillis: 5_000 });
  // A broken connection also rejects the pending statement, where the error is handled.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

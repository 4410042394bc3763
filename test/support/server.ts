// Statements to a PostgreSQL server rather than to one database of it: creating, cloning and dropping databases.
import pg from 'pg';

/** Runs `work` on a connection of its own. */
export async function onServer<Value>(url: string, work: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The same server's URL with another database; also for URLs that name a socket folder or several hosts. */
export function withDatabase(url: string, name: string): string {
  return url.replace(/^([a-z]+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${name}`);
}

/** The name of the database in a URL. */
export function databaseIn(url: string): string {
  return url.replace(/\?.*$/, '').split('/').at(-1) ?? '';
}

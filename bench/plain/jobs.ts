// The queues of the plain program: a job per lead and a job per delivery, run again after failures.
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';

export type Jobs = {
  readonly 'route-lead': { readonly leadId: string };
  readonly 'send-delivery': { readonly deliveryId: string };
  /** Deliveries whose sending was given up. */
  readonly 'release-delivery': { readonly deliveryId: string };
};
export type Handler<Name extends keyof Jobs> = (data: Jobs[Name]) => Promise<void>;

// Ten jobs at a time in each of two fetching loops, which fetch again at once while there is more, and are woken by NOTIFY.
const WORKING = { localConcurrency: 2, batchSize: 10, burstWhenBatchFull: true, perJobResults: true } as const;
const RETRYING = { retryLimit: 8, retryDelay: 5, retryBackoff: true } as const;

export async function createQueues(boss: PgBoss): Promise<void> {
  await boss.createQueue('release-delivery', RETRYING);
  await boss.createQueue('route-lead', { ...RETRYING, notify: true });
  await boss.createQueue('send-delivery', { ...RETRYING, notify: true, deadLetter: 'release-delivery' });
}

/** Adds the job within the client's transaction; prepared, which the library itself leaves out. */
export async function addJob<Name extends keyof Jobs>(
  boss: PgBoss,
  client: pg.PoolClient,
  name: Name,
  data: Jobs[Name],
): Promise<void> {
  const db = { executeSql: (text: string, values: unknown[] = []) => client.query({ name, text, values }) };
  await boss.send(name, data, { db });
}

/** A job that fails is run again; the others of its batch are not. */
export async function workOn<Name extends keyof Jobs>(boss: PgBoss, name: Name, handle: Handler<Name>): Promise<void> {
  await boss.work<Jobs[Name], unknown, typeof WORKING>(name, WORKING, (jobs) =>
    Promise.all(
      jobs.map(async ({ id, data }) => {
        try {
          await handle(data);
          return { id, status: 'completed' as const };
        } catch (error) {
          return { id, status: 'failed' as const, output: String(error) };
        }
      }),
    ),
  );
}

export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // The server rolls back what a closed connection has left open.
    client.release(true);
    throw error;
  }
}

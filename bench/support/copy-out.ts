// Measures PostgreSQL's own time to write rows as CSV: `COPY … TO STDOUT`, read over its socket and discarded.
import type pg from 'pg';

/** Milliseconds and rows. `text` is the whole COPY. */
export async function copyOut(
  client: pg.Client,
  text: string,
): Promise<{ readonly ms: number; readonly rows: number }> {
  const began = performance.now();
  const rows = await new Promise<number>((resolve, reject) => {
    let count = 0;
    const query = {
      // The interface that the driver requires of a custom query.
      submit: (connection: { query(text: string): void }) => connection.query(text),
      callback: (error: Error | null) => (error === null ? resolve(count) : reject(error)),
      handleCopyData: () => {
        count += 1;
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => resolve(count),
      handleError: (error: Error) => reject(error),
    };
    client.query(query as unknown as pg.Submittable);
  });
  return { ms: performance.now() - began, rows };
}

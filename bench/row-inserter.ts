// A program: commits rows one by one with prepared statements on many connections; the baseline if pgbench is not installed. Receives its
// command and sends its report by IPC.
import pg from 'pg';

import type { InsertOrder, InsertResult } from './support/insert-baseline.ts';
import { percentile } from './support/numbers.ts';

process.once('message', (order) => {
  void insert(order as InsertOrder).then((report) => process.send?.(report, () => process.disconnect()));
});

async function insert({ connection, clients, seconds, statement, values }: InsertOrder): Promise<InsertResult> {
  const opened = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client(connection);
      await client.connect();
      return client;
    }),
  );
  const latencies: number[] = [];
  const began = performance.now();
  const end = began + seconds * 1000;
  await Promise.all(
    opened.map(async (client) => {
      while (performance.now() < end) {
        const startedAt = performance.now();
        await client.query({ name: 'bench.insert', text: statement, values: [...values] });
        latencies.push(performance.now() - startedAt);
      }
    }),
  );
  const elapsedSeconds = (performance.now() - began) / 1000;
  await Promise.all(opened.map((client) => client.end()));
  return {
    perSecond: latencies.length / elapsedSeconds,
    p50Ms: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
  };
}

// A program: the path of a lead written plainly, for comparison with the service: Fastify, `pg`, the queue library `pg-boss`, and a job and
// a transaction for every lead and every delivery. Correct and durable (an accepted lead is never lost, a delivery is charged once), but
// without console, limits, traces, log of attempts and returns. Environment: the database, by the variables of libpq. `--role api` only
// takes leads. Prints one line of JSON, ends on SIGTERM.
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';

import pg from 'pg';
import { PgBoss } from 'pg-boss';

import { createQueues, workOn } from './jobs.ts';
import { prepareReleasing, prepareSending } from './send-delivery.ts';
import { prepareRouting } from './route-lead.ts';
import { buildApp } from './take-lead.ts';

const { values } = parseArgs({ options: { role: { type: 'string', default: 'all' } } });

const pool = new pg.Pool({ max: 20 });
const boss = new PgBoss({ max: 10, useListenNotify: true });
boss.on('error', (error) => console.error(error));
await boss.start();
await createQueues(boss);
if (values.role === 'all') {
  await workOn(boss, 'route-lead', await prepareRouting(pool, boss));
  await workOn(boss, 'send-delivery', prepareSending(pool));
  await workOn(boss, 'release-delivery', prepareReleasing(pool));
}
const app = buildApp(pool, boss);
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ port: (app.server.address() as AddressInfo).port })}\n`);

process.once('SIGTERM', () => {
  void app
    .close()
    .then(() => boss.stop())
    .then(() => pool.end());
});

// Builds the HTTP application of the status port: health, readiness and metrics of one process, also of a worker (contract 8.4).
import type { Logger } from 'pino';

import { checkMigrated } from '../platform/database/migrate.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { registerHealth } from '../platform/http/health.route.ts';
import { createServer } from '../platform/http/server.ts';
import type { Metrics } from '../platform/metrics.ts';

export type StatusOptions = { readonly database: Database; readonly log: Logger; readonly metrics: Metrics };

export function buildStatusApp({ database, log, metrics }: StatusOptions): App {
  const app = createServer({ log, trustProxy: [] });
  registerHealth(app, {
    log,
    metrics,
    checks: [{ name: 'database', check: () => checkMigrated(database) }],
    metricsFor: 'everybody',
  });
  return app;
}

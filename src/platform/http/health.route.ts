// Serves liveness, readiness and metrics: /healthz, /readyz, /metrics (contract 8.4).
import type { Logger } from 'pino';

import type { Metrics } from '../metrics.ts';
import type { App } from './app.ts';
import { sendProblem } from './problem.ts';
import { isFromThisMachine } from './untrusted-proxy.ts';
import { NOT_FOUND } from './request-fault.ts';

/** `check` rejects when the process is not ready. */
export type ReadinessCheck = { readonly name: string; readonly check: () => Promise<void> };

export type HealthOptions = {
  readonly log: Logger;
  readonly checks: readonly ReadinessCheck[];
  readonly metrics: Metrics;
  /** Who may read /metrics here. With a separate status port the API does not serve it. */
  readonly metricsFor: 'everybody' | 'this machine' | 'nobody';
};

// Load balancers wait a few seconds for a response; a slower check counts as not ready.
const PATIENCE_MS = 2000;

export function registerHealth(app: App, { log, checks, metrics, metricsFor }: HealthOptions): void {
  const options = { schema: { hide: true }, config: { duringDrain: true } };
  app.get('/healthz', options, (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', options, async (_request, reply) => {
    const failing = app.lifecycle.leaving ? ['draining'] : await failingChecks(checks, log);
    reply.header('cache-control', 'no-store');
    return failing.length === 0
      ? reply.send({ status: 'ready' })
      : reply.code(503).header('retry-after', '1').send({ status: 'unavailable', failing });
  });

  if (metricsFor === 'nobody') return;
  app.get('/metrics', options, async (request, reply) => {
    if (metricsFor === 'this machine' && !isFromThisMachine(request)) return sendProblem(request, reply, NOT_FOUND);
    const text = await metrics.registry.metrics();
    return reply.header('cache-control', 'no-store').type(metrics.registry.contentType).send(text);
  });
}

async function failingChecks(checks: readonly ReadinessCheck[], log: Logger): Promise<string[]> {
  const results = await Promise.all(
    checks.map(async ({ name, check }) => {
      try {
        await within(PATIENCE_MS, check());
        return [];
      } catch (error) {
        log.warn({ err: error, check: name }, 'not ready');
        return [name];
      }
    }),
  );
  return results.flat();
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the check took too long')), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

// Creates the process's metrics: one registry for the metrics of all slices, and the HTTP request histogram (contract 8.4).
import { collectDefaultMetrics, Histogram, Registry } from '@prometheus-io/client';

import type { HttpMeter } from './http/app.ts';

export type Metrics = {
  /** Slices add metrics with `new Counter({ …, registers: [registry] })`. Labels are fixed names, never data. */
  readonly registry: Registry;
  readonly http: HttpMeter;
};

// From one commit on a fast disk to the time after which clients give up.
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The defaults are 10 and 100 ms: they wake an idle process 110 times a second, for half of all that it uses. The lag is the time from one
 * sample to the next, so an idle process shows the first number.
 */
const SAMPLES = { eventLoopMonitoringPrecision: 100, eventLoopUtilizationTimeout: 1000 } as const;

/** Metrics of the process itself. Their timers never end, so they exist once per process, not once per service in it. */
const processRegistry = new Registry();

export function createMetrics(): Metrics {
  if (processRegistry.getMetricsAsArray().length === 0) {
    collectDefaultMetrics({ register: processRegistry, ...SAMPLES });
  }
  const registry = Registry.merge([processRegistry]);
  const durations = new Histogram({
    name: 'leadmarket_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response, by declared route and status class.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  return {
    registry,
    http: {
      forRoute(method, template) {
        // One child per status class, created at the first response of that class.
        const children: Array<{ observe(seconds: number): void } | undefined> = [];
        return (status, elapsedMs) => {
          const statusClass = Math.trunc(status / 100);
          const child = (children[statusClass] ??= durations.labels({
            method,
            route: template,
            status: `${statusClass}xx`,
          }));
          child.observe(elapsedMs / 1000);
        };
      },
    },
  };
}

// Registers the metrics of submissions, routing decisions and delivery attempts, and counts them for the console (contract 8.4).
import { Counter } from '@prometheus-io/client';

import type { FinishReport } from '../deliveries/sending/finish-attempts.ts';
import type { IngestResponse } from '../leads/ingest-lead.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { CountedName, ProcessCounts } from '../platform/processes/process-counts.ts';
import type { RouteReport } from '../routing/route-leads.ts';

export type RuntimeEvents = {
  readonly ingest: (kind: IngestResponse['kind']) => void;
  readonly routed: (report: RouteReport) => void;
  readonly sent: (report: FinishReport) => void;
};

const COUNTED_AS = {
  accepted: 'accepted',
  rejected: 'refused',
  conflict: 'conflicts',
} as const satisfies Record<IngestResponse['kind'], CountedName>;

/** The console shows `counts`; each process exposes its registry to scrapes. */
export function countEvents({ registry }: Metrics, counts: ProcessCounts): RuntimeEvents {
  const registers = [registry];
  const submissions = new Counter({
    name: 'leadmarket_submissions_total',
    help: 'Submissions by answer: accepted, rejected, conflict.',
    labelNames: ['answer'],
    registers,
  });
  const decisions = new Counter({
    name: 'leadmarket_routing_decisions_total',
    help: 'Decisions on leads by outcome: routed, rejected, held.',
    labelNames: ['outcome'],
    registers,
  });
  const attempts = new Counter({
    name: 'leadmarket_delivery_attempts_total',
    help: 'Delivery attempts by result: confirmed, retried, failed.',
    labelNames: ['result'],
    registers,
  });
  return {
    ingest(kind) {
      submissions.inc({ answer: kind });
      counts.count(COUNTED_AS[kind]);
    },
    routed({ outcomes }) {
      for (const [outcome, count] of Object.entries(outcomes)) decisions.inc({ outcome }, count);
    },
    sent({ confirmed, retried, failed }) {
      attempts.inc({ result: 'confirmed' }, confirmed);
      attempts.inc({ result: 'retried' }, retried);
      attempts.inc({ result: 'failed' }, failed);
      counts.count('confirmed', confirmed);
      counts.count('retried', retried);
      counts.count('failed', failed);
    },
  };
}

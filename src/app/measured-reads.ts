// Opens the reads of a process, with the metrics and the log of its replica: how many reads went to it, why not, and its lag (contract 8.4).
import { Counter, Gauge } from '@prometheus-io/client';
import type { Logger } from 'pino';

import type { Database } from '../platform/database/database.ts';
import { openReads, type Reads, type Replica } from '../platform/database/replica.ts';
import type { Metrics } from '../platform/metrics.ts';

export type MeasuredReadsOptions = {
  readonly database: Database;
  /** Null for none: then there are no metrics, either. */
  readonly replica: Replica | null;
  readonly log: Logger;
};

export function openMeasuredReads({ database, replica, log }: MeasuredReadsOptions, { registry }: Metrics): Reads {
  if (replica === null) return openReads({ database, replica });
  const registers = [registry];
  const counter = new Counter({
    name: 'leadmarket_replica_reads_total',
    help:
      'Reads that a replica may answer, by the server that did (replica, primary) and the reason for the primary: away, behind, or ' +
      'own change (the replica did not have what the reader had just changed).',
    labelNames: ['server', 'reason'],
    registers,
  });
  const reads = openReads({
    database,
    replica,
    onRead(from) {
      const [server = '', reason = ''] = from.split(': ');
      counter.inc({ server, reason });
    },
    onChange(fault) {
      if (fault === null) log.info('reports, exports and searches are read from the replica');
      else log.warn({ fault }, 'the replica is not used: reports, exports and searches are read from the primary');
    },
  });
  const lag = new Gauge({
    name: 'leadmarket_replica_lag_seconds',
    help: 'How far the replica was behind at the last check, at most; NaN while that is unknown.',
    registers,
    collect() {
      const lagMs = reads.lagMs();
      lag.set(lagMs === null ? Number.NaN : lagMs / 1000);
    },
  });
  return reads;
}

// The command `retention run`: deletes expired data now; a running server does it by itself every hour.
import type { Command } from 'commander';

import type { CliContext } from '../platform/cli.ts';
import { runRetention } from './retention.job.ts';
import type { RetentionStep } from './retention-terms.rules.ts';

const LABELS_BY_STEP: Readonly<Record<RetentionStep, string>> = {
  leads: 'leads erased',
  'raw-bodies': 'bodies as received',
  snippets: 'answers of endpoints',
  attempts: 'attempts',
  callbacks: 'records of callbacks',
  decisions: 'routing decisions',
  outages: 'outages of endpoints',
  counters: 'counters of past windows',
  persons: 'hashes of persons sold',
  consents: 'proofs of consent',
};

export function registerRetentionCommand(retention: Command, { withDatabase, clock, out }: CliContext): void {
  retention
    .command('run')
    .description('delete now what has expired by the settings of the marketplace')
    .action(async () => {
      const onSlice = (step: RetentionStep, purged: number): void =>
        out.progress(`${LABELS_BY_STEP[step]}: ${purged}…`);
      const { purged } = await withDatabase((database) =>
        runRetention({ database, clock, withinMs: Infinity, onSlice }),
      );
      const rows = Object.entries(LABELS_BY_STEP).map(
        ([step, words]) => [words, purged[step as RetentionStep]] as const,
      );
      out.print({ json: { forgotten: purged }, text: { columns: ['forgotten', 'rows'], rows } });
    });
}

// The command `retention run`: forgets now what is old by the marketplace's settings, which a running server does by itself every hour.
import type { Command } from 'commander';

import type { CliContext } from '../platform/cli.ts';
import { runRetention } from './retention.job.ts';
import type { RetentionStep } from './retention-terms.rules.ts';

const WORDS: Readonly<Record<RetentionStep, string>> = {
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

export function registerRetentionCommand(program: Command, { withDatabase, clock, out }: CliContext): void {
  const retention = program.command('retention').description('how long things are kept');
  retention
    .command('run')
    .description('forget now what is older than the settings of the marketplace say')
    .action(async () => {
      const onSlice = (step: RetentionStep, purged: number): void => out.progress(`${WORDS[step]}: ${purged}…`);
      const { purged } = await withDatabase((database) =>
        runRetention({ database, clock, withinMs: Infinity, onSlice }),
      );
      const rows = Object.entries(WORDS).map(([step, words]) => [words, purged[step as RetentionStep]] as const);
      out.print({ json: { forgotten: purged }, text: { columns: ['forgotten', 'rows'], rows } });
    });
}

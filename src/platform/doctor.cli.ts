// The command `doctor`: checks the installation, prints the findings and says what to do next (contract 7.2).
import type { Command } from 'commander';

import type { CliContext } from './cli.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { examine } from './doctor.ts';
import type { Examination, Finding } from './finding.ts';

type DoctorContext = CliContext & {
  readonly config: () => Config;
  readonly further: readonly Examination[];
  /** The next step of setting the service up; printed when nothing is wrong. */
  readonly nextStep: (database: Database, config: Config) => Promise<string>;
};

export function registerDoctorCommand(doctor: Command, context: DoctorContext): void {
  const { withDatabase, clock, out, further, nextStep } = context;
  doctor.action(async () => {
    const config = context.config();
    out.progress('Checking the database, and the services outside …');
    const { findings, ok, next } = await withDatabase(async (database) => {
      const found = await examine(database, { config, clock, further });
      const isWell = found.every((finding) => finding.ok !== false);
      return { findings: found, ok: isWell, next: isWell ? await nextStep(database, config) : null };
    });
    const warnings = findings.filter(({ warning }) => warning === true).length;
    const state = warnings === 0 ? 'All is well.' : `Nothing is wrong, ${warnings} to look at.`;
    const note = next === null ? 'Mend what is WRONG, and run it again.' : `${state} Next: ${next}`;
    out.print(
      {
        json: { ok, checks: findings, next },
        text: { columns: ['check', 'state', 'detail'], rows: findings.map(row), note },
      },
      ok ? 0 : 1,
    );
  });
}

function row({ name, ok, warning, detail }: Finding): readonly string[] {
  const marks = { true: warning === true ? 'look' : 'ok', false: 'WRONG', null: '-' } as const;
  return [name, marks[`${ok}`], detail];
}

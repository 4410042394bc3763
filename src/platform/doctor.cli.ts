// The command `doctor`: checks the installation and prints the findings (contract 7.2).
import type { Command } from 'commander';

import type { CliContext } from './cli.ts';
import type { Config } from './config.ts';
import { examine, type Examination } from './doctor.ts';

type DoctorContext = CliContext & {
  readonly config: () => Config;
  readonly further: readonly Examination[];
};

export function registerDoctorCommand(doctor: Command, context: DoctorContext): void {
  const { withDatabase, clock, out, further } = context;
  doctor.action(async () => {
    const findings = await withDatabase((database) => examine(database, { config: context.config(), clock, further }));
    const ok = findings.every((finding) => finding.ok !== false);
    const marks = { true: 'ok', false: 'WRONG', null: '-' } as const;
    out.print(
      {
        json: { ok, checks: findings },
        text: {
          columns: ['check', 'state', 'detail'],
          rows: findings.map(({ name, ok: isOk, detail }) => [name, marks[`${isOk}`], detail]),
        },
      },
      ok ? 0 : 1,
    );
  });
}

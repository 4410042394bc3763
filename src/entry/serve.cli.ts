// The commands `serve` and `migrate` (contract 7.2).
import { type Command, Option } from 'commander';

import type { Role } from '../app/runtime.ts';
import type { CommandsContext } from './command-context.ts';

const ROLES: readonly Role[] = ['all', 'api', 'worker'];

export function registerServe(command: Command, { environment, out }: CommandsContext): void {
  command
    .addOption(new Option('--role <role>', 'what this process does').choices(ROLES).default('all'))
    .action(async ({ role }: { role: Role }) => {
      if (!environment.ok) return out.refuse('configuration_invalid', environment.faults.join('\n'));
      // Imported only here: the server's libraries take longer to load than most commands to run.
      const { serve } = await import('./serve.ts');
      await serve(environment.config, role);
    });
}

export function registerMigrate(command: Command, { out, migrate }: CommandsContext): void {
  command.action(async () => {
    const report = await migrate();
    out.print({
      json: { applied: report.applied, already: report.already },
      text: report.applied.length === 0 ? 'The schema is up to date.' : `Applied ${report.applied.join(', ')}.`,
    });
  });
}

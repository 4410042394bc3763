// The program `leadmarket`: parses the command line and runs the called command (contract 7.1).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { runCommand } from '../platform/cli.ts';
import { registerCommands } from './commands.ts';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

process.exitCode = await runCommand(process.argv.slice(2), {
  version,
  description: 'The lead marketplace: its server and all commands of the operator.',
  streams: process,
  register: (program, { out, called }) =>
    registerCommands(program, called, async () => (await import('./command-context.ts')).commandContext(out)),
});

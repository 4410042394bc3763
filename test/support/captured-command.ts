// Runs a command of the command line inside the test's own process and records its output.
import type { Command } from 'commander';

import type { Clock } from '../../src/platform/clock.ts';
import { type CliContext, runCommand } from '../../src/platform/cli.ts';
import type { CliOutput } from '../../src/platform/cli-output.ts';
import type { Database } from '../../src/platform/database/database.ts';

export type Captured = {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly json: unknown;
};

export async function captureCommand(
  argv: readonly string[],
  register: (program: Command, out: CliOutput, called: string | null) => Promise<void> | void,
  { isTTY = false }: { isTTY?: boolean } = {},
): Promise<Captured> {
  let stdout = '';
  let stderr = '';
  const exitCode = await runCommand(argv, {
    version: '1.2.3',
    description: 'The command under test.',
    streams: {
      stdout: {
        isTTY,
        write(text, done) {
          stdout += text;
          done?.();
        },
      },
      stderr: { isTTY, write: (text) => (stderr += text) },
    },
    register: (program, { out, called }) => register(program, out, called),
  });
  // Standard output with --json must be JSON only: anything else fails here.
  const json: unknown = argv.includes('--json') ? JSON.parse(stdout) : undefined;
  return { exitCode, stdout, stderr, json };
}

/** The context of a command that uses this database and reads this clock. */
export function contextOf(database: Database, clock: Clock, out: CliOutput): CliContext {
  return { withDatabase: (work) => work(database), clock, out };
}

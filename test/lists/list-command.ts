// Runs the commands of lists against a database, on files and on standard input.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { registerListCommands } from '../../src/imports/lists.cli.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { type Captured, captureCommand, contextOf } from '../support/captured-command.ts';

export type ListCommands = {
  /** The result of `list …`, which must succeed. */
  run(...argv: readonly string[]): Promise<Record<string, unknown>>;
  /** The same whatever the outcome is. */
  try(...argv: readonly string[]): Promise<Captured>;
  /** Loads the text as a file with the rest of the options. */
  load(key: string, csv: string | Uint8Array, ...options: readonly string[]): Promise<Captured>;
  close(): Promise<void>;
};

export async function listCommands(database: Database, clock: Clock): Promise<ListCommands> {
  const folder = await mkdtemp(join(tmpdir(), 'leadmarket-lists-'));
  let files = 0;
  const attempt = (argv: readonly string[], stdin: Readable = Readable.from([])): Promise<Captured> =>
    captureCommand(['list', ...argv, '--json'], (program, out) =>
      registerListCommands(program.command('list'), { ...contextOf(database, clock, out), stdin }),
    );
  return {
    async run(...argv) {
      const { exitCode, stdout, json } = await attempt(argv);
      if (exitCode !== 0) throw new Error(stdout);
      return json as Record<string, unknown>;
    },
    try: (...argv) => attempt(argv),
    async load(key, csv, ...options) {
      files += 1;
      const path = join(folder, `list-${files}.csv`);
      await writeFile(path, csv);
      return attempt(['load', key, path, ...options]);
    },
    close: () => rm(folder, { recursive: true }),
  };
}

// Tests the help of the program: its groups, what it says to try first, and that it loads no module of a command.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { FIRST_STEPS, commandGroups, registerCommands } from '../../src/entry/commands.ts';
import type { CommandsContext } from '../../src/entry/command-context.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { CliOutput } from '../../src/platform/cli-output.ts';
import { type Captured, captureCommand } from '../support/captured-command.ts';

const ROOT = join(import.meta.dirname, '../..');

const contextFor = (out: CliOutput): CommandsContext => {
  const cut = (): never => {
    throw new Error('a help needs nothing of this');
  };
  return {
    out,
    clock: systemClock,
    environment: { ok: false, faults: [] },
    config: cut,
    migrate: cut,
    withDatabase: cut,
    withReached: cut,
    stdin: process.stdin,
    prompts: process.stderr,
  };
};

const run = (...argv: string[]): Promise<Captured> =>
  captureCommand(argv, (program, out, called) => registerCommands(program, called, () => contextFor(out)));

const names = commandGroups.flatMap(({ commands }) => commands.map(({ usage }) => usage.split(' ')[0] ?? ''));

/** The names of the commands below each heading. */
function sections(help: string): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const part of help.split('\n\n')) {
    const [, title, body = ''] = /^(\S[^\n]*):\n([^]*)$/.exec(part) ?? [];
    if (title !== undefined) found[title] = [...body.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name ?? '');
  }
  return found;
}

describe('The help of the program', () => {
  it('shows every command once, in its group', async () => {
    const { exitCode, stdout } = await run('--help');
    expect(exitCode).toBe(0);
    const { Options: _options, 'Try first': _steps, ...groups } = sections(stdout);
    const expected = Object.fromEntries(
      commandGroups.map(({ title, commands }) => [title, commands.map(({ usage }) => usage.split(' ')[0])]),
    );
    expected['Upkeep']?.push('version', 'help');
    expect(groups).toEqual(expected);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has the groups that operators look for, in this order', () => {
    expect(commandGroups.map(({ title }) => title)).toEqual([
      'Run',
      'Configure',
      'People and keys',
      'Leads and deliveries',
      'Money',
      'Privacy',
      'Upkeep',
    ]);
  });

  it('fits a terminal of 80 columns', async () => {
    const { stdout } = await run('--help');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('ends with three commands to try first, all of which exist', async () => {
    expect(FIRST_STEPS).toHaveLength(3);
    const { stdout } = await run('--help');
    const end = stdout.slice(stdout.indexOf('Try first:'));
    for (const [command, does] of FIRST_STEPS) {
      expect(end).toMatch(new RegExp(`^ {2}leadmarket ${command} +${does}$`, 'm'));
      expect((await run(...command.split(' '), '--help')).stdout).toContain(`Usage: leadmarket ${command} [options]`);
    }
  });

  it('is one JSON value with --json', async () => {
    expect(await run('--help', '--json')).toMatchObject({
      exitCode: 0,
      json: { text: expect.stringMatching(/^Usage: [^]*Try first:[^]*$/) as unknown },
    });
  });

  it('loads neither a slice nor the libraries of the database and the server', async () => {
    const hooks = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      process.on('exit', () => process.stderr.write(JSON.stringify(loaded)));`;
    const { stderr } = await promisify(execFile)(join(ROOT, 'bin/leadmarket'), ['--help'], {
      env: { ...process.env, NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hooks)}` },
    });
    const loaded = (JSON.parse(stderr) as string[]).filter((url) => url.startsWith('file:'));
    const packages = loaded.map((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? null);
    expect([...new Set(packages.filter((name) => name !== null))].toSorted()).toEqual([
      'commander',
      'console-table-printer',
      'simple-wcswidth',
      'temporal-polyfill',
      'temporal-utils',
    ]);
    // A file that is missing here would be loaded by every command: import it in the `register` of the command that needs it.
    expect(
      loaded
        .filter((_url, index) => packages[index] === null)
        .map((url) => url.slice(url.indexOf('/src/') + 1))
        .toSorted(),
    ).toEqual([
      'src/base/rfc3339.ts',
      'src/base/temporal.ts',
      'src/base/time.ts',
      'src/entry/cli.ts',
      'src/entry/commands.ts',
      'src/entry/composed-commands.ts',
      'src/entry/serve.cli.ts',
      'src/platform/cli-output.ts',
      'src/platform/cli.ts',
      'src/platform/outside-error.ts',
    ]);
  });
});

describe('The help of a command', () => {
  it.each(names)('is complete for %s, also with "help" before it', async (name) => {
    const { exitCode, stdout } = await run(name, '--help');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Usage: leadmarket ${name} [options]`);
    expect(stdout).toContain('--json');
    expect((await run('help', name)).stdout).toBe(stdout);
  });
});

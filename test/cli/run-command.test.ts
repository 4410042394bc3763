import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import { countArgument, textArgument, timeArgument } from '../../src/platform/cli.ts';
import type { CliOutput } from '../../src/platform/cli-output.ts';
import { OutsideError } from '../../src/platform/outside-error.ts';
import { captureCommand } from '../support/captured-command.ts';

/** Two groups of commands, registered as a slice does it. */
function register(program: Command, out: CliOutput): void {
  const box = program.command('box').description('boxes');
  box
    .command('show <boxId>')
    .option('--limit <n>', 'how many', countArgument(1, 200))
    .option('--since <time>', 'since when', timeArgument)
    .option('--label <text>', 'called', textArgument(5))
    .action((boxId: string, options: object) => out.print({ json: { boxId, ...options }, text: `box ${boxId}` }));
  box.command('list').action(() => {
    out.progress('Opening boxes…');
    out.progress('Counting…');
    out.print({
      json: { data: [] },
      text: {
        columns: ['Id', 'Pieces', 'Note'],
        rows: [
          ['a', 5, '漢字'],
          ['bc', 12, null],
          ['d', null, 'red \u001b[31m\nand \u009b0m'],
        ],
      },
    });
  });
  box.command('empty').action(() => out.print({ json: { data: [] }, text: { columns: ['Id'], rows: [] } }));
  box.command('wrong').action(() => out.print({ json: { ok: false }, text: 'All wrong.' }, 1));
  box.command('refuse').action(() => out.refuse('box_locked', 'The box is \u001b[2Jlocked.'));
  box.command('away').action(() => {
    const cause = new Error('no route');
    throw new OutsideError('database_unavailable', 'Storage is unavailable.', { cause, retryable: true });
  });
  box.command('fault').action(async () => {
    await Promise.resolve();
    throw new TypeError('a bug');
  });
}

const run = (...argv: string[]) => captureCommand(argv, register);

describe('A command', () => {
  it('prints the version, as a command and as an option', async () => {
    const { stdout } = await run('--version');
    expect(stdout).toMatch(/^\S+\n$/);
    expect(await run('version')).toMatchObject({ exitCode: 0, stdout, stderr: '' });
    expect((await run('version', '--json')).json).toEqual({ version: stdout.trim() });
  });

  it('prints text for people and exits 0', async () => {
    expect(await run('box', 'show', 'b1')).toMatchObject({ exitCode: 0, stdout: 'box b1\n', stderr: '' });
  });

  it.each([
    ['before the command', ['--json', 'box', 'show', 'b1']],
    ['in the middle', ['box', '--json', 'show', 'b1']],
    ['after it', ['box', 'show', 'b1', '--json']],
    ['before its argument', ['box', 'show', '--json', 'b1']],
  ])('prints JSON only with --json %s', async (_case, argv) => {
    const { exitCode, json, stderr } = await run(...argv);
    expect([exitCode, json, stderr]).toEqual([0, { boxId: 'b1' }, '']);
  });

  it('that is rejected prints the reason on standard error and exits 1; in JSON with its code', async () => {
    expect(await run('box', 'refuse')).toMatchObject({ exitCode: 1, stdout: '', stderr: 'The box is �[2Jlocked.\n' });
    const refused = await run('box', 'refuse', '--json');
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: 'box_locked' } }, stderr: '' });
  });

  it('can be rejected with a result of its own shape', async () => {
    expect(await run('box', 'wrong')).toMatchObject({ exitCode: 1, stdout: 'All wrong.\n' });
    expect(await run('box', 'wrong', '--json')).toMatchObject({ exitCode: 1, json: { ok: false } });
  });

  it('exits 1 with the reason when storage is unavailable', async () => {
    expect(await run('box', 'away')).toMatchObject({ exitCode: 1, stderr: 'Storage is unavailable. (no route)\n' });
    expect(await run('box', 'away', '--json')).toMatchObject({ exitCode: 1, json: { error: { code: 'unavailable' } } });
  });

  it('exits 1 on an internal error and prints the stack on standard error', async () => {
    const { exitCode, json, stderr } = await run('box', 'fault', '--json');
    expect([exitCode, json]).toEqual([1, { error: { code: 'internal_error', message: 'a bug' } }]);
    expect(stderr).toContain('run-command.test.ts');
  });
});

describe('Usage', () => {
  it.each([
    ['an unknown command', ['bx']],
    ['an unknown subcommand', ['box', 'shw', 'b1']],
    ['an unknown option', ['box', 'show', 'b1', '--nope']],
    ['a missing argument', ['box', 'show']],
    ['one argument too many', ['box', 'show', 'b1', 'b2']],
    ['an option without its value', ['box', 'show', 'b1', '--limit']],
    ['a value out of range', ['box', 'show', 'b1', '--limit', '201']],
    ['a value that is no whole number', ['box', 'show', 'b1', '--limit', '1e2']],
    ['a group without a command', ['box']],
    ['no command at all', []],
  ])('faults such as %s exit 2, in words or in JSON', async (_case, argv) => {
    const words = await run(...argv);
    expect([words.exitCode, words.stdout]).toEqual([2, '']);
    expect(words.stderr).not.toBe('');
    const { exitCode, json, stderr } = await run(...argv, '--json');
    expect([exitCode, json, stderr]).toMatchObject([2, { error: { code: 'usage' } }, '']);
  });

  it('is printed on request with exit 0, and lists --json for every command', async () => {
    for (const argv of [['--help'], ['box', '--help'], ['box', 'show', '--help'], ['help', 'box']]) {
      const { exitCode, stdout, stderr } = await run(...argv);
      expect([exitCode, stderr]).toEqual([0, '']);
      expect(stdout).toContain('--json');
    }
    const { exitCode, json } = await run('box', '--help', '--json');
    expect([exitCode, json]).toMatchObject([0, { text: expect.stringContaining('Usage: leadmarket box') as unknown }]);
  });

  it('prints the version', async () => {
    expect(await run('--version')).toMatchObject({ exitCode: 0, stdout: '1.2.3\n' });
  });

  it('treats arguments after two dashes as no options', async () => {
    expect(await captureCommand(['box', 'show', '--', '-x'], register)).toMatchObject({
      exitCode: 0,
      stdout: 'box -x\n',
    });
  });
});

describe('Values', () => {
  it.each([
    ['2026-11-20T15:04:05Z', '2026-11-20T15:04:05.000Z'],
    ['2026-11-20T15:04:05.120+01:00', '2026-11-20T14:04:05.120Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ])('the time %s is read as %s', async (text, since) => {
    expect(await run('box', 'show', 'b1', '--since', text, '--json')).toMatchObject({ exitCode: 0, json: { since } });
  });

  it.each([
    'tomorrow',
    '1',
    '2026',
    '2026-02-30',
    '2026-11-20T15:04:05',
    '2026-11-20 15:04:05Z',
    '2026-11-20T25:00:00Z',
    '',
  ])('the time "%s" is a usage fault', async (text) => {
    expect(await run('box', 'show', 'b1', '--since', text)).toMatchObject({ exitCode: 2 });
  });

  it.each(['', '   ', 'abcdef', 'a\nb', 'a\u0000b', '\ud800'])('reject the text %j as a usage error', async (text) => {
    expect(await run('box', 'show', 'b1', '--label', text)).toMatchObject({ exitCode: 2 });
  });

  it('are trimmed', async () => {
    expect(await run('box', 'show', 'b1', '--label', ' ab c ', '--json')).toMatchObject({ json: { label: 'ab c' } });
  });
});

describe('On the screen', () => {
  it('aligns numbers right and wide characters in a table, without control characters', async () => {
    const { stdout } = await run('box', 'list');
    expect(stdout).toBe(
      [
        '┌────┬────────┬───────────────────┐',
        '│ Id │ Pieces │ Note              │',
        '├────┼────────┼───────────────────┤',
        '│ a  │      5 │ 漢字              │',
        '│ bc │     12 │                   │',
        '│ d  │        │ red �[31m and �0m │',
        '└────┴────────┴───────────────────┘',
        '',
      ].join('\n'),
    );
    expect((await run('box', 'empty')).stdout).toBe('None.\n');
  });

  it('shows progress as one line on a terminal that is cleared at the end, and nothing in a file', async () => {
    expect((await run('box', 'list')).stderr).toBe('');
    const { stderr } = await captureCommand(['box', 'list', '--json'], register, { isTTY: true });
    expect(stderr).toBe('Opening boxes…\r\u001b[2KCounting…\r\u001b[2K');
  });
});

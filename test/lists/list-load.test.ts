// Tests loading of lists: all entries of a file count or none, whatever happens on the way, and hostile files break nothing (contract 15.4).
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import { newFindings } from '../../src/imports/findings.ts';
import { importList } from '../../src/imports/import-list.job.ts';
import { readListByName } from '../../src/lists/read-lists.ts';
import { sweepLists } from '../../src/lists/sweep-lists.job.ts';
import { applyFile } from '../../src/marketplace-file/apply-file.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { handClock } from '../support/hand-clock.ts';
import { select } from '../support/ledger-faults.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { listCommands, type ListCommands } from './list-command.ts';

const clock = handClock('2026-11-18T12:00:00.000Z');
const ROOT = join(import.meta.dirname, '..', '..');
let home: TestDatabase;
let lists: ListCommands;

beforeAll(async () => {
  home = await createTestDatabase();
  lists = await listCommands(home.database, clock);
});
afterAll(async () => {
  await lists.close();
  await home.drop();
});
beforeEach(() => select(home.database, 'TRUNCATE list, list_load, list_entry'));

/** Two parts and a half, as they are written. */
const SOME_PARTS = 25_000;

const phone = (number: number) => `+1555${2_000_000 + number}`;
const csvOf = (from: number, to: number) =>
  `phone\n${Array.from({ length: to - from }, (_, index) => phone(from + index)).join('\n')}\n`;
const sha = (text: string) => createHash('sha256').update(text).digest('hex');

async function applyYaml(text: string): Promise<void> {
  const parsed = parseFile(text, { allowTargets: [] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const options = { dryRun: false, prune: false, actor: commandLineActor };
  await home.database.tx((tx) => applyFile(tx, parsed.file, options, clock.now()));
}

const suppressing = (key = 'dnc', kind = 'phone') => lists.run('create', key, '--kind', kind, '--use', 'suppress');
const isListed = async (value: string, key = 'dnc') => (await lists.run('show', key, '--value', value))['listed'];
const stored = async () =>
  Number((await select<{ n: string }>(home.database, 'SELECT count(*) AS n FROM list_entry'))[0]?.n);
const shown = async (key = 'dnc') =>
  (await lists.run('show', key)) as {
    entries: number;
    loads: Array<{ state: string; entries: number; rejected: number }>;
  };
const sweep = (withExpired = true) => sweepLists({ database: home.database, clock, withExpired });

describe('Loading a list', () => {
  it('takes values in any spelling and their hashes, each once', async () => {
    await suppressing();
    const csv = `phone\n(555) 200-0001\n+1 555 200 0001\n${sha(phone(1))}\n${sha(phone(2)).toUpperCase()}\n\n${phone(3)}\n`;
    expect((await lists.load('dnc', csv)).json).toMatchObject({ applied: true, entries: 3, rows: 5, rejected: 0 });
    for (const number of [1, 2, 3]) expect(await isListed(phone(number))).toBe(true);
    expect(await isListed(sha(phone(3)))).toBe(true);
    expect(await isListed(phone(4))).toBe(false);
  });

  it('replaces what the list had, or adds to it', async () => {
    await suppressing();
    await lists.load('dnc', csvOf(0, 100));
    await lists.load('dnc', csvOf(50, 120), '--mode', 'add');
    expect([await isListed(phone(0)), await isListed(phone(119)), (await shown()).entries]).toEqual([true, true, 120]);
    await lists.load('dnc', csvOf(110, 130));
    expect([await isListed(phone(0)), await isListed(phone(109)), await isListed(phone(129))]).toEqual([
      false,
      false,
      true,
    ]);
    expect((await shown()).entries).toBe(20);
    await sweep(false);
    expect([await stored(), (await shown()).loads.map(({ state }) => state)]).toEqual([20, ['current']]);
  });

  it('keeps the latest expiry of a value, and deletes entries after it', async () => {
    await suppressing();
    const rows = [
      `${phone(1)},2026-11-19T00:00:00Z`,
      `${phone(1)},2026-11-20T00:00:00Z`,
      `${phone(2)},`,
      `${phone(2)},2026-11-19`,
      `${phone(3)},2026-11-19`,
      `${phone(4)},2020-01-01`,
    ];
    const csv = `value,expires\n${rows.join('\n')}\n`;
    expect((await lists.load('dnc', csv, '--expires', '2026-11-21')).exitCode).toBe(0);
    const expiries = await Promise.all(
      [1, 2, 3, 4].map(async (number) => (await lists.run('show', 'dnc', '--value', phone(number)))['expires']),
    );
    // A day ends at midnight; a row without an expiry has the load's.
    expect(expiries).toEqual([
      '2026-11-20T00:00:00.000Z',
      '2026-11-22T00:00:00.000Z',
      '2026-11-20T00:00:00.000Z',
      null,
    ]);
    expect(await isListed(phone(4))).toBe(false);
    clock.advance(3 * 86_400_000);
    await sweep();
    expect([await stored(), (await shown()).entries]).toEqual([1, 1]);
  });

  it('reports rows with errors without their values, and loads nothing unless told to leave them out', async () => {
    await suppressing();
    await lists.load('dnc', csvOf(0, 5));
    const csv = `value,expires\n${phone(10)},\nno-phone-of-mine,\n${phone(11)},someday\n`;
    const refused = await lists.load('dnc', csv);
    expect(refused.exitCode).toBe(1);
    expect(refused.json).toMatchObject({ applied: false, rows: 3, rejected: 2, errorCount: 2 });
    expect(refused.stdout).not.toContain('no-phone-of-mine');
    expect([await isListed(phone(1)), await isListed(phone(10))]).toEqual([true, false]);
    const taken = await lists.load('dnc', csv, '--skip-invalid');
    expect([taken.exitCode, taken.json]).toMatchObject([0, { applied: true, entries: 1, rejected: 2 }]);
    expect([await isListed(phone(1)), await isListed(phone(10))]).toEqual([false, true]);
  });

  it('with --hashed takes hashes only', async () => {
    await suppressing();
    expect((await lists.load('dnc', `value\n${phone(1)}\n`, '--hashed')).exitCode).toBe(1);
    expect((await lists.load('dnc', `value\n${sha(phone(1))}\n`, '--hashed')).exitCode).toBe(0);
  });

  it.each<readonly [string, string | Uint8Array]>([
    ['an empty file', ''],
    ['no column with values', 'expires\n2027-01-01\n'],
    ['an unknown column', `phone,name\n${phone(1)},Ann\n`],
    ['both names of the column twice', `phone,phone\n${phone(1)},${phone(1)}\n`],
    ['a row that is too long', `phone\n${phone(1)},x\n`],
    ['a quote that is never closed', `phone\n"${phone(1)}\n${'x'.repeat(10_000)}`],
    ['a quote inside of a cell', `phone\n${phone(1)}"x\n`],
    ['bytes that are not UTF-8', Buffer.from([0x70, 0x68, 0x6f, 0x6e, 0x65, 10, 0xff, 0xfe, 10])],
    ['NUL bytes', `phone\n\u0000\u0000\n`],
    ['a value of a megabyte', `phone\n${'9'.repeat(999_990)}\n`],
    ['a formula', 'phone\n=HYPERLINK("http://x")\n'],
    ['half of a hash', `phone\n${sha('x').slice(1)}\n`],
    ['SQL', "phone\n'); DROP TABLE list; --\n"],
  ])('rejects %s, and keeps what the list has', async (_, content) => {
    await suppressing();
    await lists.load('dnc', csvOf(0, 3));
    const { exitCode, json } = await lists.load('dnc', content);
    expect([exitCode, json]).toMatchObject([1, { applied: false }]);
    expect([await isListed(phone(1)), (await shown()).entries]).toEqual([true, 3]);
    await sweep();
    expect(await stored()).toBe(3);
  });

  it('a source that breaks off half way loads nothing of it', async () => {
    await suppressing();
    const list = await readListByName(home.database, 'dnc', null);
    if (list === null) throw new Error('the list was not created');
    const source = (): Readable =>
      Readable.from(
        (async function* () {
          yield Buffer.from(csvOf(0, SOME_PARTS));
          await eventually('a part is written', async () => (await stored()) > 0);
          throw new Error('the connection was cut');
        })(),
      );
    const options = { mode: 'replace', hashed: false, skipInvalid: false, expiresAt: null } as const;
    const author = { actor: commandLineActor, origin: noOrigin };
    const run = { database: home.database, clock, list, options, author, findings: newFindings() };
    const seen: number[] = [];
    const progress = (rows: number): void => void seen.push(rows);
    await expect(importList({ ...run, input: { open: source }, progress })).rejects.toThrow('the connection was cut');
    expect(seen.length).toBeGreaterThan(0);
    expect(await stored()).toBeGreaterThan(0);
    expect([await isListed(phone(0)), (await shown()).entries]).toEqual([false, 0]);
    await sweep(false);
    expect([await stored(), (await shown()).loads]).toEqual([0, []]);
  });

  it('a process that is killed half way leaves nothing that counts, and what it left is cleaned up', async () => {
    await suppressing();
    await lists.load('dnc', csvOf(0, 3));
    const child = spawn(process.execPath, [join(ROOT, 'src/entry/cli.ts'), 'list', 'load', 'dnc', '-'], {
      env: { ...process.env, DATABASE_URL: home.url, DATA_DIR: '/nonexistent' },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    // It is killed while it reads.
    child.stdin.on('error', () => undefined);
    try {
      // Some parts, and never its end.
      child.stdin.write(csvOf(10, 10 + SOME_PARTS));
      await eventually('some parts are written', async () => (await stored()) > 10_000);
      await killed(child);
    } finally {
      child.kill('SIGKILL');
    }
    expect([await isListed(phone(1)), await isListed(phone(20)), (await shown()).entries]).toEqual([true, false, 3]);
    expect((await shown()).loads.map(({ state }) => state)).toEqual(['loading', 'current']);
    await sweep(false);
    expect(await stored()).toBeGreaterThan(10_000);
    // The clock of the killed process is the machine's, far ahead of or behind the test's.
    await select(home.database, `UPDATE list_load SET touched_at = '2026-11-18T10:00:00Z' WHERE state = 'loading'`);
    await sweep(false);
    expect([await stored(), (await shown()).loads.map(({ state }) => state)]).toEqual([3, ['current']]);
  });

  function killed(child: ChildProcess): Promise<unknown> {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    return ended;
  }
});

describe('A list', () => {
  it('is removed with all its entries', async () => {
    await suppressing();
    await lists.load('dnc', csvOf(0, 50));
    await lists.run('remove', 'dnc');
    expect((await lists.try('show', 'dnc')).exitCode).toBe(1);
    // Its key is free at once.
    await suppressing();
    expect((await shown()).entries).toBe(0);
    await sweep(false);
    const rows = await select<{ lists: string }>(home.database, 'SELECT count(*) AS lists FROM list');
    expect([await stored(), Number(rows[0]?.lists)]).toEqual([0, 1]);
  });

  it('loses single values, by value or by hash', async () => {
    await suppressing();
    await lists.load('dnc', csvOf(0, 10));
    await lists.load('dnc', csvOf(5, 10), '--mode', 'add');
    const removed = await lists.run(
      'remove',
      'dnc',
      '--value',
      '(555) 200-0005',
      '--value',
      sha(phone(6)),
      '--value',
      phone(99),
    );
    expect(removed).toMatchObject({ values: 2 });
    expect([await isListed(phone(5)), await isListed(phone(6)), await isListed(phone(7))]).toEqual([
      false,
      false,
      true,
    ]);
    expect((await shown()).entries).toBe(8);
    expect((await lists.try('remove', 'dnc', '--value', 'nobody')).json).toMatchObject({
      error: { code: 'value_invalid' },
    });
  });

  it.each([
    [['--kind', 'domain', '--use', 'sold'], 'list_use_unfit'],
    [['--kind', 'zip', '--use', 'sold'], 'list_use_unfit'],
    [['--kind', 'phone', '--use', 'exclude'], 'list_names_nobody'],
    [['--kind', 'phone', '--use', 'exclude', '--partner', 'nobody'], 'unknown_partner'],
    [['--kind', 'phone', '--use', 'exclude', '--offer', 'nothing'], 'unknown_offer'],
    [['--kind', 'phone', '--use', 'suppress', '--partner', 'nobody'], 'list_use_unfit'],
    [['--kind', 'phone', '--use', 'exclude', '--of', 'nobody'], 'unknown_partner'],
  ])('is not created with %j', async (options, code) => {
    expect((await lists.try('create', 'dnc', ...options)).json).toMatchObject({ error: { code } });
  });

  it('changes its name and for whom it counts, as its owner may name them', async () => {
    const yaml = `partners:\n  - key: summit\n    offers: [{ key: west, eventType: Lead Sale, payout: 10 }]\n  - key: harbor\n`;
    await applyYaml(yaml);
    await lists.run('create', 'sold', '--kind', 'phone', '--use', 'sold');
    const changed = await lists.run('change', 'sold', '--name', 'Sold before', '--partner', 'summit');
    expect(changed).toMatchObject({ name: 'Sold before', partners: ['summit'] });
    expect(await lists.run('change', 'sold', '--for-all')).toMatchObject({ name: 'Sold before', partners: [] });
    await lists.run('create', 'own', '--kind', 'phone', '--use', 'exclude', '--of', 'summit');
    const own = (...options: string[]) => lists.try('change', 'own', '--of', 'summit', ...options);
    expect((await own('--offer', 'west')).json).toMatchObject({ partners: [], offers: ['west'] });
    expect((await own('--partner', 'harbor')).json).toMatchObject({ error: { code: 'unknown_partner' } });
    // Nobody else can be meant.
    expect((await own('--for-all')).json).toMatchObject({ partners: ['summit'], offers: [] });
    expect((await lists.try('change', 'sold', '--offer', 'west')).json).toMatchObject({
      error: { code: 'list_use_unfit' },
    });
    for (const options of [[], ['--for-all', '--partner', 'summit']]) {
      expect((await lists.try('change', 'sold', ...options)).json).toMatchObject({ error: { code: 'usage' } });
    }
    expect((await lists.try('change', 'none', '--name', 'x')).json).toMatchObject({
      error: { code: 'list_not_found' },
    });
    const events = await select(
      home.database,
      `SELECT changes FROM audit_event WHERE action = 'list.changed' ORDER BY audit_id`,
    );
    expect(events).toEqual([
      { changes: { name: { from: 'sold', to: 'Sold before' }, partners: { from: [], to: ['summit'] } } },
      { changes: { partners: { from: ['summit'], to: [] } } },
      { changes: { partners: { from: ['summit'], to: [] }, offers: { from: [], to: ['west'] } } },
      { changes: { partners: { from: [], to: ['summit'] }, offers: { from: ['west'], to: [] } } },
    ]);
  });

  it('has a key of its own', async () => {
    await suppressing();
    const again = await lists.try('create', 'dnc', '--kind', 'email', '--use', 'suppress');
    expect(again.json).toMatchObject({ error: { code: 'list_key_taken' } });
    expect((await lists.try('create', 'Not A Key', '--kind', 'email', '--use', 'suppress')).exitCode).toBe(1);
    await suppressing('other');
    const { data } = (await lists.run('list')) as { data: Array<{ key: string }> };
    expect(data.map(({ key }) => key)).toEqual(['dnc', 'other']);
  });
});

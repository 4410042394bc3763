// Tests bin/leadmarket with old and new versions of Node, in a copy of the project with a small entry.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from './support/eventually.ts';

const PROJECT = join(import.meta.dirname, '..');

const ENTRY = `
const [command, value]: string[] = process.argv.slice(2);
if (command === 'wait') {
  setInterval(() => undefined, 1_000);
  process.once('SIGTERM', () => process.exit(7));
}
console.log(JSON.stringify({ pid: process.pid, version: process.version, args: process.argv.slice(2), flags: process.execArgv, env: process.env }));
if (command === 'exit') process.exitCode = Number(value);
if (command === 'die') process.kill(process.pid, value);
if (command === 'warn') process.emitWarning('of something experimental', 'ExperimentalWarning');
if (command === 'throw') throw new Error('thrown by the entry');
`;

const FLAGS = [
  '--max-semi-space-size=16',
  '--initial-old-space-size=96',
  '--heap-growing-percent=100',
  '--disable-warning=ExperimentalWarning',
];

type Said = { pid: number; version: string; args: string[]; flags: string[]; env: Record<string, string> };

let root: string;
let launcher: string;
const started: ChildProcess[] = [];
const oldNode = findOldNode();
/** No Node of the project's on the path, as in a shell. */
const env = { ...process.env, PATH: ['/usr/bin', '/bin'].join(delimiter) };

function findOldNode(): string | null {
  const places = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/bin', '/usr/bin'];
  const old = places
    .map((place) => join(place, 'node'))
    .filter((path) => existsSync(path))
    .find((path) => {
      const match = /^v(\d+)\./.exec(spawnSync(path, ['-v'], { encoding: 'utf8' }).stdout);
      return match !== null && Number(match[1]) < 24;
    });
  return old ?? null;
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'leadmarket-launcher-'));
  launcher = copyTo('project', true);
});

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function copyTo(name: string, withModules: boolean): string {
  const project = join(root, name);
  mkdirSync(join(project, 'src/entry'), { recursive: true });
  cpSync(join(PROJECT, 'bin'), join(project, 'bin'), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'src/entry/cli.ts'), ENTRY);
  if (withModules) symlinkSync(join(PROJECT, 'node_modules'), join(project, 'node_modules'));
  return join(project, 'bin/leadmarket');
}

function run(
  command: string,
  ...args: string[]
): { said: Said | null; status: number | null; signal: string | null; stderr: string; pid: number } {
  const { stdout, stderr, status, signal, pid } = spawnSync(command, args, { env, encoding: 'utf8' });
  return { said: stdout === '' ? null : (JSON.parse(stdout) as Said), status, signal, stderr, pid };
}

async function start(command: string, ...args: string[]): Promise<{ child: ChildProcess; said: Said }> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const lines: Interface = createInterface(child.stdout);
  const [line] = (await once(lines, 'line')) as [string];
  return { child, said: JSON.parse(line) as Said };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('the launcher, run as a program', () => {
  it('becomes the service: one process, on a new enough Node, with the arguments as they were', () => {
    const { said, pid, status, stderr } = run(launcher, 'lead', 'two words', `it's "quoted"`, '*');
    expect(said).toMatchObject({ pid, args: ['lead', 'two words', `it's "quoted"`, '*'] });
    expect(Number(said?.version.slice(1, 3))).toBeGreaterThanOrEqual(24);
    expect([status, stderr]).toEqual([0, '']);
  });

  it('bounds the garbage of the service, and not its memory', () => {
    const { said } = run(launcher);
    expect(said?.flags).toEqual(FLAGS);
  });

  it('finds its project through a symbolic link', () => {
    mkdirSync(join(root, 'links'), { recursive: true });
    const link = join(root, 'links/leadmarket');
    symlinkSync('../project/bin/leadmarket', link);
    expect(run(link, 'exit', '5')).toMatchObject({ status: 5, said: { args: ['exit', '5'] } });
  });

  it('prints instructions when there is no new enough Node', { skip: oldNode === null }, () => {
    const bare = copyTo('bare', false);
    const { status, stderr } = run(bare);
    expect(status).toBe(1);
    expect(stderr).toContain('npm ci');
  });

  it('takes the Node that LEADMARKET_NODE names', () => {
    const bare = copyTo('named', false);
    const { stdout } = spawnSync(bare, ['x'], { env: { ...env, LEADMARKET_NODE: process.execPath }, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject({ version: process.version, args: ['x'] });
  });
});

describe('the launcher, run by a new enough Node', () => {
  it('runs the entry in the same process', () => {
    const { said, pid, status, stderr } = run(process.execPath, launcher, 'exit', '3');
    expect(said).toMatchObject({ pid, version: process.version, args: ['exit', '3'] });
    expect([status, stderr]).toEqual([3, '']);
  });

  it('suppresses warnings of experimental features', () => {
    expect(run(process.execPath, launcher, 'warn').stderr).toBe('');
    expect(run(launcher, 'warn').stderr).toBe('');
  });

  it('ends with 1 and the reason when the entry throws', () => {
    const { status, stderr } = run(process.execPath, launcher, 'throw');
    expect(status).toBe(1);
    expect(stderr).toContain('thrown by the entry');
  });
});

describe.skipIf(oldNode === null)('the launcher, run by an old Node', () => {
  const old = oldNode ?? '';

  it('runs a new enough Node, and exits with its exit code', () => {
    const { said, status, stderr } = run(old, launcher, 'exit', '4');
    expect(Number(said?.version.slice(1, 3))).toBeGreaterThanOrEqual(24);
    expect(said?.args).toEqual(['exit', '4']);
    expect(said?.flags).toEqual(FLAGS);
    expect(said?.env).not.toHaveProperty('LEADMARKET_LAUNCHED');
    expect([status, stderr]).toEqual([4, '']);
  });

  it('ends by the signal that its child ended by', () => {
    expect(run(old, launcher, 'die', 'SIGKILL')).toMatchObject({ status: null, signal: 'SIGKILL' });
  });

  it('forwards SIGTERM and waits for the service to stop', async () => {
    const { child } = await start(old, launcher, 'wait');
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([7, null]);
  });

  it('does not leave the service behind when it is killed', async () => {
    const { child, said } = await start(old, launcher, 'wait');
    expect(said.pid).not.toBe(child.pid);
    child.kill('SIGKILL');
    await eventually('the service is gone', () => !isAlive(said.pid));
  });

  it('prints instructions when there is no new enough Node', () => {
    const { status, stderr } = run(old, copyTo('old', false));
    expect(status).toBe(1);
    expect(stderr).toContain('npm ci');
  });
});

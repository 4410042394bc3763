// Runs samples as their reader would: written to files in a folder of their own, with what differs in the environment. One at a time, or
// all of a language in one process, since starting one takes longer than most samples do.
import { spawn, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Sample } from './markdown-samples.ts';

type Language = Sample['language'];
type Environment = Readonly<Record<string, string>>;

type Program = {
  readonly name: string;
  readonly options: readonly string[];
  /** Of the files of its samples, without the dot. */
  readonly ending: string;
  /** Runs what a file lists. */
  readonly runner: string | null;
};

// `sh` needs no more than a POSIX shell, but only this one tells of a failure within a pipe.
const PROGRAMS: Readonly<Record<Language, Program>> = {
  sh: { name: 'bash', options: ['-eu', '-o', 'pipefail'], ending: 'sh', runner: null },
  js: { name: process.execPath, options: [], ending: 'mjs', runner: 'run-all.mjs' },
  python: { name: 'python3', options: [], ending: 'py', runner: 'run_all.py' },
  php: { name: 'php', options: ['-n', '-d', 'display_errors=stderr'], ending: 'php', runner: 'run-all.php' },
};
const FURTHER: Readonly<Record<Language, readonly string[]>> = { sh: ['curl', 'openssl'], js: [], python: [], php: [] };
const RUNNERS = join(import.meta.dirname, 'runners');

/** Tried once: that takes as long as a sample does, and there are many samples. */
const tried = new Map<string, ReturnType<typeof spawnSync>>();

function tryCommand(...command: readonly [name: string, ...argv: string[]]): ReturnType<typeof spawnSync> {
  const text = command.join(' ');
  const [name, ...argv] = command;
  const result = tried.get(text) ?? spawnSync(name, argv, { stdio: 'ignore' });
  tried.set(text, result);
  return result;
}

/** What is missing on this machine to run the language; null where nothing is. */
export function missingFor(language: Language): string | null {
  const needed = [PROGRAMS[language].name, ...FURTHER[language]];
  return needed.find((name) => tryCommand(name, '--version').error !== undefined) ?? null;
}

/** What is missing to run a sample: the language, or a library that it imports. */
export function missingForSample({ language, code }: Sample): string | null {
  const program = missingFor(language);
  if (program !== null) return program;
  if (language === 'php' && code.includes('vendor/autoload.php')) return 'folder of PHP packages';
  const imported = /^from (standardwebhooks) import/m.exec(language === 'python' ? code : '')?.[1];
  if (imported === undefined) return null;
  return tryCommand('python3', '-c', `import ${imported}`).status === 0 ? null : `Python package ${imported}`;
}

export type Ran = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string };

export async function runSample(
  { language, code }: Sample,
  { folder, env }: { readonly folder: string; readonly env: Environment },
): Promise<Ran> {
  const { name, options, ending } = PROGRAMS[language];
  const file = `sample.${ending}`;
  await writeFile(join(folder, file), code);
  return start([name, ...options, file], folder, env);
}

export type Task = { readonly sample: Sample; readonly env: Environment };

/** All of one language, which is none that runs programs for everything; in their order, each whatever became of those before it. */
export async function runTogether(tasks: readonly Task[], folder: string): Promise<Map<Sample, Ran>> {
  const ran = new Map<Sample, Ran>();
  for (let left = tasks; left.length > 0; left = tasks.slice(ran.size)) {
    const { seen, end } = await runListed(left, folder);
    for (const [index, { sample }] of left.slice(0, seen.length).entries()) {
      const { stdout = '', error = null } = seen[index] ?? {};
      ran.set(sample, { exitCode: error === null ? 0 : 1, stdout, stderr: error ?? '' });
    }
    // The one that it was at has ended it; what was said beside falls on the last.
    const ended = left[seen.length] ?? (end.exitCode === 0 && end.stderr === '' ? undefined : left.at(-1));
    if (ended !== undefined) ran.set(ended.sample, end);
  }
  return ran;
}

/** One sample in each of these environments, in their order; in one process where it declares nothing that a second run would declare again. */
export async function runRepeatedly(
  sample: Sample,
  environments: readonly Environment[],
  folder: string,
): Promise<Ran[]> {
  const tasks = environments.map((env) => ({ sample: { ...sample }, env }));
  if (sample.language === 'js' || sample.language === 'python') {
    const ran = await runTogether(tasks, folder);
    return tasks.flatMap((task) => ran.get(task.sample) ?? []);
  }
  const ran: Ran[] = [];
  for (const { env } of tasks) ran.push(await runSample(sample, { folder, env }));
  return ran;
}

type Printed = { readonly stdout: string; readonly error: string | null };

async function runListed(tasks: readonly Task[], folder: string): Promise<{ seen: Printed[]; end: Ran }> {
  const [first] = tasks;
  if (first === undefined) throw new Error('there is nothing to run');
  const { name, options, ending, runner } = PROGRAMS[first.sample.language];
  if (runner === null) throw new Error(`nothing runs several samples in ${name}`);
  // Numbered, because one sample may be among them several times, and a module runs once.
  const listed = tasks.map(({ sample, env }, index) => ({ file: `line-${sample.line}-${index}.${ending}`, env }));
  await Promise.all(listed.map(({ file }, index) => writeFile(join(folder, file), tasks[index]?.sample.code ?? '')));
  await writeFile(join(folder, 'tasks.json'), JSON.stringify(listed));
  const end = await start([name, ...options, join(RUNNERS, runner), 'tasks.json'], folder, {});
  const lines = end.stdout.split('\n').slice(0, -1);
  return { seen: lines.map((line) => JSON.parse(line) as Printed), end };
}

async function start([name = '', ...options]: readonly string[], folder: string, env: Environment): Promise<Ran> {
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const child = spawn(name, options, { cwd: folder, env: { PATH: path, LANG: 'C.UTF-8', ...env } });
  child.stdin.end();
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { exitCode, stdout, stderr };
}

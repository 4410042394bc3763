// Runs a sample as its reader would: written to a file in a folder of its own, with what differs in the environment.
import { spawn, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Sample } from './markdown-samples.ts';

type Language = Sample['language'];

// `sh` needs no more than a POSIX shell, but only this one tells of a failure within a pipe.
const PROGRAMS: Readonly<
  Record<Language, { readonly name: string; readonly file: string; readonly options: string[] }>
> = {
  sh: { name: 'bash', file: 'sample.sh', options: ['-eu', '-o', 'pipefail'] },
  js: { name: process.execPath, file: 'sample.mjs', options: [] },
  python: { name: 'python3', file: 'sample.py', options: [] },
  php: { name: 'php', file: 'sample.php', options: ['-n'] },
};
const FURTHER: Readonly<Record<Language, readonly string[]>> = { sh: ['curl', 'openssl'], js: [], python: [], php: [] };

/** What is missing on this machine to run the language; null where nothing is. */
export function missingFor(language: Language): string | null {
  const needed = [PROGRAMS[language].name, ...FURTHER[language]];
  return needed.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error !== undefined) ?? null;
}

export type Ran = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string };

export async function runSample(
  { language, code }: Sample,
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ran> {
  const { name, file, options } = PROGRAMS[language];
  await writeFile(join(folder, file), code);
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const child = spawn(name, [...options, file], { cwd: folder, env: { PATH: path, LANG: 'C.UTF-8', ...env } });
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

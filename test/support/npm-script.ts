// Runs scripts of package.json as a developer does, and ends what a failed test leaves running.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export type Ran = {
  readonly code: number | null;
  /** Everything written, standard error too. */
  readonly output: string;
};

const running = new Set<ChildProcess>();

/** `npm run SCRIPT -- ARGS`, in an environment of nothing but `env`, a path and the folder for temporary files. */
export async function runScript(
  script: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const kept = ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
    cwd: ROOT,
    env: { ...Object.fromEntries(kept), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm does not forward a signal to all that it has started; a group receives it.
    detached: true,
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  running.delete(child);
  return { code, output };
}

/** For `afterAll`. */
export function endScripts(): void {
  for (const { pid } of running) {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  }
  running.clear();
}

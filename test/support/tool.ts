// Programs of the system that some tests call: whether they are installed, and what they say.
import { spawn, spawnSync } from 'node:child_process';

export type Said = { readonly code: number | null; readonly output: string };

/** Where servers' programs are on Debian, which an ordinary user's path leaves out. */
const PATH = [process.env['PATH'], '/usr/sbin', '/sbin'].join(':');

/** What test/support/install-for-tests.sh installs where continuous integration is root. */
const INSTALLED = ['busybox', 'etcd', 'haproxy', 'nginx', 'patroni', 'promtool', 'psql', 'shellcheck'];

/** For `describe.skipIf` and `it.skipIf`: true with a printed reason if one of the programs is missing; an error where it must be there. */
export function lacks(...programs: readonly string[]): boolean {
  const missing = programs.filter((name) => spawnSync('which', [name], { env: { PATH } }).status !== 0);
  if (missing.length === 0) return false;
  const said = `there is no ${missing.join(', ')} here`;
  const mustRun = process.env['CI'] && process.getuid?.() === 0 && missing.some((name) => INSTALLED.includes(name));
  if (mustRun) throw new Error(`${said}, and CI is set: its tests must run`);
  console.log(`Some tests are skipped: ${said}.`);
  return true;
}

/** Both outputs as one, in an environment of nothing but this and a path. */
export function callTool(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const child = spawn(program, args, { env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

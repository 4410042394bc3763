// Builds the portal and the console at the start if their sources are newer than the build: after an update, or when `npm ci` failed to.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Logger } from 'pino';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Never rejects: the service does everything else without its pages. Takes a tenth of a second when there is nothing to do, and is
 * aborted when `stopped` resolves.
 */
export async function buildPages(log: Logger, stopped: Promise<unknown>): Promise<void> {
  // Without the build tools (an installation for production) the shipped pages are used.
  if (!existsSync(join(ROOT, 'node_modules', 'vite'))) return;
  const program = join(ROOT, 'web', 'build.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let isStopped = false;
  void stopped.then(() => {
    isStopped = true;
    child.kill();
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-2000);
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  if (code !== 0 && !isStopped)
    log.warn({ output }, 'the portal and the console could not be built; npm run build shows why');
}

// Builds the pages from the current sources before the browser tests.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export function setup(): void {
  execFileSync(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, '../../../web/build.ts'),
  ]);
}

// Runs before `npm test`: installs the browser for the tests when CI is set, and otherwise reports that it is missing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = join(dirname(dirname(fileURLToPath(import.meta.url))), 'test/support/browser/install-chromium.sh');

if (!existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium')) {
  if (process.env.CI) {
    console.log('Installing Chromium for the browser tests.');
    spawnSync(script, { stdio: ['ignore', 'ignore', 'inherit'] });
  } else {
    console.log(`No Chromium here: the browser tests will be skipped. As root, ${script} installs it.`);
  }
}

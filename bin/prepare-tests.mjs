// Runs before `npm test`: root's continuous integration installs what the tests use from Debian; everyone else reads what is missing.
// No configuration of types has this file, and the linter checks it all the same.
/// <reference types="node" />
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = join(dirname(dirname(fileURLToPath(import.meta.url))), 'test/support/install-for-tests.sh');

const used = [
  { file: process.env.CHROMIUM ?? '/usr/bin/chromium', name: 'Chromium', tests: 'the browser tests' },
  {
    file: '/usr/lib/postgresql/15/bin/postgres',
    name: 'PostgreSQL 15',
    tests: 'the tests on the oldest PostgreSQL',
  },
];
const missing = () => used.filter(({ file }) => !existsSync(file));

// The script also knows programs of which only some tests of releases and proxies make use.
if (process.env.CI && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
  spawnSync(script, { stdio: ['ignore', 'ignore', 'inherit'] });
}
for (const { name, tests } of missing()) {
  console.log(`No ${name} here: ${tests} will be skipped. As root, ${script} installs it.`);
}

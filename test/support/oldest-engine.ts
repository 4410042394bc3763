// Names the oldest PostgreSQL that is promised, and whether a test run tries it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian puts the programs of the oldest version that contract 8.3 promises. */
export const OLDEST = '/usr/lib/postgresql/15/bin';

/** The project of tests that run on it a second time. */
export const OLDEST_PROJECT = 'oldest-engine';

/** Root's continuous integration has installed it, or fails; elsewhere `npm test` says that its tests are skipped. */
export const triesOldest =
  existsSync(join(OLDEST, 'postgres')) || (process.env['CI'] !== undefined && process.getuid?.() === 0);

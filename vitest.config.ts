// How the tests run: pure rules first and together, then everything that may touch PostgreSQL, a process or a socket.
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { defineConfig } from 'vitest/config';

import { closingLine } from './test/support/closing-line.ts';
import { drawItems } from './test/support/drawn.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { OLDEST_PROJECT, triesOldest } from './test/support/oldest-engine.ts';
import { processorBudgets } from './test/support/processor-budgets.ts';
import { ROOM } from './test/support/room.ts';

// Vitest itself runs on older ones, and the code would then fail in places that do not say why.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  throw new Error(
    `The tests need Node 24.15 or newer, and this is ${process.version}: npm ci brings one along for Linux.`,
  );
}

const PURE = ['src/**/*.rules.test.ts', 'src/base/**/*.test.ts', 'web/**/*.test.ts'];
/** Many processes, kills and volume: minutes each. */
const DRILLS = 'test/**/drills/**/*.test.ts';
const DRILLS_A_RUN = 2;

/**
 * Tried a second time on the oldest PostgreSQL: the schema, every statement, and the paths whose SQL is the most particular. `npm run
 * test:oldest` tries all files there.
 */
const ON_THE_OLDEST = [
  'test/schema.test.ts',
  'test/statements.test.ts',
  'test/one-lead.test.ts',
  'test/claims/story.test.ts',
  'test/invoices/issue-invoice.test.ts',
  'test/reports/read-report.test.ts',
  'test/platform/backup.test.ts',
  'test/platform/mended-migrations.test.ts',
  'test/support/tidy/newer-sql.test.ts',
];

// The workers are told so.
// oxlint-disable-next-line node/no-process-env
process.env['DRAWN_LOG'] = join(tmpdir(), `leadmarket-drawn-${process.pid}`);
// A run of named files runs what it names.
const isNamed = process.argv.slice(3).some((argument) => !argument.startsWith('-'));
const drills = globSync(DRILLS, { cwd: import.meta.dirname }).toSorted();
const drawnDrills = drawItems(
  'drills',
  drills.map((path) => basename(path).split('.', 1)[0] ?? path),
  isNamed ? drills.length : DRILLS_A_RUN,
);
const leftOut = drills.filter((path) => !drawnDrills.includes(basename(path).split('.', 1)[0] ?? path));

export default defineConfig({
  test: {
    reporters: ['default', processorBudgets({ isWhole: process.argv.length <= 3 }), closingLine()],
    pool: 'forks',
    // Tests wait for sockets, browsers and other processes, so three keep two cores busy.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Machines that run tests are noisy neighbours: these are no measure of anything, only an end to waiting. What is waited for has limits
    // of its own, which say what did not happen.
    testTimeout: 600_000 * ROOM,
    hookTimeout: 600_000 * ROOM,
    teardownTimeout: 120_000 * ROOM,
    expect: { poll: { timeout: 300_000 * ROOM } },
    // A test that passes at the second try has found something.
    retry: 0,
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
    projects: [
      {
        extends: true,
        // Pure code keeps no state, so its files may share a process.
        test: { name: 'rules', include: PURE, isolate: false, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'service',
          // Its files load the whole service, which takes a process longer than most of them take: a worker loads it once.
          isolate: false,
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...PURE, ...leftOut],
          environment: './vitest.environment.ts',
          globalSetup: ['test/support/browser/build-pages.ts', 'test/support/global-setup.ts'],
          setupFiles: ['test/support/measure-file.ts', 'test/support/openapi/fail-on-faults.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      ...(triesOldest
        ? [
            {
              extends: true as const,
              test: {
                name: OLDEST_PROJECT,
                isolate: false,
                include: ON_THE_OLDEST,
                globalSetup: ['test/support/global-setup.ts'],
                setupFiles: ['test/support/openapi/fail-on-faults.ts'],
                sequence: { groupOrder: 1 },
              },
            },
          ]
        : []),
    ],
  },
});

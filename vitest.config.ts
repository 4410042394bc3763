// How the tests run: pure rules first and together, then everything that may touch PostgreSQL, a process or a socket.
import { defineConfig } from 'vitest/config';

import { closingLine } from './test/support/closing-line.ts';
import { LongestFirst } from './test/support/longest-first.ts';

// Vitest itself runs on older ones, and the code would then fail in places that do not say why.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  throw new Error(
    `The tests need Node 24.15 or newer, and this is ${process.version}: npm ci brings one along for Linux.`,
  );
}

const PURE = ['src/**/*.rules.test.ts', 'src/base/**/*.test.ts', 'web/**/*.test.ts'];
const BROWSER = 'test/browser/**/*.test.ts';

export default defineConfig({
  test: {
    reporters: ['default', closingLine()],
    pool: 'forks',
    // Two workers, the service's own processes and PostgreSQL are what two cores carry.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Machines that run tests are noisy neighbours: a minute is no measure of anything, only an end to waiting.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
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
          exclude: [...PURE, BROWSER],
          globalSetup: ['test/support/global-setup.ts'],
          setupFiles: ['test/support/openapi/fail-on-faults.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        // Last and by themselves: a browser takes the machine for itself.
        test: {
          name: 'browser',
          // As above: all but two of its files load the service.
          isolate: false,
          include: [BROWSER],
          globalSetup: ['test/support/browser/build-pages.ts', 'test/support/global-setup.ts'],
          setupFiles: ['test/support/openapi/fail-on-faults.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

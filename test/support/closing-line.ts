// Prints the last line of a test run for people and programs: `N passed, N failed`, with `, N skipped` if there are any.
import type { Reporter, TestModule } from 'vitest/node';

import { describeDrawn } from './drawn.ts';

type Counts = { passed: number; failed: number; skipped: number };

/** Prints after Vitest's own summary, and fails a run without tests. */
export function closingLine(): Reporter {
  let line: string | null = null;
  return {
    onInit(vitest) {
      // Vitest prints its summary in the same hook as ours, so the line waits until everything has been closed.
      vitest.onClose(() => {
        const drawn = describeDrawn();
        if (drawn !== null) process.stdout.write(`${drawn}\n`);
        if (line !== null) process.stdout.write(`${line}\n`);
      });
    },
    onTestRunEnd(modules, unhandledErrors) {
      const counts = count(modules);
      counts.failed += unhandledErrors.length;
      if (counts.passed + counts.failed === 0) process.exitCode = 1;
      line = wording(counts);
    },
  };
}

function count(modules: readonly TestModule[]): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const module of modules) {
    const before = counts.failed;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      // A test without a result, because its file or its process died, has not passed.
      counts[state === 'pending' ? 'failed' : state] += 1;
    }
    // A file that failed outside its tests (an import, a hook) counts once, so that it cannot look like success.
    if (module.state() === 'failed' && counts.failed === before) counts.failed += 1;
  }
  return counts;
}

function wording({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

// Runs in every test file: measures its processor time, with that of the processes that it starts, for the budgets of files.
import { afterAll } from 'vitest';

import { processorSeconds } from './processor-time.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Of a file: seconds of its worker and of what that has started, without the shared PostgreSQL. */
    processorSeconds?: number;
  }
}

// A worker loads the whole service once: the file that happens to come first must not have to pay for it.
await import('./marketplace.ts');

const before = processorSeconds(process.pid);
// Hooks after tests run in reverse order, so this one is the last of its file.
// Vitest reads from the text of the function which fixtures it wants: none.
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, file) => {
  file.meta.processorSeconds = processorSeconds(process.pid) - before;
});

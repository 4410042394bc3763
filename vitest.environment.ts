// The environment of the tests' workers: Node's, and at a worker's end it closes the Chromium that its browser tests have used.
import { builtinEnvironments, type Environment } from 'vitest/runtime';

import { closeChromium } from './test/support/browser/held-chromium.ts';

export default {
  name: 'node-with-chromium',
  viteEnvironment: 'ssr',
  async setup(global, options) {
    const node = await builtinEnvironments.node.setup(global, options);
    return {
      async teardown(at) {
        await closeChromium();
        await node.teardown(at);
      },
    };
  },
} satisfies Environment;

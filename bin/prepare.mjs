// Runs after `npm ci`: sets the commit hooks of a checkout and builds the pages. npm puts the project's own Node first on the path.
// No configuration of types has this file, and the linter checks it all the same.
/// <reference types="node" />
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (existsSync(join(root, '.git'))) spawnSync('git', ['config', 'core.hooksPath', '.githooks'], { cwd: root });

// Without the build tools (an installation for production) the shipped pages are used.
if (existsSync(join(root, 'node_modules', 'vite'))) {
  const built = spawnSync('node', ['--disable-warning=ExperimentalWarning', join(root, 'web', 'build.ts')], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // The service does everything else without its pages, and serves a notice in their place.
  if (built.status !== 0) console.error('The portal and the console could not be built; the next start tries again.');
}

// Concurrent builds of the pages, as when several processes start after an update; each in its own process. Of an application of two files,
// because the pages themselves take ten seconds: `npm ci` builds them, and a drill builds them twice.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const PROJECT = join(import.meta.dirname, '../..');
const WEB = join(PROJECT, 'web');

const SMALL: Readonly<Record<string, string>> = {
  'web/page.html': '<!doctype html><title>Small</title><script type="module" src="./page.ts"></script>',
  'web/page.ts': `document.title = 'Small and built';`,
  'web/vite.config.ts': `export default {
    root: import.meta.dirname,
    build: { rolldownOptions: { input: import.meta.dirname + '/page.html' }, modulePreload: { polyfill: false } },
  };`,
  // Parts of what the pages are made of, as their libraries' versions are.
  'package-lock.json': '{}',
  'docs/marketplace-file.schema.json': '{}',
  'examples/deliveries/none.yaml': '',
  'package.json': '{ "type": "module" }',
};

const SWAPS = `
import { mkdirSync, writeFileSync } from 'node:fs';
import { putInPlace } from ${JSON.stringify(join(WEB, 'put-in-place.ts'))};
const place = process.argv[1];
for (let round = 0; round < 300; round += 1) {
  const fresh = place + '.' + process.pid;
  mkdirSync(fresh);
  writeFileSync(fresh + '/stamp', 'round ' + round);
  putInPlace(fresh, place, () => false);
}
`;

let folder: string;
let dist: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadmarket-pages-'));
  dist = join(folder, 'dist');
  mkdirSync(dist);
  writeFileSync(join(dist, 'stamp'), 'of an older version');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function run(...argv: readonly string[]): Promise<{ code: number | null; errors: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...argv], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const errors = await text(child.stderr);
  return { code: await ended, errors };
}

const fine = { code: 0, errors: '' };

/** A project whose pages are two files, built as the real ones are: the path of its `build.ts`. */
function smallProject(): string {
  const project = join(folder, 'project');
  for (const [path, content] of Object.entries(SMALL)) {
    mkdirSync(join(project, path, '..'), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  for (const file of ['build.ts', 'put-in-place.ts']) cpSync(join(WEB, file), join(project, 'web', file));
  symlinkSync(join(PROJECT, 'node_modules'), join(project, 'node_modules'), 'junction');
  return join(project, 'web/build.ts');
}

describe('concurrent builds of the pages', () => {
  it('both succeed and leave one complete folder', async () => {
    const program = smallProject();
    const build = () => run(program, dist);
    expect(await Promise.all([build(), build()])).toEqual([fine, fine]);
    expect(readdirSync(folder).toSorted()).toEqual(['dist', 'project']);
    expect(readdirSync(dist)).toEqual(
      expect.arrayContaining(['.made-of', 'assets', 'page.html', 'page.html.br', 'page.html.gz']),
    );
    expect(readFileSync(join(dist, 'page.html'), 'utf8')).toContain('name="release"');
  });

  it('never fail when they put folders in one place, and the last one stays', async () => {
    const swap = () => run('--input-type=module', '--eval', SWAPS, dist);
    expect(await Promise.all([swap(), swap(), swap()])).toEqual([fine, fine, fine]);
    expect(readdirSync(folder)).toEqual(['dist']);
    expect(readFileSync(join(dist, 'stamp'), 'utf8')).toBe('round 299');
  });
});

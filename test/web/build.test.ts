// Concurrent builds of the pages, as when several processes start after an update; each in its own process.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const WEB = join(import.meta.dirname, '../../web');

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

describe('concurrent builds of the pages', () => {
  it('both succeed and leave one complete folder', async () => {
    const build = () => run(join(WEB, 'build.ts'), dist);
    expect(await Promise.all([build(), build()])).toEqual([fine, fine]);
    expect(readdirSync(folder)).toEqual(['dist']);
    expect(readdirSync(dist)).toEqual(expect.arrayContaining(['.made-of', 'assets', 'console.html', 'portal.html']));
  });

  it('never fail when they put folders in one place, and the last one stays', async () => {
    const swap = () => run('--input-type=module', '--eval', SWAPS, dist);
    expect(await Promise.all([swap(), swap(), swap()])).toEqual([fine, fine, fine]);
    expect(readdirSync(folder)).toEqual(['dist']);
    expect(readFileSync(join(dist, 'stamp'), 'utf8')).toBe('round 299');
  });
});

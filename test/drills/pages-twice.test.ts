// Two builds of all pages at once, as when two processes start after an update.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, describe, expect, it } from 'vitest';

const BUILD = join(import.meta.dirname, '../../web/build.ts');

const folder = mkdtempSync(join(tmpdir(), 'leadmarket-pages-'));
const dist = join(folder, 'dist');
afterAll(() => rmSync(folder, { recursive: true }));

describe('Two builds of all pages at once', () => {
  it('both succeed and leave one complete folder', async () => {
    mkdirSync(dist);
    writeFileSync(join(dist, 'stamp'), 'of an older version');
    const build = () => promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', BUILD, dist]);
    const ended = await Promise.all([build(), build()]);
    expect(ended.map(({ stderr }) => stderr)).toEqual(['', '']);
    expect(readdirSync(folder)).toEqual(['dist']);
    expect(readdirSync(dist)).toEqual(expect.arrayContaining(['.made-of', 'assets', 'console.html', 'portal.html']));
  });
});

// The size of the first load: scripts up to the overview stay small, and the charts load later.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

const WEB = join(import.meta.dirname, '../../web');
const DIST = join(WEB, 'dist');
/** Compressed with brotli, as every browser of the last eight years requests. */
const AT_MOST_BYTES = 210_000;

type Chunk = {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
};
let manifest: Readonly<Record<string, Chunk>>;

beforeAll(() => {
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(WEB, 'build.ts')]);
  manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8')) as typeof manifest;
});

/** The chunks with all of their static imports. */
function withImports(names: readonly string[]): Set<string> {
  const needed = new Set<string>();
  const add = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const other of chunkOf(name).imports ?? []) add(other);
  };
  names.forEach(add);
  return needed;
}

function chunkOf(name: string): Chunk {
  const chunk = manifest[name];
  if (chunk === undefined) throw new Error(`there is no chunk ${name}`);
  return chunk;
}

const ways = [
  { who: 'partner', chunks: ['portal.html', 'portal/buyer/portal.tsx', 'portal/buyer/overview/overview.tsx'] },
  { who: 'supplier', chunks: ['portal.html', 'portal/supplier/portal.tsx', 'portal/supplier/overview/overview.tsx'] },
  { who: 'operator', chunks: ['console.html', 'console/pages.tsx', 'console/overview/overview.tsx'] },
];

describe.each(ways)('the first load of a $who', ({ chunks }) => {
  it('is at most 210 KB of compressed scripts', () => {
    const scripts = [...withImports(chunks)].map((name) => chunkOf(name).file).filter((file) => file.endsWith('.js'));
    const bytes = scripts.reduce((sum, file) => sum + statSync(join(DIST, `${file}.br`)).size, 0);
    expect(bytes).toBeLessThanOrEqual(AT_MOST_BYTES);
    // A lower bound, so that counting the wrong files is noticed.
    expect(bytes).toBeGreaterThan(100_000);
  });

  it('contains no charts', () => {
    const names = [...withImports(chunks)];
    expect(names).not.toContain('ui/charts.tsx');
    expect(
      names.filter((name) => /recharts|mantine.charts/.test(readFileSync(join(DIST, chunkOf(name).file), 'utf8'))),
    ).toEqual([]);
  });
});

describe('the HTML pages', () => {
  it('load nothing from other hosts and contain no inline scripts', () => {
    for (const page of ['portal.html', 'console.html']) {
      const html = readFileSync(join(DIST, page), 'utf8');
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
      expect(
        [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
          .map(([, address]) => address)
          .filter((address) => !address?.startsWith('/assets/')),
      ).toEqual([]);
    }
  });
});

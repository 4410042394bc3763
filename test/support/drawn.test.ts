import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { DRAW_SEED, drawItems, DRAWN_BY, drawnTurn, isDrawn, TOUCHED_BY } from './drawn.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('the drawn part', () => {
  // These examples are not part of what the run has drawn.
  beforeAll(() => void vi.stubEnv('DRAWN_LOG', undefined));
  afterAll(() => void vi.unstubAllEnvs());

  it('knows for each item files that are there', () => {
    const files = globSync('{bin,src,migrations,web}/**/*', { cwd: ROOT, exclude: ['web/dist*/**'] });
    const missing = Object.entries(TOUCHED_BY).filter(([, row]) => !files.some((file) => row.test(file)));
    expect(missing.map(([what]) => what)).toEqual([]);
  });

  it('knows only drills that are there', () => {
    const drills = globSync('test/**/drills/**/*.test.ts', { cwd: ROOT }).map(
      (path) => basename(path).split('.', 1)[0],
    );
    const rows = Object.keys(TOUCHED_BY).filter((what) => what.startsWith('drills/'));
    expect(rows.filter((what) => !drills.includes(what.slice('drills/'.length)))).toEqual([]);
  });

  it('divides the items of a group among its turns, so that each is tried in one of them', () => {
    const turns = Array.from({ length: 60 }, (_, index) => drawnTurn(`example/${index}`, 3));
    expect(new Set(turns)).toEqual(new Set([0, 1, 2]));
    expect(turns.every((turn) => turn >= 0 && turn < 3)).toBe(true);
  });

  it('includes an item whose files the change touches, and decides the others by the commit', () => {
    const isIn = isDrawn('example/untouched', 3, 'no/such/folder/');
    expect(isIn).toBe(DRAWN_BY === 'all' || drawnTurn('example/untouched', 3) === 0);
  });

  it('draws as many items as asked for, or all', () => {
    const items = ['one', 'two', 'three', 'four', 'five'];
    expect(drawItems('example', items, 2)).toHaveLength(DRAWN_BY === 'all' ? 5 : 2);
    expect(Number.isSafeInteger(DRAW_SEED) && DRAW_SEED >= 0).toBe(true);
  });
});

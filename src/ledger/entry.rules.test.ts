import { array, assert as holds, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countEntries, rangeWithout, versionsOfPage } from './entry.rules.ts';

const all = (total: number) => ({ range: { after: 0, upTo: total }, without: [] });

describe('versionsOfPage', () => {
  it.each([
    ['the newest entries', all(6), 1, 4, [6, 5, 4, 3]],
    ['the remaining entries', all(6), 2, 4, [2, 1]],
    ['all entries', all(3), 1, 100, [3, 2, 1]],
    ['none past the end', all(6), 3, 4, []],
    ['none far past the end', all(60), 999_999_999_999_999, 100, []],
    ['none of an empty ledger', all(0), 1, 25, []],
    ['none of an empty range', { range: { after: 7, upTo: 3 }, without: [] }, 1, 25, []],
    ['a page around those left out', { range: { after: 2, upTo: 9 }, without: [4, 7, 8] }, 1, 3, [9, 6, 5]],
    ['the page after it', { range: { after: 2, upTo: 9 }, without: [4, 7, 8] }, 2, 3, [3]],
    ['the newest of some', { only: [1, 5, 9] }, 1, 2, [9, 5]],
    ['the oldest of some', { only: [1, 5, 9] }, 2, 2, [1]],
  ] as const)('returns %s', (_case, set, page, pageSize, versions) => {
    expect(versionsOfPage(set, page, pageSize)).toEqual(versions);
  });

  it('covers every entry that is not left out exactly once over all pages, newest first', () => {
    const sets = record({
      after: integer({ min: 0, max: 50 }),
      size: integer({ min: 0, max: 200 }),
      holes: array(integer({ min: 1, max: 200 }), { maxLength: 60 }),
      pageSize: integer({ min: 1, max: 60 }),
    });
    holds(
      property(sets, ({ after, size, holes, pageSize }) => {
        const range = { after, upTo: after + size };
        const versions = Array.from({ length: size }, (_item, index) => after + 1 + index);
        const left = new Set(holes.filter((hole) => hole <= size).map((hole) => after + hole));
        const strays = versions.filter((version) => left.has(version));
        for (const set of [rangeWithout(range, strays), { range, without: strays }]) {
          const total = countEntries(set);
          const pages = Array.from({ length: Math.ceil(total / pageSize) + 1 }, (_item, index) =>
            versionsOfPage(set, index + 1, pageSize),
          );
          expect(pages.at(-1)).toEqual([]);
          expect(pages.flat()).toEqual(versions.filter((version) => !left.has(version)).toReversed());
        }
      }),
    );
  });
});

describe('rangeWithout', () => {
  it.each([
    [{ after: 0, upTo: 9 }, [], { range: { after: 0, upTo: 9 }, without: [] }],
    [{ after: 0, upTo: 9 }, [1, 2, 5, 9], { range: { after: 2, upTo: 8 }, without: [5] }],
    [{ after: 3, upTo: 6 }, [4, 5, 6], { range: { after: 6, upTo: 6 }, without: [] }],
  ])('shortens %o by %o at its ends', (range, strays, set) => {
    expect(rangeWithout(range, strays)).toEqual(set);
  });
});

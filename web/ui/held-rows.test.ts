import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { holdRows, joinedKeys } from './held-rows.ts';

const keyOf = (row: string): string => row;
const hold = (shown: string, incoming: string) => {
  const { rows, waiting } = holdRows([...shown], [...incoming], keyOf);
  return `${rows.join('')} +${waiting.join('')}`;
};

describe('The rows of a held list', () => {
  it.each([
    { title: 'stay when nothing changed', shown: 'cba', incoming: 'cba', held: 'cba +' },
    { title: 'stay when rows join above', shown: 'cba', incoming: 'edcba', held: 'cba +ed' },
    { title: 'stay when they are pushed to the next page', shown: 'cba', incoming: 'dcb', held: 'cba +d' },
    { title: 'stay when a whole page of new rows arrives', shown: 'cba', incoming: 'fed', held: 'cba +fed' },
    { title: 'leave when they are deleted', shown: 'cba', incoming: 'ca', held: 'ca +' },
    { title: 'leave when the last one is deleted', shown: 'cba', incoming: 'cb', held: 'cb +' },
    { title: 'leave when all are deleted', shown: 'cba', incoming: '', held: ' +' },
    { title: 'take the place of a deleted row from the next page', shown: 'cba', incoming: 'cbz', held: 'cbz +' },
    { title: 'are filled up at the end', shown: 'cb', incoming: 'cba', held: 'cba +' },
    { title: 'are all shown if there were none', shown: '', incoming: 'cba', held: 'cba +' },
    { title: 'are counted also between others', shown: 'cba', incoming: 'cxba', held: 'cba +x' },
  ])('$title', ({ shown, incoming, held }) => {
    expect(hold(shown, incoming)).toBe(held);
  });

  it('keep their order, take updates, and are followed by all others once they are shown', () => {
    const rows = fc.uniqueArray(fc.record({ key: fc.integer({ min: 0, max: 30 }), value: fc.integer() }), {
      selector: ({ key }) => key,
      maxLength: 12,
    });
    fc.assert(
      fc.property(rows, rows, (shown, incoming) => {
        const { rows: held, waiting } = holdRows(shown, incoming, ({ key }) => String(key));
        const heldKeys = held.map(({ key }) => key);
        expect(new Set(heldKeys).size).toBe(heldKeys.length);
        const stayed = shown.filter(({ key }) => heldKeys.includes(key)).map(({ key }) => key);
        expect(heldKeys.filter((key) => stayed.includes(key))).toEqual(stayed);
        for (const row of held) {
          const update = incoming.find(({ key }) => key === row.key);
          if (update !== undefined) expect(row).toBe(update);
        }
        for (const key of waiting) expect(heldKeys.map(String)).not.toContain(key);
      }),
    );
  });
});

describe('The rows that joined a list', () => {
  it.each([
    { before: 'cba', after: 'edcba', joined: 'ed' },
    { before: 'cba', after: 'cbaz', joined: '' },
    { before: 'cba', after: 'fed', joined: 'fed' },
    { before: '', after: 'a', joined: 'a' },
  ])('$before → $after: $joined', ({ before, after, joined }) => {
    expect(joinedKeys([...before], [...after], keyOf).join('')).toBe(joined);
  });
});

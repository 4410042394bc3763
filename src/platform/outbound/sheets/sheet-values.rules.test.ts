import { describe, expect, it } from 'vitest';

import { firstColumn, firstTitle, rangePath } from './sheet-values.rules.ts';

describe('A range', () => {
  it.each([
    ['Leads', 'A:A', `'Leads'!A:A`],
    ['New leads', 'A1', `'New leads'!A1`],
    ["Summit's", 'A1', `'Summit''s'!A1`],
    ["''", 'A1', `''''''!A1`],
    ['A1', 'A1', `'A1'!A1`],
    ['Q1/Q2?k=1#x', 'A1', `'Q1/Q2?k=1#x'!A1`],
    ['50% ..', 'A1', `'50% ..'!A1`],
    ['リード 👍', 'A1', `'リード 👍'!A1`],
    ['a!b:c', 'A1', `'a!b:c'!A1`],
  ])('of the sheet %j is one segment of a path and reads back as %s', (title, cells, range) => {
    const path = rangePath(title, cells);
    expect(path).not.toMatch(/[/?#\\\s]/);
    expect(decodeURIComponent(path)).toBe(range);
    expect(new URL(`https://sheets.example/values/${path}`).pathname).toBe(`/values/${path}`);
  });
});

describe('The first sheet', () => {
  it('is the first in the response', () => {
    const sheets = [{ properties: { title: 'Leads' } }, { properties: { title: 'Other' } }];
    expect(firstTitle({ sheets })).toBe('Leads');
  });

  it.each([
    {},
    { sheets: [] },
    { sheets: 'x' },
    { sheets: [null] },
    { sheets: [{}] },
    { sheets: [{ properties: {} }] },
  ])('is unknown for the response %j', (response) => {
    expect(firstTitle(response)).toBeNull();
  });
});

describe('A column', () => {
  it('has its cells from the top, with empty positions for cells without text', () => {
    expect(firstColumn({ values: [['deliveryId', '', 'dlv_1', 7]] })).toEqual(['deliveryId', '', 'dlv_1', '']);
  });

  it('without values is empty', () => {
    expect([firstColumn({}), firstColumn({ values: [] })]).toEqual([[], []]);
  });

  it.each([{ values: 'x' }, { values: ['x'] }])('is unknown for the response %j', (response) => {
    expect(firstColumn(response)).toBeNull();
  });
});

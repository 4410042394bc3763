import { describe, expect, it } from 'vitest';

import { reasonWords } from '../../portal/buyer/claims/claim-words.ts';
import { readyNotesFor, withReadyNote } from './ready-notes.ts';

describe('the ready-made notes', () => {
  it.each(Object.keys(reasonWords))('of %s exist for both decisions, differ and fit the field', (reason) => {
    const { approve = [], deny = [] } = readyNotesFor(reason) ?? {};
    expect(Math.min(approve.length, deny.length)).toBeGreaterThan(0);
    const all = [...approve, ...deny];
    expect(new Set(all).size).toBe(all.length);
    for (const note of all) expect(note).toMatch(/^[A-Z][^\n]{0,498}\.$/);
  });

  it.each(['', 'weather', 'toString', '__proto__'])('do not exist for the unknown reason "%s"', (reason) => {
    expect(readyNotesFor(reason)).toBeNull();
  });
});

describe('a ready-made note', () => {
  it.each([
    ['fills an empty note', '', null, 'Ready.'],
    ['fills a note of spaces', ' \n', null, 'Ready.'],
    ['replaces the one that was chosen before', 'Before.', 'Before.', 'Ready.'],
    ['follows one that was edited', 'Before, and more.', 'Before.', 'Before, and more.\nReady.'],
    ['follows a typed note', 'Typed. ', null, 'Typed.\nReady.'],
    ['may reach the bound', 'x'.repeat(17), null, `${'x'.repeat(17)}\nReady.`],
    ['is not added beyond the bound', 'x'.repeat(18), null, null],
  ])('%s', (_, note, chosen, filled) => {
    expect(withReadyNote(note, 'Ready.', { chosen, lengthMax: 24 })).toBe(filled);
  });
});

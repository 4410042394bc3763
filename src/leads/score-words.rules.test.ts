import { expect, test } from 'vitest';

import { defaultSettings } from '../marketplace/settings.ts';
import { erasedFields } from './read-fields.rules.ts';
import { scoreLead } from './score-lead.rules.ts';
import { factorsInWords } from './score-words.rules.ts';

test('The factors of a score read well, in the order in which they are added up', () => {
  const { factors } = scoreLead(
    { ...erasedFields, fullName: 'Ann', phone: '+15552000001' },
    { weights: defaultSettings.scoreWeights, supplierReturnRate: 0, now: new Date('2026-11-20T12:00:00Z') },
  );
  const words = factorsInWords(JSON.parse(JSON.stringify(factors)));
  expect(words.map(({ label }) => label)).toEqual(['Contact', 'Completeness', 'Consent', 'Supplier', 'Plausibility']);
  expect(words.find(({ name }) => name === 'consent')).toMatchObject({ points: 0, notes: ['no consent'] });
  expect(words.find(({ name }) => name === 'supplier')?.notes).toEqual([]);
});

test('What an older version stored stands for itself, and of an erased lead there is nothing', () => {
  const stored = { contact: { points: 1, max: 2, notes: ['a_new_note'] } };
  expect(factorsInWords(stored)).toEqual([
    { name: 'contact', label: 'Contact', points: 1, max: 2, notes: ['a_new_note'] },
  ]);
  expect(factorsInWords(null)).toEqual([]);
});

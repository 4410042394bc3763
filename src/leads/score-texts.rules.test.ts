import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../marketplace/settings.ts';
import { erasedFields } from './read-fields.rules.ts';
import { scoreLead } from './score-lead.rules.ts';
import { describeFactors } from './score-texts.rules.ts';

describe('describeFactors', () => {
  it('returns labels and notes in the order of addition', () => {
    const { factors } = scoreLead(
      { ...erasedFields, fullName: 'Ann', phone: '+15552000001' },
      { weights: defaultSettings.scoreWeights, supplierReturnRate: 0, now: new Date('2026-11-20T12:00:00Z') },
    );
    const words = describeFactors(JSON.parse(JSON.stringify(factors)));
    expect(words.map(({ label }) => label)).toEqual(['Contact', 'Completeness', 'Consent', 'Supplier', 'Plausibility']);
    expect(words.find(({ name }) => name === 'consent')).toMatchObject({ points: 0, notes: ['no consent'] });
    expect(words.find(({ name }) => name === 'supplier')?.notes).toEqual([]);
  });

  it('returns unknown notes unchanged, and nothing without factors', () => {
    const stored = { contact: { points: 1, max: 2, notes: ['a_new_note'] } };
    expect(describeFactors(stored)).toEqual([
      { name: 'contact', label: 'Contact', points: 1, max: 2, notes: ['a_new_note'] },
    ]);
    expect(describeFactors(null)).toEqual([]);
  });
});

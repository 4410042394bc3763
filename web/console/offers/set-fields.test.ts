import { describe, expect, it } from 'vitest';

import { newOffer } from '../configuration/new-things.ts';
import { setFieldsWords } from './set-fields.ts';

const USD = { currency: 'USD' };

describe('The words for the fields of a group that are set', () => {
  it('are none for an offer with the defaults', () => {
    expect(setFieldsWords(newOffer, ['priority', 'weight', 'pacing', 'budget.daily', 'schedule'], USD)).toBeNull();
  });

  it('name each field that differs with its value', () => {
    const filters = {
      ...newOffer.filters,
      statesNot: ['CA', 'NV'],
      debtAmount: { min: 5000, max: null },
      requireConsent: true,
    };
    const words = setFieldsWords(
      { ...newOffer, filters },
      ['filters.statesNot', 'filters.debtAmount.min', 'filters.debtAmount.max', 'filters.requireConsent'],
      USD,
    );
    expect(words).toBe('Excluded states: CA, NV; Minimum debt: $5,000.00; Consent required');
  });

  it('leave out the name of the only field', () => {
    const schedule = [{ days: ['mon', 'tue', 'wed'], from: '09:00', to: '17:00' }];
    expect(setFieldsWords({ ...newOffer, schedule }, ['schedule'], USD)).toBe('Mon–Wed 09:00–17:00');
  });

  it('show keys by their names, and a key without one as it is', () => {
    const filters = { ...newOffer.filters, suppliers: ['sunny', 'gone'] };
    const names = new Map([['sunny', 'Sunny Leads']]);
    expect(
      setFieldsWords({ ...newOffer, filters }, ['filters.suppliers', 'filters.suppliersNot'], { ...USD, names }),
    ).toBe('Suppliers: Sunny Leads, gone');
  });
});

import { describe, expect, it } from 'vitest';

import { filterName, foundWords, wantedWords } from './filter-words.ts';

describe('the words of a filter check', () => {
  it.each([
    ['states', ['NY', 'NJ', 'CT'], 'CA', 'State: NY, NJ or CT; CA'],
    ['states', ['NY'], null, 'State: NY; not given'],
    ['statesNot', ['NY', 'NJ'], 'NY', 'State: not NY and not NJ; NY'],
    ['debtAmount', { min: 10_000, max: 50_000 }, 24_500.5, 'Debt amount: from 10,000 to 50,000; 24,500.5'],
    ['debtAmount', { min: 10_000, max: null }, null, 'Debt amount: 10,000 or more; not given'],
    ['debtAmount', { min: null, max: 50_000 }, 0, 'Debt amount: 50,000 or less; 0'],
    ['minScore', 60, 55, 'Score: 60 or more; 55'],
    ['requireConsent', true, false, 'Consent: given; not given'],
    ['requireEmail', true, true, 'Email address: present; present'],
    ['something', 'new', 'old', 'something: new; old'],
    ['fields.bill', { min: 1200 }, 1500.5, 'bill: 1,200 or more; 1,500.5'],
    ['fields.zip', { in: ['10001', '941*'], notIn: ['94105'] }, '94105', 'zip: 10001 or 941*; not 94105; 94105'],
    ['fields.built', { max: '2001-12-31' }, null, 'built: 2001-12-31 or earlier; not given'],
    ['fields.rooms', { in: [3, 4] }, 5, 'rooms: 3 or 4; 5'],
    ['fields.owner', { is: true }, false, 'owner: yes; no'],
  ])('name the filter %s, its condition %j and the value %j', (filter, wanted, found, sent) => {
    expect(`${filterName({ filter })}: ${wantedWords({ filter, wanted })}; ${foundWords({ filter, found })}`).toBe(
      sent,
    );
  });

  it('have the label of an own field, and no personal value', () => {
    expect(filterName({ filter: 'fields.born', label: 'Day of birth' })).toBe('Day of birth');
    expect(foundWords({ filter: 'fields.born', found: null, personal: true })).toBe('personal, see the lead');
  });
});

import { describe, expect, test } from 'vitest';

import type { PersonQuery } from '../../leads/person-query.rules.ts';
import { personOfSearch } from './person-of-search.rules.ts';
import { readSearch } from './search-query.rules.ts';

describe('Whom a search text is about', () => {
  test.each<{ text: string; person: PersonQuery | null }>([
    { text: '+1 555 200 0001', person: { kind: 'phone', digits: '15552000001', isWhole: true } },
    { text: '0001', person: { kind: 'phone', digits: '0001', isWhole: false } },
    { text: 'Ann.Lee+debt@Example.com', person: { kind: 'email', mailbox: 'ann.lee@example.com', isWhole: true } },
    { text: 'ann.lee@', person: { kind: 'email', mailbox: 'ann.lee@', isWhole: false } },
    { text: 'ann', person: null },
    { text: 'ann lee', person: null },
    { text: 'LS-100042', person: null },
    { text: '', person: null },
  ])('$text', ({ text, person }) => {
    const reading = readSearch(text);
    expect(reading.ok && personOfSearch(reading.parsed)).toEqual(person);
  });
});

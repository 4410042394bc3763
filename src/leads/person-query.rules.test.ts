import { describe, expect, test } from 'vitest';

import type { LeadFields } from './lead-fields.ts';
import { isAboutPerson, patternsOf, type PersonQuery } from './person-query.rules.ts';
import { erasedFields } from './read-fields.rules.ts';

const fieldsOf = (fields: Partial<LeadFields>): LeadFields => ({ ...erasedFields, ...fields });
const ann = fieldsOf({ email: 'Ann.Lee+debt@example.com', phone: '+15552000001' });
const phone = (digits: string, isWhole = false): PersonQuery => ({ kind: 'phone', digits, isWhole });
const email = (mailbox: string, isWhole = true): PersonQuery => ({ kind: 'email', mailbox, isWhole });

describe('A lead is about a person', () => {
  test.each<{ says: string; query: PersonQuery; is: boolean }>([
    { says: 'by the end of the number', query: phone('0001'), is: true },
    { says: 'by the whole number', query: phone('15552000001', true), is: true },
    { says: 'not by the end where the whole is asked for', query: phone('5552000001', true), is: false },
    { says: 'not by digits in the middle', query: phone('2000'), is: false },
    { says: 'by the mailbox, whatever its spelling and tag', query: email('ann.lee@example.com'), is: true },
    { says: 'by the beginning of an address', query: email('ann.lee@exa', false), is: true },
    { says: 'not by a beginning where the whole is asked for', query: email('ann.lee@example.co'), is: false },
  ])('$says', ({ query, is }) => {
    expect(isAboutPerson([query], { fields: ann, refusedText: null })).toBe(is);
  });

  test.each<{ says: string; query: PersonQuery; is: boolean }>([
    { says: 'by the number without its country', query: phone('15552000001', true), is: true },
    { says: 'not by too few digits', query: phone('0001'), is: false },
    { says: 'by an address', query: email('ann@example.com'), is: true },
  ])('that was refused, $says', ({ query, is }) => {
    const refusedText = '{"phone":"(555) 200-0001","note":"mail ANN+x@example.com"}';
    expect(isAboutPerson([query], { fields: null, refusedText })).toBe(is);
  });

  test('that is erased, never', () => {
    expect(isAboutPerson([phone('0001')], { fields: null, refusedText: null })).toBe(false);
  });
});

describe('The patterns', () => {
  test('take what was typed literally', () => {
    expect(patternsOf(email('a_b%c@example.com')).fields).toBe('%"email":"a\\_b\\%c%@example.com"%');
  });

  test('look for digits in refused bodies only where there are enough of them', () => {
    expect(patternsOf(phone('0001'))).toEqual({ fields: '%"phone":"+%0001"%', body: null, digits: null });
    expect(patternsOf(phone('15552000001', true))).toEqual({
      fields: '%"phone":"+15552000001"%',
      body: null,
      digits: [...'5552000001'].join('[^0-9]*'),
    });
  });
});

import { describe, expect, test } from 'vitest';

import type { LeadFields } from './lead-fields.ts';
import { isAboutPerson, patternsOf, type PersonWish } from './person-wish.rules.ts';
import { erasedFields } from './read-fields.rules.ts';

const fieldsOf = (fields: Partial<LeadFields>): LeadFields => ({ ...erasedFields, ...fields });
const ann = fieldsOf({ email: 'Ann.Lee+debt@example.com', phone: '+15552000001' });
const phone = (digits: string, isWhole = false): PersonWish => ({ kind: 'phone', digits, isWhole });
const email = (mailbox: string, isWhole = true): PersonWish => ({ kind: 'email', mailbox, isWhole });

describe('A lead is about a person', () => {
  test.each<{ says: string; wish: PersonWish; is: boolean }>([
    { says: 'by the end of the number', wish: phone('0001'), is: true },
    { says: 'by the whole number', wish: phone('15552000001', true), is: true },
    { says: 'not by the end where the whole is asked for', wish: phone('5552000001', true), is: false },
    { says: 'not by digits in the middle', wish: phone('2000'), is: false },
    { says: 'by the mailbox, whatever its spelling and tag', wish: email('ann.lee@example.com'), is: true },
    { says: 'by the beginning of an address', wish: email('ann.lee@exa', false), is: true },
    { says: 'not by a beginning where the whole is asked for', wish: email('ann.lee@example.co'), is: false },
  ])('$says', ({ wish, is }) => {
    expect(isAboutPerson(wish, { fields: ann, rawBody: null })).toBe(is);
  });

  test.each<{ says: string; wish: PersonWish; is: boolean }>([
    { says: 'by the number without its country', wish: phone('15552000001', true), is: true },
    { says: 'not by too few digits', wish: phone('0001'), is: false },
    { says: 'by an address', wish: email('ann@example.com'), is: true },
  ])('that was refused, $says', ({ wish, is }) => {
    const rawBody = '{"phone":"(555) 200-0001","note":"mail ANN+x@example.com"}';
    expect(isAboutPerson(wish, { fields: null, rawBody })).toBe(is);
  });

  test('that is erased, never', () => {
    expect(isAboutPerson(phone('0001'), { fields: null, rawBody: null })).toBe(false);
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
      digits: '%5552000001%',
    });
  });
});

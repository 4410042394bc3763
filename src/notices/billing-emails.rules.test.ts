// Tests which address an email with notices goes to (contract 6.20, 12.3).
import { describe, expect, it } from 'vitest';
import { emailsFor } from './billing-emails.rules.ts';

describe('emailsFor', () => {
  const emails = ['leads@summit.example', 'team@summit.example'];
  it.each([
    ['sends an invoice to the billing address', ['invoice.issued'], 'pay@summit.example', ['pay@summit.example']],
    ['sends an invoice as everything else without one', ['invoice.issued'], null, emails],
    ['sends other notices as before', ['cap.reached'], 'pay@summit.example', emails],
    [
      'sends a mixed digest to all',
      ['cap.reached', 'invoice.overdue'],
      'pay@summit.example',
      [...emails, 'pay@summit.example'],
    ],
    ['names no address twice', ['cap.reached', 'invoice.overdue'], 'team@summit.example', emails],
  ])('%s', (_case, kinds, billingEmail, expected) => {
    expect(emailsFor(kinds, { emails, billingEmail })).toEqual(expected);
  });
});

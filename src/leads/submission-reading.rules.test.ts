import { describe, expect, test } from 'vitest';

import { checkFieldMapping, compileFieldMapping, type CompiledFieldMapping } from '../suppliers/field-mapping.rules.ts';
import { lackingOf } from './lacking.rules.ts';
import { erasedFields } from './read-fields.rules.ts';
import { readSubmission, type SubmissionToRead } from './submission-reading.rules.ts';

function mappingOf(mapping: unknown): CompiledFieldMapping {
  const checked = checkFieldMapping(mapping);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return compileFieldMapping(checked.mapping);
}

const noMapping = mappingOf({});

function submission(more: Partial<SubmissionToRead>): SubmissionToRead {
  return { rawBody: null, fields: null, externalId: null, isTest: false, refusal: null, ...more };
}

function rows(given: SubmissionToRead, mapping = noMapping): unknown[] {
  return readSubmission(given, mapping).fields.map(({ field, from, isConstant, sent, read, fault }) =>
    [field, isConstant ? '$set' : from, sent, read, fault].join(' | '),
  );
}

describe('How a submission was read', () => {
  test('names the incoming member of each field, its value as sent, and as read', () => {
    const mapping = mappingOf({
      'contact.tel': { to: 'phone', transform: 'us_phone' },
      backup: { to: 'phone', transform: 'us_phone' },
      $set: { source: 'form' },
    });
    const rawBody = JSON.stringify({
      contact: { tel: ' ' },
      backup: '(555) 555-0123',
      source: 'x',
      full_name: 'Ann',
      note: 1,
    });
    const fields = { ...erasedFields, fullName: 'Ann', phone: '+15555550123', source: 'form', utmSource: 'form' };
    const given = submission({ rawBody, fields, externalId: 'X-1' });
    expect(rows(given, mapping)).toEqual([
      'external_id |  |  | X-1 | ',
      'full_name | full_name | "Ann" | Ann | ',
      'phone | backup | "(555) 555-0123" | +15555550123 | ',
      'source | $set | "form" | form | ',
      'tcpa_consent |  |  | false | ',
      'utm_source |  |  | form | ',
    ]);
    expect(readSubmission(given, mapping).extra).toEqual(['note']);
  });

  test('puts each fault of a refusal at its field', () => {
    const rawBody = JSON.stringify({ phone: 5, state: 'x'.repeat(600), debt_amount: null });
    const refusal = 'name required; phone invalid; state too long';
    expect(rows(submission({ rawBody, refusal }))).toEqual([
      'phone | phone | 5 |  | phone invalid',
      `state | state | "${'x'.repeat(600)}" |  | state too long`,
      'debt_amount | debt_amount | null |  | ',
    ]);
  });

  test('does with what was read where the body is not kept any more', () => {
    const fields = { ...erasedFields, fullName: 'Ann', debtAmountCents: 1_250_050 };
    expect(rows(submission({ fields, isTest: true }))).toEqual([
      'full_name |  |  | Ann | ',
      'debt_amount |  |  | 12500.50 | ',
      'tcpa_consent |  |  | false | ',
      'test |  |  | true | ',
    ]);
  });

  test('does with the fault of a body that was cut, and guesses nothing of the rest', () => {
    const rawBody = '{"full_name":"Ann Lee","phone":"none","notes":"and so';
    expect(rows(submission({ rawBody, externalId: 'X-1', refusal: 'phone invalid' }))).toEqual([
      'external_id |  |  | X-1 | ',
      'phone |  |  |  | phone invalid',
    ]);
  });

  test('takes a body that is no object, or names of Object.prototype, for nothing read', () => {
    expect(rows(submission({ rawBody: '[]', refusal: 'name required' }))).toEqual([]);
    expect(readSubmission(submission({ rawBody: '{"__proto__":{"phone":"x"},"toString":1}' }), noMapping)).toEqual({
      fields: [],
      extra: ['__proto__', 'toString'],
    });
  });
});

test('What a lead lacks is what buyers mostly decide by and it does not have', () => {
  expect(lackingOf(erasedFields)).toEqual([
    'phone',
    'email',
    'state',
    'debt_amount',
    'consent_timestamp',
    'source_form_url',
  ]);
  const whole = {
    ...{ phone: '+15555550123', email: 'a@b.example', state: 'CA', debtAmountCents: 0 },
    ...{ consentTimestamp: '2026-11-20T17:03:11.000Z', sourceFormUrl: 'https://a.example/' },
  };
  expect(lackingOf({ ...erasedFields, ...whole })).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { checkFieldMapping, compileFieldMapping, type CompiledFieldMapping } from '../suppliers/field-mapping.rules.ts';
import { missingKeyFields } from './field-guide.rules.ts';
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

describe('readSubmission of a lead of a vertical', () => {
  const own = { roof_age: { type: 'integer', value: 12 }, constructor: { type: 'boolean', value: true } } as const;

  it('lists own fields with what was sent and read, and keeps them out of the further members', () => {
    const rawBody = '{"full_name":"Jo","vertical":"solar","roof_age":"12","constructor":true,"note":"x"}';
    const fields = { ...erasedFields, vertical: 'solar', own };
    const { fields: read, extra } = readSubmission(
      { rawBody, fields, externalId: null, isTest: false, refusal: null },
      noMapping,
    );
    const plain = { isConstant: false, fault: null };
    expect(read.filter(({ field }) => field === 'vertical' || field in own)).toEqual([
      { ...plain, field: 'vertical', from: 'vertical', sent: '"solar"', read: 'solar' },
      { ...plain, field: 'roof_age', from: 'roof_age', sent: '"12"', read: '12' },
      { ...plain, field: 'constructor', from: 'constructor', sent: 'true', read: 'true' },
    ]);
    expect(extra).toEqual(['note']);
  });

  it('names the errors of own fields like those of standard ones', () => {
    const refusal = 'name required; roof_age invalid; bill required; note too long; vertical invalid';
    const given = { rawBody: '{"roof_age":"x"}', fields: null, externalId: null, isTest: false, refusal };
    const { fields: read } = readSubmission(given, noMapping);
    expect(read.map(({ field, sent, fault }) => [field, sent, fault])).toEqual([
      ['full_name', null, 'name required'],
      ['roof_age', '"x"', 'roof_age invalid'],
      ['bill', null, 'bill required'],
      ['note', null, 'note too long'],
      ['vertical', null, 'vertical invalid'],
    ]);
  });
});

describe('readSubmission', () => {
  it('says which values were left out because they could not be read', () => {
    const mapping = mappingOf({ ip: { to: 'lead_ip', orNothing: true }, age: { to: 'utm_term', orNothing: true } });
    const accepted = submission({ rawBody: '{"ip":"unknown","utm_medium":" "}', fields: erasedFields });
    expect(readSubmission(accepted, mapping).fields).toMatchObject([
      { field: 'full_name' },
      { field: 'tcpa_consent' },
      { field: 'lead_ip', from: 'ip', sent: '"unknown"', read: null, fault: null, isLeftOut: true },
      { field: 'utm_medium' },
    ]);
    const rejected = submission({ rawBody: '{"ip":"unknown"}', refusal: 'name required' });
    expect(readSubmission(rejected, mapping).fields.map(({ isLeftOut }) => isLeftOut)).not.toContain(true);
  });

  it('finds certificates under the names of their scripts', () => {
    const certificates = { trustedformCertUrl: 'https://cert.trustedform.com/0a', jornayaLeadId: 'AB-1' };
    const rawBody = '{"xxTrustedFormCertUrl":"https://cert.trustedform.com/0a","universal_leadid":"AB-1","note":1}';
    const { fields, extra } = readSubmission(
      submission({ rawBody, fields: { ...erasedFields, ...certificates } }),
      noMapping,
    );
    expect(fields.filter(({ sent }) => sent !== null)).toMatchObject([
      { field: 'trustedform_cert_url', from: 'xxTrustedFormCertUrl', read: certificates.trustedformCertUrl },
      { field: 'jornaya_lead_id', from: 'universal_leadid', read: 'AB-1' },
    ]);
    expect(extra).toEqual(['note']);
  });

  it('returns the incoming member of each field, with its value as sent and as read', () => {
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

  it('assigns each error of a rejection to its field', () => {
    const rawBody = JSON.stringify({ phone: 5, state: 'x'.repeat(600), debt_amount: null });
    const refusal = 'name required; phone invalid; state too long';
    expect(rows(submission({ rawBody, refusal }))).toEqual([
      'full_name |  |  |  | name required',
      'phone | phone | 5 |  | phone invalid',
      `state | state | "${'x'.repeat(600)}" |  | state too long`,
      'debt_amount | debt_amount | null |  | ',
    ]);
  });

  it('shows the invisible characters of a value with an error, and no others', () => {
    const rawBody = '{"full_name":"J\u00a0o","phone":"\u202a+1 555\u2011555 012\u200b"}';
    expect(rows(submission({ rawBody, refusal: 'phone invalid' }))).toEqual([
      'full_name | full_name | "J\u00a0o" |  | ',
      'phone | phone | "[U+202A]+1 555[U+2011]555 012[U+200B]" |  | phone invalid',
    ]);
  });

  it('returns the values of the lead if the body is no longer stored', () => {
    const fields = { ...erasedFields, fullName: 'Ann', debtAmountCents: 1_250_050 };
    expect(rows(submission({ fields, isTest: true }))).toEqual([
      'full_name |  |  | Ann | ',
      'debt_amount |  |  | 12500.50 | ',
      'tcpa_consent |  |  | false | ',
      'test |  |  | true | ',
    ]);
  });

  it('returns only the errors if the body was truncated', () => {
    const rawBody = '{"full_name":"Ann Lee","phone":"none","notes":"and so';
    expect(rows(submission({ rawBody, externalId: 'X-1', refusal: 'phone invalid' }))).toEqual([
      'external_id |  |  | X-1 | ',
      'phone |  |  |  | phone invalid',
    ]);
  });

  it('ignores a body that is not an object, and names of Object.prototype', () => {
    expect(rows(submission({ rawBody: '[]', refusal: 'state invalid' }))).toEqual(['state |  |  |  | state invalid']);
    expect(readSubmission(submission({ rawBody: '{"__proto__":{"phone":"x"},"toString":1}' }), noMapping)).toEqual({
      fields: [],
      extra: ['__proto__', 'toString'],
    });
  });
});

describe('missingKeyFields', () => {
  it('returns the key fields that a lead does not have', () => {
    expect(missingKeyFields(erasedFields)).toEqual([
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
    expect(missingKeyFields({ ...erasedFields, ...whole })).toEqual([]);
  });
});

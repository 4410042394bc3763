import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countries } from '../base/regions.ts';

import { validateLead } from '../leads/validate-lead.rules.ts';
import {
  applyFieldMapping,
  checkFieldMapping,
  compileFieldMapping,
  type FieldMapping,
  standardNames,
} from '../suppliers/field-mapping.rules.ts';
import { transforms } from '../suppliers/field-transforms.rules.ts';
import { buildExample } from './example-submission.rules.ts';

const now = new Date('2026-11-20T18:00:00.000Z');

function mappingOf(mapping: unknown): FieldMapping {
  const checked = checkFieldMapping(mapping);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.mapping;
}

function verdictOn(mapping: FieldMapping, body: Readonly<Record<string, unknown>>) {
  // As it would come in: through JSON.
  const received = JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
  return validateLead(applyFieldMapping(compileFieldMapping(mapping), received), { regions: countries }, now);
}

describe('An example in the supplier’s own shape', () => {
  it('is the usual lead without a mapping', () => {
    expect(buildExample({}, countries, now)).toEqual({
      isTest: true,
      body: {
        external_id: 'sample-20261120180000',
        full_name: 'Jordan Rivera',
        email: 'jordan.rivera@example.com',
        phone: '+15555550123',
        state: 'CA',
        debt_amount: '24500',
        source: 'search-debt-west',
        consent_timestamp: '2026-11-20T17:59:00Z',
        source_form_url: 'https://forms.example.com/debt?utm_source=search',
        lead_ip: '203.0.113.20',
        test: true,
      },
    });
  });

  it('has the names, nesting and formats that the mapping reads', () => {
    const mapping = mappingOf({
      'contact.name': 'full_name',
      'contact.mail': 'email',
      Mobile: { to: 'phone', transform: 'us_phone' },
      Phone2: { to: 'phone', transform: 'us_phone' },
      'address.region': { to: 'state', transform: 'state_name' },
      amountOwed: { to: 'debt_amount', transform: 'money' },
      submittedAt: { to: 'consent_timestamp', transform: 'epoch_s' },
      formUrl: 'source_form_url',
      id: 'external_id',
      $set: { source: 'brightform' },
    });
    expect(buildExample(mapping, countries, now)).toEqual({
      isTest: true,
      body: {
        contact: { name: 'Jordan Rivera', mail: 'jordan.rivera@example.com' },
        Mobile: '(555) 555-0123',
        address: { region: 'California' },
        amountOwed: '$24,500.00',
        submittedAt: 1_795_197_540,
        formUrl: 'https://forms.example.com/debt?utm_source=search',
        id: 'sample-20261120180000',
        lead_ip: '203.0.113.20',
        test: true,
      },
    });
  });

  it.each<[says: string, mapping: unknown, body: object]>([
    ['lists by position', { 'phones.0': 'phone', 'phones.1': 'lead_ip' }, { phones: ['+15555550123', '203.0.113.20'] }],
    ['positions with a gap', { 'answers.2': 'full_name' }, { answers: [null, null, 'Jordan Rivera'] }],
    ['a member of a listed object', { 'people.0.mail': 'email' }, { people: [{ mail: 'jordan.rivera@example.com' }] }],
    ['far positions as names', { 'answers.4711': 'full_name' }, { answers: { 4711: 'Jordan Rivera' } }],
    [
      'a name that is also the beginning of a path',
      { a: 'full_name', 'a.b': 'email' },
      { a: 'Jordan Rivera', 'a.b': 'jordan.rivera@example.com' },
    ],
    ['a question with a full stop', { 'Your name.': 'full_name' }, { 'Your name.': 'Jordan Rivera' }],
    ['a test mark under another name', { isTest: 'test' }, { isTest: true }],
    ['capitals', { region: { to: 'state', transform: 'upper' } }, { region: 'ca' }],
    ['first and last name', { vorname: 'first_name', name: 'last_name' }, { vorname: 'Jordan', name: 'Rivera' }],
  ])('contains %s', (_, given, part) => {
    const mapping = mappingOf(given);
    const example = buildExample(mapping, countries, now);
    expect(example?.body).toMatchObject(part);
    expect(verdictOn(mapping, example?.body ?? {})).toMatchObject({ ok: true, lead: { test: true } });
  });

  it('has a province if only Canada is accepted, with its full name if the mapping reads names', () => {
    const full = mappingOf({ Region: { to: 'state', transform: 'state_name' } });
    expect(buildExample({}, ['CA'], now)?.body).toMatchObject({ state: 'ON' });
    expect(buildExample(full, ['CA'], now)?.body).toMatchObject({ Region: 'Ontario' });
    expect(buildExample(full, 'any', now)?.body).toMatchObject({ Region: 'California' });
  });

  it('leaves out fields that can never be valid, and is null if no submission can', () => {
    // Only digits are no international number; the address does it alone.
    const digits = mappingOf({ Tel: { to: 'phone', transform: 'digits' } });
    expect(Object.keys(buildExample(digits, countries, now)?.body ?? {})).not.toContain('Tel');
    expect(buildExample(mappingOf({ $set: { email: 'nobody' } }), countries, now)).toBeNull();
    expect(buildExample(mappingOf({ $set: { test: false } }), countries, now)?.isTest).toBe(false);
  });

  it('is valid for any mapping', () => {
    const name = fc.oneof(
      fc.constantFrom(
        'a',
        'b',
        'a.b',
        'a.b.c',
        'a.0',
        'a.0.c',
        'a[b=c].d.0',
        'a[b=e].d.0',
        'b[k=v]',
        'b.12',
        'x.',
        '.y',
        'test',
        'phone',
        'state',
        'email',
        'full_name',
      ),
      fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !text.startsWith('$')),
    );
    const target = fc.oneof(
      fc.constantFrom(...standardNames),
      fc.record({
        to: fc.constantFrom(...standardNames),
        transform: fc.constantFrom(...(Object.keys(transforms) as Array<keyof typeof transforms>)),
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(name, target, { maxKeys: 12 }), (given) => {
        const checked = checkFieldMapping(given);
        fc.pre(checked.ok);
        const example = buildExample(checked.mapping, countries, now);
        // Without constants there is always a way: the standard names, or those that took their place.
        if (example === null) return;
        expect(verdictOn(checked.mapping, example.body)).toMatchObject({ ok: true, lead: { test: example.isTest } });
      }),
      { numRuns: 500 },
    );
  });
});

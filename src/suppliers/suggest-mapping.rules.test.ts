import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isMembers } from '../base/json.ts';
import { checkFieldMapping } from './field-mapping.rules.ts';
import { suggestMapping } from './suggest-mapping.rules.ts';

const none = { mapping: {}, ownNames: [] };

describe('A mapping suggested for a sample', () => {
  it.each([
    ['nothing for standard names', { email: 'a@b.example', phone: '+15555550123', state: 'CA' }, {}],
    ['common names', { fname: 'Ann', lname: 'Lee', zip: '94110' }, { fname: 'first_name', lname: 'last_name' }],
    [
      'names in any writing',
      { 'E-Mail Address': 'a@b.example', IPAddress: '192.0.2.1' },
      { 'E-Mail Address': 'email', IPAddress: 'lead_ip' },
    ],
    [
      'paths',
      { contact: { name: 'Ann Lee', tel: '+15555550123' } },
      { 'contact.name': 'full_name', 'contact.tel': 'phone' },
    ],
    ['positions', { phones: [{ number: 'x', phone: '+15555550123' }] }, { 'phones.0.phone': 'phone' }],
    ['a conversion of a phone', { phone: '(555) 555-0123' }, { phone: { to: 'phone', transform: 'us_phone' } }],
    ['a conversion of a state', { province: 'california' }, { province: { to: 'state', transform: 'state_name' } }],
    ['a conversion of an amount', { total_debt: '$12,345' }, { total_debt: { to: 'debt_amount', transform: 'money' } }],
    ['seconds', { ts: 1_763_658_191 }, { ts: { to: 'consent_timestamp', transform: 'epoch_s' } }],
    ['milliseconds', { ts: '1763658191000' }, { ts: { to: 'consent_timestamp', transform: 'epoch_ms' } }],
    ['a time as written', { ts: '2026-11-20 17:03:11' }, { ts: { to: 'consent_timestamp', transform: 'time' } }],
    ['a time with an offset without colon as it is', { ts: '2026-11-20T17:03:11+0000' }, { ts: 'consent_timestamp' }],
    ['a consent as text', { optin: 'yes' }, { optin: { to: 'tcpa_consent', transform: 'boolean' } }],
    ['the address in a list', { ip: '10.0.0.1, 203.0.113.9' }, { ip: { to: 'lead_ip', transform: 'public_ip' } }],
    [
      'the entries of a list of answers',
      {
        field_data: [
          { name: 'full_name', values: ['Ann Lee'] },
          { name: 'phone_number', values: ['(555) 555-0123'] },
          { name: 'shade', values: [] },
        ],
      },
      {
        'field_data[name=full_name].values.0': 'full_name',
        'field_data[name=phone_number].values.0': { to: 'phone', transform: 'us_phone' },
      },
    ],
    ['a time as it is', { ts: '2026-11-20T17:03:11Z' }, { ts: 'consent_timestamp' }],
    ['one member for a field', { phone: '+15555550123', mobile: '+15555550124' }, {}],
    ['the better alias', { created: 'x', consent_date: 'y' }, { consent_date: 'consent_timestamp' }],
    [
      'nothing that cannot be mapped',
      JSON.parse(`{ "__proto__": { "email": "a" }, "${'x'.repeat(200)}": { "email": "b" } }`),
      {},
    ],
    ['nothing for empty or unknown members', { fname: '', colour: 'red', nested: { shade: 1 }, none: null }, {}],
  ])('has %s', (_, sample, mapping) => {
    expect(suggestMapping(sample, none)).toEqual(mapping);
  });

  it('adds to the mapping at hand, and knows the fields of verticals', () => {
    const mapping = { who: 'full_name', $set: { tcpa_consent: true } };
    const sample = { who: 'Ann', name: 'Bob', consent: true, 'Roof-Type': 'flat', mail: 'a@b.example' };
    expect(suggestMapping(sample, { mapping, ownNames: ['roof_type'] })).toEqual({
      'Roof-Type': 'roof_type',
      mail: 'email',
    });
  });

  it('is valid for any sample', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (sample) => {
        const suggested = suggestMapping(isMembers(sample) ? sample : { sample }, none);
        expect(checkFieldMapping(suggested)).toMatchObject({ ok: true });
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';

import { MASK, maskPersonalData } from './mask-personal-data.rules.ts';

describe('A response without personal data', () => {
  it('has personal data masked at any depth', () => {
    const lead = {
      leadId: 'lead_1',
      fields: {
        fullName: 'Jordan Rivera',
        email: 'j@example.com',
        phone: '+15555550123',
        state: 'CA',
        debtAmount: 24_500,
      },
      rawBody: '{"full_name":"Jordan Rivera"}',
      consent: { leadIp: '203.0.113.7', consentTimestamp: '2026-11-20T17:03:11Z' },
    };
    expect(maskPersonalData({ data: [lead] })).toEqual({
      data: [
        {
          leadId: 'lead_1',
          fields: { fullName: MASK, email: MASK, phone: MASK, state: 'CA', debtAmount: 24_500 },
          rawBody: MASK,
          consent: { leadIp: MASK, consentTimestamp: '2026-11-20T17:03:11Z' },
        },
      ],
    });
  });

  it('has every part of a name masked, and in sentences as well', () => {
    const parts = {
      firstName: 'Mary Ann',
      middleName: 'Quill',
      lastName: 'Lopez',
      namePrefix: 'Dr.',
      nameSuffix: 'III',
    };
    const masked = maskPersonalData({ fields: { fullName: 'M. L.', ...parts }, note: 'Asked for Lopez' });
    expect(masked).toEqual({
      fields: Object.fromEntries(['fullName', ...Object.keys(parts)].map((name) => [name, MASK])),
      note: `Asked for ${MASK}`,
    });
  });

  it('keeps the types of masked values', () => {
    const value = { extra: { dob: '1980-01-01', age: 45 }, ccEmails: ['a@b.example'], phone: null, ip: 7 };
    expect(maskPersonalData(value)).toEqual({ extra: {}, ccEmails: [MASK], phone: null, ip: 0 });
  });

  it('has the additional members of the route masked', () => {
    const row = { name: 'Jordan Rivera', partnerName: 'Summit' };
    expect(maskPersonalData(row, ['name'])).toEqual({ name: MASK, partnerName: 'Summit' });
    expect(maskPersonalData(row)).toEqual(row);
  });

  it.each([
    ['mail to jordan.rivera@example.com failed', `mail to ${MASK} failed`],
    ['SMS to +1 (555) 555-0123.', `SMS to ${MASK}.`],
    ['call (555) 555-0123 or 555.555.0124', `call ${MASK} or ${MASK}`],
    ['from 203.0.113.7, 2001:db8::7 and ::1', `from ${MASK}, ${MASK} and ${MASK}`],
    ['2001:db8:0:0:0:0:0:7', MASK],
  ])('of %j shows %j', (text, shown) => {
    expect(maskPersonalData({ label: text })).toEqual({ label: shown });
  });

  it.each([
    '2026-11-20T17:03:12.418Z',
    '2026-11-20 17:03:12 +02:00',
    '17:03:12',
    'lead_01m7xnp2vpe9rtj82p033hep4t',
    '0b7f2d1e-6c1e-7b0e-9a53-0d8a5c1f7a10',
    'LS-1000042',
    '24500.00',
    'CA, NY',
    '1.2.3',
    'A-1001',
  ])('leaves %j as it is', (text) => {
    expect(maskPersonalData({ value: text })).toEqual({ value: text });
  });

  it('has names masked in free text, whole and in part, in any case', () => {
    const value = {
      lead: { fields: { fullName: 'Jordan Rivera' } },
      statement: 'RIVERA says that Jordan Rivera never asked.',
      status: 'Jordan',
    };
    expect(maskPersonalData(value)).toEqual({
      lead: { fields: { fullName: MASK } },
      statement: `${MASK} says that ${MASK} never asked.`,
      status: 'Jordan',
    });
  });

  it('has names and numbers masked in the tags of a lead', () => {
    const value = {
      name: 'Zanary Quibble',
      externalId: '2125550199',
      source: 'form-12125550199-b',
      utmCampaign: 'retarget_Quibble, zanary',
      utmTerm: 'quibbles and zanarys',
      utmContent: 'banner 1764338400 of 20261120',
    };
    expect(maskPersonalData(value, ['name'])).toEqual({
      name: MASK,
      externalId: MASK,
      source: `form-${MASK}-b`,
      utmCampaign: `retarget_${MASK}, ${MASK}`,
      utmTerm: 'quibbles and zanarys',
      utmContent: 'banner 1764338400 of 20261120',
    });
  });

  it('has long numbers masked in sentences, and not elsewhere', () => {
    const value = { statement: 'call 2125550199 or 442079460958, order 1000042', deliveryRef: '2125550199' };
    expect(maskPersonalData(value)).toEqual({
      statement: `call ${MASK} or ${MASK}, order 1000042`,
      deliveryRef: '2125550199',
    });
  });

  it('is masked without an error for any JSON value', () => {
    for (const value of [
      null,
      5,
      'x',
      [],
      {},
      { statement: null },
      { fullName: '.*+?^${}()|[]\\', note: 'a'.repeat(5000) },
    ]) {
      expect(() => maskPersonalData(value)).not.toThrow();
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countries } from '../../base/regions.ts';

import { type DeliveryId, newUuid } from '../../base/ids.ts';
import type { LeadFields } from '../../leads/lead-fields.ts';
import { validateLead } from '../../leads/validate-lead.rules.ts';
import { deliveryStatuses } from '../delivery.ts';
import { exportLines, type ExportRow, lineOfCells, plainLine } from './export-line.rules.ts';

const usual: LeadFields = {
  fullName: 'Jordan Rivera',
  email: 'jordan.rivera@example.com',
  phone: '+15555550123',
  businessName: null,
  state: 'CA',
  debtAmountCents: 2_450_000,
  source: 'search',
  consentTimestamp: '2026-11-20T17:03:11.000Z',
  sourceFormUrl: 'https://forms.example.com/debt?utm_source=search',
  tcpaConsent: true,
  consentVersion: 'v7',
  consentText: null,
  leadIp: '203.0.113.24',
  utmSource: 'search',
  utmMedium: 'cpc',
  utmCampaign: 'west coast',
  utmTerm: null,
  utmContent: null,
  trustedformCertUrl: null,
  jornayaLeadId: null,
  appointmentAt: null,
  extra: {},
};

const rowOf = (fields: object | null, other: Partial<ExportRow> = {}): ExportRow => ({
  deliveryId: '019aa2c8-5b0e-7f3a-8c21-4d6e8f901234' as DeliveryId,
  refNumber: 100_042,
  eventType: 'Lead Sale',
  status: 'Confirmed',
  payoutCents: 4500,
  deliveredAt: '2026-11-20T17:03:12.418Z',
  fields: fields === null ? null : JSON.stringify(fields),
  erasedConsent: null,
  ...other,
});

const LINE =
  'LS-100042,Lead Sale,Confirmed,45.00,2026-11-20T17:03:12.418Z,false,Jordan Rivera,jordan.rivera@example.com,+15555550123,CA,24500.00,true,2026-11-20T17:03:11.000Z,v7,203.0.113.24,search,cpc,west coast,,,https://forms.example.com/debt?utm_source=search\r\n';

describe('A line of the export', () => {
  it('is copied from the stored text for a usual lead', () => {
    expect(plainLine(rowOf(usual))).toMatch(/^dlv_[0-9a-z]{26},/);
    expect(plainLine(rowOf(usual))?.slice('dlv_'.length + 27)).toBe(LINE);
  });

  it('is copied from the stored text for a lead with few values', () => {
    const { fullName, tcpaConsent, extra } = usual;
    const nothing = Object.fromEntries(Object.keys(usual).map((name) => [name, null]));
    const row = rowOf({ ...nothing, fullName, tcpaConsent, extra }, { status: 'Returned', payoutCents: 5 });
    expect(plainLine(row)?.slice(31)).toBe(
      'LS-100042,Lead Sale,Returned,0.05,2026-11-20T17:03:12.418Z,true,Jordan Rivera,,,,,true,,,,,,,,,\r\n',
    );
    expect(lineOfCells(row)).toBe(plainLine(row));
  });

  it('is copied from the stored text for fields in the order of ingest', () => {
    const body = { full_name: 'Dana Whitfield', phone: '+15555550147', state: 'WA', debt_amount: '1', test: true };
    const verdict = validateLead(body, { regions: countries }, new Date('2026-11-20T17:03:12.418Z'));
    expect(verdict.ok && plainLine(rowOf(verdict.lead))).toContain(',Dana Whitfield,,+15555550147,WA,1.00,false,');
  });

  it.each<readonly [string, object | null]>([
    ['is erased', null],
    ['has a comma', { ...usual, fullName: 'Rivera, Jordan' }],
    ['has a quote', { ...usual, utmTerm: 'a "b"' }],
    ['has a line break', { ...usual, utmTerm: 'a\nb' }],
    ['has a backslash', { ...usual, utmTerm: 'a\\b' }],
    ['begins like a formula', { ...usual, utmTerm: '=1+1' }],
    ['begins with a blank', { ...usual, fullName: ' =1+1' }],
    ['begins with another letter', { ...usual, fullName: 'Élodie' }],
    ['has a phone that is none', { ...usual, phone: '+1 (555) 555-0123' }],
    ['has an empty text', { ...usual, utmTerm: '' }],
    ['has an amount beyond exactness', { ...usual, debtAmountCents: 99_999_999_999_999 }],
    ['has a broken amount', { ...usual, debtAmountCents: 1.5 }],
    ['has no name', { ...usual, fullName: null }],
    ['has its fields in another order', Object.fromEntries(Object.entries(usual).toReversed())],
    ['has fewer fields', { fullName: usual.fullName, email: usual.email }],
  ])('is made from cells for a lead that %s', (_what, fields) => {
    expect(plainLine(rowOf(fields))).toBeNull();
  });

  it('has the letters of the kind of sale', () => {
    expect(exportLines([rowOf(usual, { eventType: 'Calendar Assigned' })])).toContain(',CA-100042,Calendar Assigned,');
  });

  it('ends with the own fields, guarded against formulas', () => {
    const own = {
      roof_age: { type: 'integer', value: -3 },
      bill: { type: 'money', value: 180.5 },
      owner: { type: 'boolean', value: false },
      note: { type: 'text', value: '=1+1, "$&"' },
      secret: { type: 'text', value: 'x', hidden: true },
    };
    const names = ['roof_age', 'gone', 'bill', 'owner', 'note', 'secret', 'constructor'];
    const tail = `,-3,,180.50,false,"'=1+1, ""$&""",,\r\n`;
    const plain = rowOf({ ...usual, vertical: 'solar', own });
    expect(exportLines([plain], names)).toBe(plainLine(plain)?.replace(/\r\n$/, () => tail));
    const other = rowOf({ ...usual, fullName: 'Rivera, Jordan', own });
    expect(exportLines([other], names)).toBe(lineOfCells(other).replace(/\r\n$/, () => tail));
    for (const row of [rowOf(null), rowOf({ ...usual, own }, { status: 'Failed' }), rowOf(usual)])
      expect(exportLines([row], names)).toBe(lineOfCells(row).replace(/\r\n$/, () => `${','.repeat(7)}\r\n`));
  });

  it('has the parts of the name in their columns, and none of a failed or erased lead', () => {
    const names = ['firstName', 'roof_age', 'lastName'];
    const apart = rowOf({ ...usual, firstName: '=Mary', lastName: 'Lopez, Garcia' });
    expect(exportLines([apart], names)).toMatch(/,'=Mary,,"Lopez, Garcia"\r\n$/);
    for (const row of [rowOf(null), rowOf({ ...usual, firstName: 'Mary' }, { status: 'Failed' })]) {
      expect(exportLines([row], names)).toBe(lineOfCells(row).replace(/\r\n$/, ',,,\r\n'));
    }
  });

  it('is the same in both ways for any lead', () => {
    const special = fc.constantFrom(
      '"',
      ',',
      '\r',
      '\n',
      "'",
      '=',
      '+',
      '-',
      '@',
      '\\',
      ' ',
      '\u2028',
      '\0',
      '\ud800',
      'é',
      'a',
      '1',
    );
    const text = fc.oneof(
      { arbitrary: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 .:/?=&@'-]{0,20}$/), weight: 40 },
      { arbitrary: fc.array(special, { maxLength: 6 }).map((parts) => parts.join('')), weight: 1 },
      { arbitrary: fc.string({ unit: 'binary', maxLength: 10 }), weight: 1 },
    );
    const given = fc.option(text, { freq: 8 });
    const number = fc.oneof(
      { arbitrary: fc.stringMatching(/^\+[1-9]\d{6,14}$/), weight: 20 },
      { arbitrary: text, weight: 1 },
    );
    const phone = fc.option(number, { freq: 8 });
    const amount = fc.oneof(
      { arbitrary: fc.nat({ max: 99_999_999_999 }), weight: 20 },
      { arbitrary: fc.double(), weight: 1 },
    );
    const cents = fc.option(amount);
    const fields = fc.record({
      ...{
        fullName: text,
        email: given,
        phone,
        businessName: given,
        state: given,
        debtAmountCents: cents,
        source: given,
      },
      ...{ consentTimestamp: given, sourceFormUrl: given, tcpaConsent: fc.boolean(), consentVersion: given },
      ...{ consentText: given, leadIp: given, utmSource: given, utmMedium: given, utmCampaign: given, utmTerm: given },
      ...{ utmContent: given, trustedformCertUrl: given, jornayaLeadId: given, appointmentAt: given },
      extra: fc.dictionary(text, given, { maxKeys: 2 }),
    });
    const rows = fc.record({
      deliveryId: fc.constant(null).map(newUuid),
      refNumber: fc.nat(),
      eventType: fc.constantFrom('Lead Sale' as const, 'Calendar Assigned' as const),
      status: fc.constantFrom(...deliveryStatuses),
      payoutCents: fc.nat({ max: 100_000_000_000 }),
      deliveredAt: fc
        .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((at) => at.toISOString()),
      fields: fc.option(
        fields.map((one) => JSON.stringify(one)),
        { freq: 30 },
      ),
      erasedConsent: fc.option(
        fc
          .record({ tcpaConsent: fc.boolean(), consentTimestamp: given, consentVersion: given })
          .map((facts) => JSON.stringify(facts)),
      ),
    });
    let plain = 0;
    fc.assert(
      fc.property(rows, (row) => {
        plain += plainLine(row) === null ? 0 : 1;
        expect(exportLines([row])).toBe(lineOfCells(row));
      }),
      { numRuns: 3000 },
    );
    // Otherwise it has compared one way with itself.
    expect(plain).toBeGreaterThan(100);
  });
});

import { describe, expect, it } from 'vitest';

import type { LeadFields } from '../leads/lead-fields.ts';
import {
  cellsOf,
  columnNames,
  moneyColumns,
  nameColumnsOf,
  ownCells,
  ownColumnNames,
} from './delivery-columns.rules.ts';
import { saleExample } from './delivery.schema.ts';

const fields: LeadFields = {
  fullName: 'Jordan Rivera',
  email: 'jordan.rivera@example.com',
  phone: '+15555550123',
  businessName: 'Rivera Bakery',
  state: 'CA',
  debtAmountCents: 2_450_000,
  source: 'search-debt-west',
  consentTimestamp: '2026-11-20T17:03:11.000Z',
  sourceFormUrl: 'https://forms.example.com/debt?utm_source=search',
  tcpaConsent: true,
  consentVersion: 'v7',
  consentText: 'I agree.',
  leadIp: '203.0.113.24',
  utmSource: 'search',
  utmMedium: 'cpc',
  utmCampaign: 'west',
  utmTerm: 'term',
  utmContent: 'content',
  trustedformCertUrl: null,
  jornayaLeadId: null,
  appointmentAt: null,
  extra: { note: 'call after six' },
};

describe('The columns for parts of a name', () => {
  it.each([
    [{}, []],
    [{ firstName: 'Ann' }, ['firstName', 'lastName']],
    [{ lastName: 'Lee', nameSuffix: 'Jr.' }, ['firstName', 'lastName', 'nameSuffix']],
    [{ middleName: 'M.' }, ['middleName']],
  ])('are, for a lead with %j, %j', (parts, names) => {
    expect(nameColumnsOf(parts)).toEqual(names);
  });

  it('stand among those of own fields, with what was sent, else with what the name says', () => {
    const names = ['zip', 'firstName', 'lastName', 'nameSuffix'];
    const { lead } = saleExample;
    expect(ownColumnNames(names)).toEqual(['fields.zip', 'firstName', 'lastName', 'nameSuffix']);
    const apart = { ...lead, fullName: 'Mary Ann Lopez Garcia', firstName: 'Mary Ann', lastName: 'Lopez Garcia' };
    expect(ownCells({ ...apart, fields: { zip: '01234' } }, names)).toEqual(['01234', 'Mary Ann', 'Lopez Garcia', '']);
    expect(ownCells({ ...lead, fullName: 'Rivera Jr., Jo' }, names)).toEqual([null, 'Jo', 'Rivera', 'Jr.']);
    const erased = { ...lead, fullName: '[erased]', email: null, phone: null };
    expect(ownCells(erased, names)).toEqual([null, null, null, null]);
  });
});

describe('The row of a delivery', () => {
  it('has the columns of the export, in its order', () => {
    expect(columnNames.join(', ')).toBe(
      'deliveryId, deliveryRef, eventType, status, payout, deliveredAt, returned, fullName, email, phone, state, debtAmount, ' +
        'tcpaConsent, consentTimestamp, consentVersion, leadIp, utmSource, utmMedium, utmCampaign, utmTerm, utmContent, sourceUrl',
    );
  });

  it('has the values of the JSON object', () => {
    expect(cellsOf(saleExample, fields)).toEqual([
      'dlv_01m7wyk0h2emp81qch4dvtyn6a',
      'LS-100042',
      'Lead Sale',
      'Confirmed',
      45,
      '2026-11-20T17:03:12.418Z',
      false,
      'Jordan Rivera',
      'jordan.rivera@example.com',
      '+15555550123',
      'CA',
      24_500,
      true,
      '2026-11-20T17:03:11.000Z',
      'v7',
      '203.0.113.24',
      'search',
      'cpc',
      'west',
      'term',
      'content',
      'https://forms.example.com/debt?utm_source=search',
    ]);
  });

  it('has an empty cell for every missing value', () => {
    const lead = { ...saleExample.lead, email: null, phone: null, state: null, debtAmount: null, utmSource: null };
    const bare = { ...fields, consentVersion: null, utmMedium: null, utmCampaign: null, utmTerm: null };
    const cells = cellsOf({ ...saleExample, lead }, { ...bare, utmContent: null });
    expect(cells).toHaveLength(columnNames.length);
    const absent = columnNames.filter((_name, index) => cells[index] === null);
    expect(absent).toEqual([
      'email',
      'phone',
      'state',
      'debtAmount',
      'consentVersion',
      'utmSource',
      'utmMedium',
      'utmCampaign',
      'utmTerm',
      'utmContent',
    ]);
  });

  it('does not change text that looks like a formula', () => {
    const cells = cellsOf({ ...saleExample, lead: { ...saleExample.lead, fullName: '=1+1' } }, fields);
    expect(cells[columnNames.indexOf('fullName')]).toBe('=1+1');
  });

  it('lists the columns with money', () => {
    const cells = cellsOf(saleExample, fields);
    expect(columnNames.filter((_name, index) => typeof cells[index] === 'number')).toEqual([...moneyColumns]);
  });
});

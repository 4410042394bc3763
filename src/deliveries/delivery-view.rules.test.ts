import { Errors } from 'typebox/value';
import { describe, expect, it } from 'vitest';

import { type DeliveryId, type IdKind, type LeadId, uuidOf } from '../base/ids.ts';
import { usualReturnPolicy } from '../../test/support/offers.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import { bookingExample, saleExample, DeliverySchema } from './delivery.schema.ts';
import type { DeliveryRow } from './delivery.ts';
import { deliveryView, type DeliveryViewing } from './delivery-view.rules.ts';

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
  utmTerm: null,
  utmContent: null,
  trustedformCertUrl: null,
  jornayaLeadId: null,
  appointmentAt: '2026-11-30T18:00:00.000Z',
  extra: { note: 'call after six' },
};
const sale: DeliveryRow = {
  deliveryId: uuid('delivery', saleExample.deliveryId) as DeliveryId,
  refNumber: 100_042,
  eventType: 'Lead Sale',
  status: 'Confirmed',
  payoutCents: 4500,
  deliveredAt: new Date('2026-11-20T17:03:12.418Z'),
  confirmedAt: new Date('2026-11-20T17:03:12.911Z'),
  appointmentAt: null,
  leadId: '019a9f04-0000-7000-8000-000000000001' as LeadId,
  fields: JSON.stringify(fields),
  erasedConsent: null,
  buyerReference: null,
};
const viewing: DeliveryViewing = {
  policy: usualReturnPolicy,
  timeZone: 'America/Los_Angeles',
  now: new Date('2026-11-20T18:00:00.000Z'),
  claim: null,
};

describe('The view of a delivery', () => {
  it('has exactly the members of the contract, in their order', () => {
    expect(JSON.stringify(deliveryView(sale, viewing))).toBe(JSON.stringify(saleExample));
  });

  it('shows the own fields that partners get, and none of a failed or erased lead', () => {
    const own = {
      roof_age: { type: 'integer', value: 12, label: 'Age of the roof' },
      internal: { type: 'text', value: 'x', hidden: true },
      constructor: { type: 'boolean', value: false },
    };
    const row: DeliveryRow = { ...sale, fields: JSON.stringify({ ...fields, vertical: 'solar', own }) };
    const { lead } = deliveryView(row, viewing);
    expect(lead).toEqual({ ...saleExample.lead, fields: { roof_age: 12, constructor: false } });
    expect(Object.keys(lead).at(-1)).toBe('fields');
    expect(deliveryView({ ...row, fields: JSON.stringify({ ...fields, own: {} }) }, viewing).lead.fields).toEqual({});
    expect(deliveryView({ ...row, status: 'Failed' }, viewing).lead).not.toHaveProperty('fields');
    expect(deliveryView({ ...row, fields: null }, viewing).lead).not.toHaveProperty('fields');
  });

  it('shows the parts of the name that were sent apart, and none of a failed or erased lead', () => {
    const parts = { firstName: 'Mary Ann', lastName: 'Lopez Garcia', nameSuffix: 'Jr.' };
    const row: DeliveryRow = { ...sale, fields: JSON.stringify({ ...fields, ...parts }) };
    const { lead } = deliveryView(row, viewing);
    expect(lead).toEqual({ ...saleExample.lead, ...parts });
    expect([...Errors(DeliverySchema, deliveryView(row, viewing))]).toEqual([]);
    for (const gone of [{ ...row, status: 'Failed' } as const, { ...row, fields: null }]) {
      expect(JSON.stringify(deliveryView(gone, viewing))).not.toMatch(/Mary|Lopez|Jr\./);
    }
  });

  it('keeps the consent of an erased lead', () => {
    const facts = { tcpaConsent: true, consentTimestamp: '2026-11-20T17:03:11.000Z', consentVersion: 'v7' };
    const { lead } = deliveryView({ ...sale, fields: null, erasedConsent: JSON.stringify(facts) }, viewing);
    expect(lead).toMatchObject({
      ...{ fullName: '[erased]', email: null, phone: null, leadIp: null, sourceUrl: null },
      ...{ tcpaConsent: true, consentTimestamp: facts.consentTimestamp },
    });
  });

  it('shows the appointment and the claim of a booking', () => {
    const { lead } = bookingExample;
    const row: DeliveryRow = {
      ...sale,
      deliveryId: uuid('delivery', bookingExample.deliveryId) as DeliveryId,
      refNumber: 100_041,
      eventType: 'Calendar Assigned',
      payoutCents: 12_000,
      deliveredAt: new Date(bookingExample.deliveredAt),
      confirmedAt: new Date(bookingExample.confirmedAt ?? ''),
      appointmentAt: new Date('2026-11-23T17:30:00.000Z'),
      fields: JSON.stringify({ ...fields, ...lead, debtAmountCents: 6_120_050, sourceFormUrl: lead.sourceUrl }),
    };
    const claim = { kind: 'return', id: bookingExample.claim?.id ?? '', status: 'under_review' } as const;
    expect(JSON.stringify(deliveryView(row, { ...viewing, claim }))).toBe(JSON.stringify(bookingExample));
  });

  it('shows what the supplier did not send as null', () => {
    const bare = {
      ...fields,
      email: null,
      phone: null,
      state: null,
      debtAmountCents: null,
      consentTimestamp: null,
      sourceFormUrl: null,
      leadIp: null,
      utmSource: null,
      tcpaConsent: false,
    };
    const view = deliveryView({ ...sale, fields: JSON.stringify(bare) }, viewing);
    expect(view.lead).toEqual({
      fullName: 'Jordan Rivera',
      email: null,
      phone: null,
      state: null,
      debtAmount: null,
      tcpaConsent: false,
      consentTimestamp: null,
      leadIp: null,
      utmSource: null,
      sourceUrl: null,
    });
    expect([...Errors(DeliverySchema, view)]).toEqual([]);
  });

  it.each([
    ['Pending', false, 'delivery_not_confirmed'],
    ['Confirmed', false, null],
    ['Failed', false, 'delivery_not_confirmed'],
    ['Returned', true, 'delivery_not_confirmed'],
  ] as const)('shows a %s delivery with returned %s and the reason against a return %s', (status, returned, reason) => {
    const view = deliveryView({ ...sale, status }, viewing);
    expect([view.status, view.returned, view.returnable.reason]).toEqual([status, returned, reason]);
    expect([...Errors(DeliverySchema, view)]).toEqual([]);
  });

  it.each([
    [0, 0],
    [1, 0.01],
    [10, 0.1],
    [4550, 45.5],
    [123_456_789, 1_234_567.89],
  ])('shows %i cents as the payout %d', (payoutCents, payout) => {
    expect(deliveryView({ ...sale, payoutCents }, viewing).payout).toBe(payout);
  });

  it('gives the reason why it cannot be returned', () => {
    const reasonBy = (facts: Partial<DeliveryViewing>) =>
      deliveryView(sale, { ...viewing, ...facts }).returnable.reason;
    const denied = { kind: 'dispute', id: 'dsp_01m7ww5brzff488f6mxkdn36hm', status: 'denied' } as const;
    expect(reasonBy({ now: new Date('2026-12-01T08:00:00.000Z') })).toBe('return_window_closed');
    expect(reasonBy({ capReached: true })).toBe('return_cap_reached');
    expect(reasonBy({ claim: denied })).toBeNull();
    expect(reasonBy({ claim: denied, returnDenied: true })).toBe('claim_exists');
  });
});

describe('The documented examples', () => {
  it.each([saleExample, bookingExample])('match the schema', (example) => {
    expect([...Errors(DeliverySchema, example)]).toEqual([]);
  });

  it('have ids of the time of delivery', () => {
    for (const { deliveryId, deliveredAt } of [saleExample, bookingExample]) {
      const time = uuid('delivery', deliveryId).replaceAll('-', '').slice(0, 12);
      expect(new Date(Number.parseInt(time, 16)).toISOString()).toBe(deliveredAt);
    }
    expect(uuid('return', bookingExample.claim?.id ?? '')).toBeTypeOf('string');
  });
});

function uuid(kind: IdKind, text: string): string {
  const found = uuidOf(kind, text);
  if (found === null) throw new Error(`${text} is no id`);
  return found;
}

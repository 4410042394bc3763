// A sale and a booking as partners see them, for the documentation of whatever answers with deliveries.
import type { DeliveryView } from './delivery.schema.ts';

export const saleExample: DeliveryView = {
  deliveryId: 'dlv_01m7wyk0h2emp81qch4dvtyn6a',
  deliveryRef: 'LS-100042',
  eventType: 'Lead Sale',
  status: 'Confirmed',
  payout: 45,
  deliveredAt: '2026-11-20T17:03:12.418Z',
  returned: false,
  lead: {
    fullName: 'Jordan Rivera',
    email: 'jordan.rivera@example.com',
    phone: '+15555550123',
    state: 'CA',
    debtAmount: 24500,
    tcpaConsent: true,
    consentTimestamp: '2026-11-20T17:03:11.000Z',
    leadIp: '203.0.113.24',
    utmSource: 'search',
    sourceUrl: 'https://forms.example.com/debt?utm_source=search',
  },
  confirmedAt: '2026-11-20T17:03:12.911Z',
  claim: null,
  returnable: { until: '2026-12-01T07:59:59.000Z', reason: null },
};

export const bookingExample: DeliveryView = {
  deliveryId: 'dlv_01m7we0py8ft1rb9mf60efe9ex',
  deliveryRef: 'CA-100041',
  eventType: 'Calendar Assigned',
  status: 'Confirmed',
  payout: 120,
  deliveredAt: '2026-11-20T12:13:35.560Z',
  returned: false,
  lead: {
    fullName: 'Dana Whitfield',
    email: null,
    phone: '+15555550147',
    state: 'WA',
    debtAmount: 61200.5,
    tcpaConsent: true,
    consentTimestamp: '2026-11-20T12:13:02.000Z',
    leadIp: '2001:db8:4f::1c',
    utmSource: 'newsletter',
    sourceUrl: 'https://forms.example.com/call-me',
  },
  appointmentAt: '2026-11-23T17:30:00.000Z',
  confirmedAt: '2026-11-20T12:13:36.207Z',
  claim: { kind: 'return', id: 'ret_01m7ww5brzff488f6mxkdn36hm', status: 'under_review' },
  returnable: { until: '2026-12-01T07:59:59.000Z', reason: 'claim_exists' },
};

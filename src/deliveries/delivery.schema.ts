// The delivery object that partners read, in lists and in webhook bodies, with examples and the path parameter (contract 6.1).
import { type Static, Type } from 'typebox';

import { returnRefusals } from '../buyers/claim-status.ts';
import { deliveryStatuses } from './delivery.ts';
import { orNull } from '../platform/http/values.schema.ts';

const timestamp = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-20T17:03:12.418Z'] });

const namePart = (example: string) =>
  Type.Optional(
    Type.String({
      description: 'This part of the name, as sent; absent if the supplier did not send it apart',
      examples: [example],
    }),
  );

const LeadSchema = Type.Object(
  {
    fullName: Type.String({ examples: ['Jordan Rivera'] }),
    email: orNull(Type.String({ examples: ['jordan.rivera@example.com'] })),
    phone: orNull(Type.String({ description: 'E.164', examples: ['+15555550123'] })),
    state: orNull(Type.String({ description: 'Two-letter region code', examples: ['CA'] })),
    debtAmount: orNull(Type.Number({ description: 'At most two decimals', examples: [24500] })),
    tcpaConsent: orNull(Type.Boolean({ description: 'Null only if the delivery failed' })),
    consentTimestamp: orNull(timestamp('When consent was given, UTC')),
    leadIp: orNull(Type.String({ description: 'IPv4 or IPv6', examples: ['203.0.113.24'] })),
    utmSource: orNull(Type.String({ examples: ['search'] })),
    sourceUrl: orNull(
      Type.String({
        description: 'The form that the lead filled in',
        examples: ['https://forms.example.com/debt?utm_source=search'],
      }),
    ),
    firstName: namePart('Jordan'),
    middleName: namePart('Ann'),
    lastName: namePart('Rivera'),
    namePrefix: namePart('Dr.'),
    nameSuffix: namePart('Jr.'),
    fields: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description:
          'The fields of the lead’s vertical, by name; a value that was not sent is left out. Money is a number with at most two decimals, a date is `YYYY-MM-DD`, an instant is UTC. The member is absent if the vertical has no fields, if the delivery failed, and if the lead was erased',
        examples: [{ roof_age: 12, home_owner: true, monthly_bill: 180.5 }],
      }),
    ),
  },
  {
    description:
      'The contact’s data. Values that the supplier did not send are null. If the delivery failed, `fullName` is `[not delivered]` and all else is null; if the lead was erased, `fullName` is `[erased]`, `tcpaConsent` and `consentTimestamp` stay, and all else is null.',
  },
);

const ClaimSchema = Type.Object(
  {
    kind: Type.Enum(['return', 'dispute']),
    id: Type.String({ examples: ['ret_01m7ww5brzff488f6mxkdn36hm'] }),
    status: Type.Enum(['submitted', 'under_review', 'approved', 'denied', 'withdrawn']),
  },
  { description: 'The latest return or dispute filed on the delivery' },
);

const ReturnableSchema = Type.Object(
  {
    until: timestamp(
      'The last second in which a return may be filed. Business days are counted from the day after the later of `deliveredAt` and `confirmedAt`. It may still become later while `confirmedAt` is null',
    ),
    reason: orNull(
      Type.Enum([...returnRefusals], {
        description: 'The code with which a return would be rejected; null while one may be filed',
      }),
    ),
  },
  { description: 'Whether a return may be filed, and until when' },
);

export const DeliverySchema = Type.Object(
  {
    deliveryId: Type.String({ examples: ['dlv_01m7wyk0h2emp81qch4dvtyn6a'] }),
    deliveryRef: Type.String({ description: 'A short reference for humans', examples: ['LS-100042'] }),
    eventType: Type.Enum(['Lead Sale', 'Calendar Assigned']),
    status: Type.Enum([...deliveryStatuses]),
    payout: Type.Number({
      description:
        'The price in the marketplace’s currency, at most two decimals. If you name the price in the response of your endpoint, this is the highest price until you do',
      examples: [45],
    }),
    deliveredAt: timestamp('When the lead was routed to you, UTC; it never changes'),
    returned: Type.Boolean({ description: 'Whether a return or dispute was approved' }),
    lead: LeadSchema,
    appointmentAt: Type.Optional(timestamp('The start of the booked slot, UTC; bookings (Calendar Assigned) only')),
    confirmedAt: orNull(
      timestamp(
        'When your endpoint accepted it, UTC; equal to `deliveredAt` if you have no channel. Null while it is Pending, and if it failed',
      ),
    ),
    claim: orNull(ClaimSchema),
    returnable: ReturnableSchema,
    buyerReference: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'Your own id of the lead, if your endpoint’s response named one. It is in no webhook and in no event, because these say what was so at the sale',
        examples: ['CRM-20418'],
      }),
    ),
  },
  { $id: 'Delivery', description: 'A lead delivered to you' },
);

export type DeliveryView = Static<typeof DeliverySchema>;

/** For responses that contain a delivery; the schema itself is registered with the scope. */
export const ReferredDelivery = Type.Unsafe<DeliveryView>(Type.Ref('Delivery'));

/** The format of the id is not checked: a malformed id is an unknown one (contract 1.8). */
export const DeliveryParams = Type.Object({
  deliveryId: Type.String({
    description: 'A `deliveryId` from the list of delivered leads.',
    examples: ['dlv_01m7wyk0h2emp81qch4dvtyn6a'],
  }),
});

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

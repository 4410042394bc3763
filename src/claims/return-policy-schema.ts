// The return policy on the wire, for the OpenAPI document (contract 6.7).
import { type Static, Type } from 'typebox';

import { notReturnable, reasonCodes, reasonsOf } from './reason.rules.ts';

const CapSchema = Type.Object(
  {
    limit: Type.Integer({ minimum: 0, description: 'A percentage gives its present number.' }),
    used: Type.Integer({ minimum: 0, description: 'Open and approved returns.' }),
    remaining: Type.Integer({ minimum: 0 }),
    resetsAt: Type.String({ format: 'date-time', description: 'When the next month begins in your time zone, UTC.' }),
  },
  { description: 'Returns of deliveries of this month.' },
);
export type CapView = Static<typeof CapSchema>;

const ReasonSchema = Type.Object({
  code: Type.Enum([...reasonCodes]),
  meaning: Type.String(),
  proofRequired: Type.Boolean(),
});

const reasonsExample = (eventType: 'Lead Sale' | 'Calendar Assigned') =>
  reasonsOf[eventType].map((one) => ({ ...one }));

export const ReturnPolicySchema = Type.Object(
  {
    windowBusinessDays: Type.Integer({
      minimum: 0,
      description: 'Business days after the day of delivery, through whose end a return may be filed.',
    }),
    timeZone: Type.String({ description: 'The zone whose days count: yours.' }),
    holidays: Type.Array(Type.String({ format: 'date' }), {
      description: 'Weekdays that are no business days, of this year and the next.',
    }),
    monthlyCaps: Type.Object({ leads: CapSchema, bookings: CapSchema }),
    reasons: Type.Object({
      lead: Type.Array(ReasonSchema, { description: 'For a Lead Sale.' }),
      booking: Type.Array(ReasonSchema, { description: 'For a Calendar Assigned.' }),
    }),
    notReturnable: Type.Array(Type.String(), { description: 'Outcomes of a sale that are never a reason.' }),
    disputes: Type.Object({
      windowDays: Type.Integer({
        minimum: 0,
        description: 'Days after the day of delivery, through whose end a dispute may be filed.',
      }),
    }),
  },
  {
    $id: 'ReturnPolicy',
    description: 'What may be returned and disputed, and until when.',
    examples: [
      {
        windowBusinessDays: 5,
        timeZone: 'America/Los_Angeles',
        holidays: ['2026-11-26', '2026-12-24', '2026-12-25', '2027-01-01'],
        monthlyCaps: {
          leads: { limit: 20, used: 4, remaining: 16, resetsAt: '2026-12-01T08:00:00.000Z' },
          bookings: { limit: 3, used: 0, remaining: 3, resetsAt: '2026-12-01T08:00:00.000Z' },
        },
        reasons: { lead: reasonsExample('Lead Sale'), booking: reasonsExample('Calendar Assigned') },
        notReturnable: [...notReturnable],
        disputes: { windowDays: 30 },
      },
    ],
  },
);
export type ReturnPolicyView = Static<typeof ReturnPolicySchema>;

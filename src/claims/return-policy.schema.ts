// Response schema of the return policy (contract 6.7).
import { type Static, Type } from 'typebox';

import { notReturnable, reasonCodes, reasonsOf } from './reason.rules.ts';

const usage = {
  limit: Type.Integer({ minimum: 0, description: 'A percentage gives its present number.' }),
  used: Type.Integer({ minimum: 0, description: 'Open and approved returns.' }),
  remaining: Type.Integer({ minimum: 0 }),
};

const CapSchema = Type.Object(
  {
    ...usage,
    resetsAt: Type.String({ format: 'date-time', description: 'When the next month begins in your time zone, UTC.' }),
  },
  { description: 'Returns of deliveries of this month.' },
);

const PastCapSchema = Type.Object(usage, { description: 'Returns of deliveries of that month.' });

const PreviousMonthSchema = Type.Object(
  {
    month: Type.String({ pattern: '^\\d{4}-\\d{2}$', description: '`YYYY-MM`, in your time zone.' }),
    leads: PastCapSchema,
    bookings: PastCapSchema,
  },
  {
    description:
      'The caps of the month before, to which returns of its deliveries count, whenever they are filed. Null once none of them can be returned any more.',
  },
);

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
      description:
        'Business days after the day on which a delivery was confirmed, through whose end a return may be filed.',
    }),
    timeZone: Type.String({ description: 'The zone whose days count: yours.' }),
    holidays: Type.Array(Type.String({ format: 'date' }), {
      description: 'Weekdays that are no business days, of this year and the next.',
    }),
    monthlyCaps: Type.Object({ leads: CapSchema, bookings: CapSchema }),
    previousMonth: Type.Union([PreviousMonthSchema, Type.Null()]),
    reasons: Type.Object({
      lead: Type.Array(ReasonSchema, { description: 'For a Lead Sale.' }),
      booking: Type.Array(ReasonSchema, { description: 'For a Calendar Assigned.' }),
    }),
    notReturnable: Type.Array(Type.String(), { description: 'Outcomes of a sale that are never a reason.' }),
    disputes: Type.Object({
      windowDays: Type.Integer({
        minimum: 0,
        description: 'Days after the day on which a delivery was confirmed, through whose end a dispute may be filed.',
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
        previousMonth: {
          month: '2026-10',
          leads: { limit: 20, used: 20, remaining: 0 },
          bookings: { limit: 3, used: 1, remaining: 2 },
        },
        reasons: { lead: reasonsExample('Lead Sale'), booking: reasonsExample('Calendar Assigned') },
        notReturnable: [...notReturnable],
        disputes: { windowDays: 30 },
      },
    ],
  },
);
export type ReturnPolicyView = Static<typeof ReturnPolicySchema>;

// Response schema of the return policy (contract 6.7).
import { type Static, Type } from 'typebox';

import { notReturnable, reasonCodes, reasonsOf } from './reason.rules.ts';

const usage = {
  limit: Type.Integer({ minimum: 0, description: 'For a percentage, its current number.' }),
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
      'The caps of the previous month. Returns of its deliveries count towards them, whenever they are filed. Null once none of its deliveries can be returned any more.',
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
        'The number of business days after the day of confirmation in which a return may be filed, through the end of the last day.',
    }),
    timeZone: Type.String({ description: 'Your time zone, which decides when a day ends.' }),
    holidays: Type.Array(Type.String({ format: 'date' }), {
      description: 'Weekdays of this year and the next that are not business days.',
    }),
    monthlyCaps: Type.Object({ leads: CapSchema, bookings: CapSchema }),
    previousMonth: Type.Union([PreviousMonthSchema, Type.Null()]),
    reasons: Type.Object({
      lead: Type.Array(ReasonSchema, { description: 'Applies to a Lead Sale.' }),
      booking: Type.Array(ReasonSchema, { description: 'Applies to a Calendar Assigned.' }),
    }),
    notReturnable: Type.Array(Type.String(), { description: 'Sales outcomes that are never accepted as a reason.' }),
    disputes: Type.Object({
      windowDays: Type.Integer({
        minimum: 0,
        description:
          'The number of days after the day of confirmation in which a dispute may be filed, through the end of the last day.',
      }),
    }),
  },
  {
    $id: 'ReturnPolicy',
    description: 'What can be returned and disputed, and until when.',
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

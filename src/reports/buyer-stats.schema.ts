// The schema of a buyer's statistics with its example (contract 6.5).
import { Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const amount = (description: string) => Type.Number({ minimum: 0, description });
const instant = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-21T08:00:00.000Z'] });

const counts = {
  deliveries: count('confirmed + pending + failed + returned.'),
  confirmed: count('Accepted by your primary channel, or sold while you had no channel.'),
  pending: count('Not yet accepted by your primary channel.'),
  failed: count('Not accepted by your primary channel after all attempts; not charged.'),
  returned: count('Confirmed, and returned later by an approved claim.'),
};

const cap = () =>
  orNull(
    Type.Object({
      limit: count('The cap.'),
      used: count('Leads sold in the current window.'),
      remaining: count('What is left of the cap.'),
      resetsAt: instant('When the window ends: midnight, Monday or the 1st in your time zone.'),
    }),
  );

const PacingSchema = Type.Object({
  offerKey: Type.String(),
  window: Type.Enum(['daily', 'weekly', 'monthly']),
  cap: count('The cap of the window.'),
  used: count('Leads sold in the window so far.'),
  remaining: count('What is left of the cap.'),
  expectedByNow: count(
    'The leads expected by now: cap × open seconds elapsed / open seconds of the window, by the offer’s schedule, rounded.',
  ),
  projected: count(
    'The leads sold by the end of the window if sales continue at the same rate per open second; at most the cap.',
  ),
  state: Type.Enum(['on_pace', 'ahead', 'behind', 'capped'], {
    description:
      '`capped` if the cap is used up. `ahead` or `behind` if `used` differs from the expected number by more than one lead and more than a tenth of the cap. Otherwise `on_pace`.',
  }),
  resetsAt: instant('When the window ends.'),
});

const OfferSchema = Type.Object({
  offerKey: Type.String(),
  name: Type.String(),
  eventType: Type.Enum(['Lead Sale', 'Calendar Assigned']),
  payout: amount('The current price.'),
  status: Type.Enum(['active', 'paused', 'capped', 'closed'], {
    description:
      '`capped` if a cap or a budget is used up. `paused` also while the whole account receives no leads: it is paused, or its primary channel has no address or is disabled.',
  }),
  caps: Type.Object(
    { daily: cap(), weekly: cap(), monthly: cap() },
    { description: 'The caps of the offer; null means no limit.' },
  ),
});

export const BuyerStatsSchema = Type.Object(
  {
    days: Type.Integer({ description: 'The window requested.' }),
    from: Type.String({ format: 'date', description: 'The first UTC day of the window.' }),
    to: Type.String({ format: 'date', description: 'The last UTC day of the window: today.' }),
    partnerKey: Type.String(),
    currency: Type.String({ description: 'The currency of all amounts.' }),
    totals: Type.Object(counts),
    revenue: Type.Object({
      confirmed: amount('Payouts of the confirmed deliveries.'),
      pending: amount('Payouts of the pending deliveries.'),
      returned: amount('Payouts of the returned deliveries.'),
    }),
    byEventType: Type.Object({ 'Lead Sale': count('Deliveries.'), 'Calendar Assigned': count('Deliveries.') }),
    byDay: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'The UTC day of deliveredAt.' }),
        ...counts,
        revenue: amount('Payouts of the day’s confirmed deliveries.'),
      }),
      { description: 'Every day of the window, oldest first.' },
    ),
    pacing: Type.Array(PacingSchema, { description: 'One item for each cap of each offer.' }),
    offers: Type.Array(OfferSchema, { description: 'All of your offers, ordered by key.' }),
  },
  {
    $id: 'BuyerStats',
    description:
      'Deliveries by the UTC day of deliveredAt and their current status. All figures are as of the same instant.',
    examples: [
      {
        days: 2,
        from: '2026-11-19',
        to: '2026-11-20',
        partnerKey: 'summit',
        currency: 'USD',
        totals: { deliveries: 62, confirmed: 57, pending: 2, failed: 1, returned: 2 },
        revenue: { confirmed: 2565, pending: 90, returned: 90 },
        byEventType: { 'Lead Sale': 62, 'Calendar Assigned': 0 },
        byDay: [
          { date: '2026-11-19', deliveries: 38, confirmed: 35, pending: 0, failed: 1, returned: 2, revenue: 1575 },
          { date: '2026-11-20', deliveries: 24, confirmed: 22, pending: 2, failed: 0, returned: 0, revenue: 990 },
        ],
        pacing: [
          {
            offerKey: 'summit-west',
            window: 'daily',
            cap: 50,
            used: 24,
            remaining: 26,
            expectedByNow: 25,
            projected: 48,
            state: 'on_pace',
            resetsAt: '2026-11-21T08:00:00.000Z',
          },
        ],
        offers: [
          {
            offerKey: 'summit-west',
            name: 'West coast exclusive',
            eventType: 'Lead Sale',
            payout: 45,
            status: 'active',
            caps: {
              daily: { limit: 50, used: 24, remaining: 26, resetsAt: '2026-11-21T08:00:00.000Z' },
              weekly: null,
              monthly: null,
            },
          },
        ],
      },
    ],
  },
);

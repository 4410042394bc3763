// The timeline of a claim, as the portal and the console show it.
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

export const claimSteps = [
  'filed',
  'file_added',
  'under_review',
  'withdrawn',
  'approved',
  'denied',
  'credited',
] as const;

export const ClaimTimelineSchema = Type.Array(
  Type.Object({
    step: Type.Enum([...claimSteps]),
    at: Type.String({ format: 'date-time' }),
    by: orNull(
      Type.Object(
        {
          party: Type.Enum(['partner', 'marketplace']),
          name: orNull(
            Type.String({
              description: 'Of the user or operator. Null for a token of the partner, and in the portal for operators',
            }),
          ),
          tokenLabel: orNull(
            Type.String({
              description: 'Of the token of the partner. Null without a label, and for users and operators',
            }),
          ),
        },
        { description: 'Null for the credit, which the approval posts' },
      ),
    ),
    credit: orNull(
      Type.Object({
        amount: Type.Number(),
        entryId: Type.String(),
        invoiceId: orNull(Type.String({ description: 'Null until the credit is on an invoice' })),
      }),
    ),
  }),
  { description: 'Oldest first' },
);
export type ClaimTimeline = Static<typeof ClaimTimelineSchema>;

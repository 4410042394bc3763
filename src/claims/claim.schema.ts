// Request and response schemas of returns and disputes (contract 6.8, 6.9, 6.11).
import { type Static, Type } from 'typebox';

import { claimStatuses } from '../buyers/claim-status.ts';
import { STATEMENT_LENGTH_MAX, URL_LENGTH_MAX } from './claim-body.rules.ts';
import { reasonCodes } from './reason.rules.ts';
import { orNull } from '../platform/http/values.schema.ts';

const timestamp = (description: string, example: string) =>
  Type.String({ format: 'date-time', description, examples: [example] });

const ReasonSchema = Type.Enum([...reasonCodes], {
  description: 'Lead reasons are for a Lead Sale, booking reasons for a Calendar Assigned; see the return policy.',
});
const DeliveryId = Type.String({
  description: 'A `deliveryId` from the list of delivered leads.',
  examples: ['dlv_01m7wyk0h2emp81qch4dvtyn6a'],
});

const delivery = {
  deliveryId: DeliveryId,
  deliveryRef: Type.String({ description: 'A short reference for humans', examples: ['LS-100042'] }),
  reason: ReasonSchema,
};
const state = {
  status: Type.Enum([...claimStatuses]),
  filedAt: timestamp('When it was filed, UTC', '2026-11-20T18:21:09.113Z'),
  decisionDueAt: timestamp('The last second of the fifth business day after filing', '2026-12-01T07:59:59.000Z'),
  decidedAt: orNull(timestamp('When it was approved or denied, UTC', '2026-11-23T16:02:40.000Z')),
  decisionNote: orNull(Type.String({ description: 'The reason of the decision', examples: ['The line is dead.'] })),
  credit: orNull(
    Type.Object(
      {
        amount: Type.Number({ description: 'The credited amount, at most two decimals', examples: [45] }),
        entryId: Type.String({
          description: 'The id of the ledger entry',
          examples: ['txn_01m84g0qeyfz5an2n1gby9v1t7'],
        }),
      },
      { description: 'The credit posted on approval; null before, and if nothing had been charged' },
    ),
  ),
};

const submitted = {
  deliveryId: 'dlv_01m7wyk0h2emp81qch4dvtyn6a',
  deliveryRef: 'LS-100042',
  reason: 'invalid_phone',
} as const;
const undecided = {
  status: 'submitted',
  filedAt: '2026-11-20T18:21:09.113Z',
  decisionDueAt: '2026-12-01T07:59:59.000Z',
  decidedAt: null,
  decisionNote: null,
  credit: null,
} as const;
const approved = {
  status: 'approved',
  filedAt: '2026-11-20T18:21:09.113Z',
  decisionDueAt: '2026-12-01T07:59:59.000Z',
  decidedAt: '2026-11-23T16:02:40.000Z',
  decisionNote: 'The line is dead.',
  credit: { amount: 45, entryId: 'txn_01m84g0qeyfz5an2n1gby9v1t7' },
} as const;
const returnExamples = [
  {
    returnId: 'ret_01m7x31pqskym9jx5ycnqd0f3h',
    ...submitted,
    proof: 'Three calls on three days: not in service.',
    ...undecided,
  },
  {
    returnId: 'ret_01m7x31pqskym9jx5ycnqd0f3h',
    ...submitted,
    proof: 'Three calls on three days: not in service.',
    ...approved,
  },
];
const disputeExamples = [
  {
    disputeId: 'dsp_01m7x31pqskym9jx5ycnqd0f3h',
    ...submitted,
    detail: 'The carrier says that the number was never assigned.',
    evidenceUrl: 'https://files.example.com/carrier-letter.pdf',
    ...undecided,
  },
];

const DeliveryIdToFile = Type.String({
  pattern: '^dlv_[0-7][0-9a-hjkmnp-tv-z]{25}$',
  description: 'A `deliveryId` from the list of delivered leads.',
  examples: ['dlv_01m7wyk0h2emp81qch4dvtyn6a'],
});

export const ReturnRequestSchema = Type.Object(
  {
    deliveryId: DeliveryIdToFile,
    reason: ReasonSchema,
    proof: Type.Optional(
      Type.Union([Type.String({ maxLength: STATEMENT_LENGTH_MAX }), Type.Null()], {
        description: 'How the defect was found. Required for the booking reasons.',
      }),
    ),
  },
  {
    $id: 'ReturnRequest',
    additionalProperties: false,
    examples: [
      {
        deliveryId: submitted.deliveryId,
        reason: 'invalid_phone',
        proof: 'Three calls on three days: not in service.',
      },
    ],
  },
);

export const DisputeRequestSchema = Type.Object(
  {
    deliveryId: DeliveryIdToFile,
    reason: ReasonSchema,
    detail: Type.String({
      pattern: String.raw`\S`,
      maxLength: STATEMENT_LENGTH_MAX,
      description: 'Why the delivery is disputed.',
    }),
    evidenceUrl: Type.Optional(
      Type.Union(
        [Type.String({ format: 'uri', pattern: '^[hH][tT][tT][pP][sS]://', maxLength: URL_LENGTH_MAX }), Type.Null()],
        {
          description: 'An https URL of evidence, which the service never fetches. Required for the booking reasons.',
        },
      ),
    ),
  },
  {
    $id: 'DisputeRequest',
    additionalProperties: false,
    examples: [
      {
        deliveryId: submitted.deliveryId,
        reason: 'invalid_phone',
        detail: 'The carrier says that the number was never assigned.',
        evidenceUrl: 'https://files.example.com/carrier-letter.pdf',
      },
    ],
  },
);

export const ReturnSchema = Type.Object(
  {
    returnId: Type.String({ examples: ['ret_01m7x31pqskym9jx5ycnqd0f3h'] }),
    ...delivery,
    proof: orNull(Type.String()),
    ...state,
  },
  { $id: 'Return', description: 'A return of a delivery', examples: returnExamples },
);
export type ReturnView = Static<typeof ReturnSchema>;

export const DisputeSchema = Type.Object(
  {
    disputeId: Type.String({ examples: ['dsp_01m7x31pqskym9jx5ycnqd0f3h'] }),
    ...delivery,
    detail: Type.String(),
    evidenceUrl: orNull(Type.String()),
    ...state,
  },
  { $id: 'Dispute', description: 'A dispute over a delivery', examples: disputeExamples },
);
export type DisputeView = Static<typeof DisputeSchema>;

const pageOf = (item: 'Return' | 'Dispute', examples: readonly object[]) =>
  Type.Object(
    {
      page: Type.Integer({ minimum: 1 }),
      pageSize: Type.Integer({ minimum: 1, maximum: 100 }),
      total: Type.Integer({ minimum: 0 }),
      totalPages: Type.Integer({ minimum: 0 }),
      data: Type.Array(Type.Ref(item)),
    },
    {
      $id: `${item}Page`,
      description: 'Newest first by filedAt, then by id.',
      examples: [{ page: 1, pageSize: 25, total: 1, totalPages: 1, data: examples.slice(0, 1) }],
    },
  );
export const ReturnPageSchema = pageOf('Return', returnExamples);
export const DisputePageSchema = pageOf('Dispute', disputeExamples);

export const ClaimPreviewSchema = Type.Object(
  {
    deliveryId: DeliveryId,
    deliveryRef: delivery.deliveryRef,
    allowed: Type.Boolean({ description: 'Whether filing the same body now would succeed with 201' }),
    refusal: orNull(
      Type.Object(
        {
          status: Type.Integer({ description: 'The HTTP status', examples: [422] }),
          code: Type.String({ examples: ['return_window_closed'] }),
          detail: Type.String(),
        },
        { description: 'The problem that filing it would cause now; null if it would be filed' },
      ),
    ),
    until: timestamp(
      'The last second in which a claim of this kind may be filed on the delivery',
      '2026-12-01T07:59:59.000Z',
    ),
    decisionDueAt: timestamp('When the decision would be due if it were filed now', '2026-12-01T07:59:59.000Z'),
    proofRequired: Type.Boolean({
      description: 'Whether the reason requires proof: `proof` for a return, `evidenceUrl` for a dispute',
    }),
    cap: orNull(
      Type.Object(
        {
          month: Type.String({ pattern: String.raw`^\d{4}-\d\d$`, examples: ['2026-11'] }),
          limit: Type.Integer({ minimum: 0 }),
          used: Type.Integer({ minimum: 0, description: 'Open and approved returns' }),
          remaining: Type.Integer({ minimum: 0 }),
        },
        {
          description:
            'The cap on returns of this kind of delivery in the month of the delivery; null for a dispute, which has no cap',
        },
      ),
    ),
  },
  {
    $id: 'ClaimPreview',
    description: 'The result of filing the claim now. Nothing was filed.',
    examples: [
      {
        deliveryId: submitted.deliveryId,
        deliveryRef: submitted.deliveryRef,
        allowed: true,
        refusal: null,
        until: '2026-12-01T07:59:59.000Z',
        decisionDueAt: '2026-12-01T07:59:59.000Z',
        proofRequired: false,
        cap: { month: '2026-11', limit: 20, used: 4, remaining: 16 },
      },
      {
        deliveryId: submitted.deliveryId,
        deliveryRef: submitted.deliveryRef,
        allowed: false,
        refusal: {
          status: 422,
          code: 'dispute_window_closed',
          detail: 'The delivery could be disputed until 2026-12-21T07:59:59.000Z.',
        },
        until: '2026-12-21T07:59:59.000Z',
        decisionDueAt: '2026-12-29T07:59:59.000Z',
        proofRequired: true,
        cap: null,
      },
    ],
  },
);
export type ClaimPreviewView = Static<typeof ClaimPreviewSchema>;

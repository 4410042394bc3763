// A supplier's submissions: the list, and the details of one submission.
import { type Static, Type } from 'typebox';

import { SubmissionReadingSchema } from '../../leads/submission-reading.schema.ts';
import { orNull } from '../../platform/http/values.schema.ts';

const Text = Type.String();
const MaybeText = orNull(Text);
export const ReasonsSchema = Type.Array(Type.Object({ reason: Text, meaning: Text, remedy: Text }));

const listedSchema = {
  leadId: Text,
  externalId: MaybeText,
  receivedAt: Text,
  test: Type.Boolean(),
  status: Text,
  statusMeaning: Text,
  score: orNull(Type.Integer()),
  reasons: ReasonsSchema,
};

export const SubmissionsSchema = Type.Object({
  data: Type.Array(Type.Object(listedSchema)),
  next: MaybeText,
  lookedUntil: MaybeText,
});

export type Submissions = Static<typeof SubmissionsSchema>;
export type ListedSubmission = Submissions['data'][number];
export type Reason = ListedSubmission['reasons'][number];

export const SubmissionSchema = Type.Object({
  ...listedSchema,
  decidedAt: MaybeText,
  erasedAt: MaybeText,
  body: MaybeText,
  /** Null if the body is stored whole, or no longer stored. */
  bodyBytes: orNull(Type.Integer()),
  reading: SubmissionReadingSchema,
  isMapped: Type.Boolean(),
  response: Type.Object({ status: Type.Integer(), body: Text }),
  lacking: Type.Array(Text),
  callbacks: Type.Array(
    Type.Object({
      callbackId: Text,
      type: Text,
      state: Type.Enum(['waiting', 'delivered', 'failed', 'dropped']),
      attempts: Type.Integer(),
      responseCode: orNull(Type.Integer()),
      error: MaybeText,
      queuedAt: Text,
      triedAt: MaybeText,
    }),
  ),
  callbackEvents: orNull(Type.Array(Text)),
});

export type Submission = Static<typeof SubmissionSchema>;
export type Callback = Submission['callbacks'][number];

export const SubmissionsQuerySchema = Type.Object({
  state: Type.Optional(
    Type.Enum(['pending', 'routed', 'rejected', 'duplicate', 'no_buyer', 'suppressed', 'invalid', 'test']),
  ),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** As reports name it. */
  source: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  /** The code of the US state, such as `CA`. */
  usState: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$' })),
  /** The first and the last day of receipt, in the supplier’s time zone. */
  from: Type.Optional(Type.String({ format: 'date' })),
  to: Type.Optional(Type.String({ format: 'date' })),
  /** The last submission of the page before, in either order. */
  before: Type.Optional(Type.String({ maxLength: 50 })),
  sort: Type.Optional(Type.Enum(['-received', 'received'], { default: '-received' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
});
export type SubmissionsQuery = Static<typeof SubmissionsQuerySchema>;

const { state, reason, source, usState, from, to } = SubmissionsQuerySchema.properties;
/** The filters alone. A search goes without the first two. */
export const SubmissionFiltersSchema = Type.Object({ state, reason, source, usState, from, to });
export type SubmissionFilters = Static<typeof SubmissionFiltersSchema>;

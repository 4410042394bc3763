// Claims in the operator's console: the queue, one claim with its evidence, and the outcome of a decision.
import { type Static, Type } from 'typebox';

import { claimStatuses } from '../buyers/claim-status.ts';
import { ClaimTimelineSchema } from '../claims/claim-timeline.schema.ts';
import { FilterCheckSchema } from '../claims/filter-check.schema.ts';
import { deliveryStatuses } from '../deliveries/delivery.ts';
import { queueOrders, queueStatuses } from '../claims/queue-status.ts';
import { JsonValueSchema, orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const amount = Type.Number();
const count = Type.Integer({ minimum: 0 });

const Kind = Type.Enum(['return', 'dispute']);
const Status = Type.Enum([...claimStatuses]);
const EventTypeSchema = Type.Enum(['Lead Sale', 'Calendar Assigned']);

/** Pages beyond the counted items are empty. */
const PAGE_MAX = 400;
export const PAGE_SIZE = 25;

const filters = {
  kind: Type.Optional(Kind),
  partner: Type.Optional(Type.String({ maxLength: 63 })),
  vertical: Type.Optional(Type.String({ maxLength: 63 })),
};
const status = Type.Optional(Type.Enum([...queueStatuses], { default: 'open' }));
export const ClaimQueueQuerySchema = Type.Object({
  ...filters,
  status,
  sort: Type.Optional(
    Type.Enum([...queueOrders], {
      description:
        'By due or filing time; `-` begins with the latest. Without it open claims come by due time, others begin with the latest filed. Claims that are not open have no order by due time.',
    }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 1 })),
});
export type ClaimQueueQuery = Static<typeof ClaimQueueQuerySchema>;
/** The filters of the list alone. */
export const ClaimSumsQuerySchema = Type.Object({ ...filters, status });
export type ClaimSumsQuery = Static<typeof ClaimSumsQuerySchema>;
/** The filter of the queue that the reviewer works through; it decides which claim comes next. */
export const ClaimFilterSchema = Type.Object(filters);
export type ClaimFilter = Static<typeof ClaimFilterSchema>;
export const ClaimParams = Type.Object({ id: text });

const inQueue = {
  id: text,
  kind: Kind,
  status: Status,
  partner: text,
  partnerName: text,
  deliveryRef: text,
  reason: text,
  reasonMeaning: text,
  payout: amount,
  filedAt: time,
  decisionDueAt: time,
  isLate: Type.Boolean({ description: 'Open past the time by which it must be decided.' }),
  decidedAt: orNull(time),
  decidedBy: orNull(text),
  credit: orNull(amount),
  /** The name of the lead's vertical. */
  vertical: orNull(text),
};
const QueueItem = Type.Object(inQueue);
export type QueuedClaim = Static<typeof QueueItem>;

export const ClaimQueueSchema = Type.Object({
  page: count,
  pageSize: count,
  total: count,
  totalPages: count,
  hasMore: Type.Boolean({ description: 'Whether there are more than were counted.' }),
  currency: text,
  data: Type.Array(QueueItem),
});
export type ClaimQueue = Static<typeof ClaimQueueSchema>;

const Attempt = Type.Object({
  at: time,
  channel: text,
  state: Type.Enum(['scheduled', 'succeeded', 'failed', 'exhausted']),
  responseCode: orNull(Type.Integer()),
  latencyMs: orNull(count),
  error: orNull(text),
});

const LeadFields = Type.Object({
  fullName: text,
  email: orNull(text),
  phone: orNull(text),
  businessName: orNull(text),
  state: orNull(text),
  debtAmount: orNull(amount),
  source: orNull(text),
  tcpaConsent: Type.Boolean(),
  consentTimestamp: orNull(text),
  consentVersion: orNull(text),
  leadIp: orNull(text),
  sourceFormUrl: orNull(text),
  trustedformCertUrl: orNull(text),
  jornayaLeadId: orNull(text),
  appointmentAt: orNull(text),
  own: Type.Array(
    Type.Object({
      name: text,
      label: text,
      type: text,
      value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
      hidden: Type.Boolean({ description: 'Not delivered to partners.' }),
      personal: Type.Boolean(),
    }),
  ),
  extra: Type.Record(text, JsonValueSchema),
});
export type ClaimedLeadFields = Static<typeof LeadFields>;

const Lead = Type.Object({
  leadId: text,
  externalId: orNull(text),
  supplier: text,
  supplierName: text,
  receivedAt: time,
  score: orNull(Type.Integer()),
  /** Why points were lost, such as `phone_not_valid_line`. */
  scoreNotes: Type.Array(text),
  erasedAt: orNull(time),
  fields: orNull(LeadFields),
});

const DuplicateDelivery = Type.Object({
  deliveryId: text,
  deliveryRef: orNull(text),
  leadId: orNull(text),
  deliveredAt: time,
  status: Type.Enum([...deliveryStatuses]),
  /** Null if either lead is erased. */
  sameEmail: orNull(Type.Boolean()),
  samePhone: orNull(Type.Boolean()),
});
export type DuplicateDelivery = Static<typeof DuplicateDelivery>;

const Evidence = Type.Union([
  Type.Object({ about: Type.Literal('duplicate'), dedupDays: count, deliveries: Type.Array(DuplicateDelivery) }),
  Type.Object({
    about: Type.Literal('filters'),
    offer: text,
    known: Type.Boolean({ description: 'Whether the filters of the offer at the time of the sale are known.' }),
    checks: Type.Array(FilterCheckSchema),
  }),
]);
export type ClaimEvidence = Static<typeof Evidence>;

const Decision = Type.Object({
  at: time,
  by: text,
  note: text,
});

export const ClaimReviewSchema = Type.Object({
  ...inQueue,
  currency: text,
  timeZone: text,
  proofRequired: Type.Boolean(),
  statement: orNull(text),
  evidenceUrl: orNull(text),
  filedUntil: time,
  decision: orNull(Decision),
  creditEntryId: orNull(text),
  delivery: Type.Object({
    deliveryId: text,
    deliveryRef: text,
    eventType: EventTypeSchema,
    offer: text,
    offerName: text,
    status: Type.Enum([...deliveryStatuses]),
    payout: amount,
    channel: orNull(text),
    deliveredAt: time,
    confirmedAt: orNull(time),
    appointmentAt: orNull(time),
    attempts: Type.Array(Attempt),
    others: count,
  }),
  lead: Lead,
  evidence: orNull(Evidence),
  otherClaims: Type.Array(
    Type.Object({
      id: text,
      kind: Kind,
      status: Status,
      reason: text,
      filedAt: time,
      statement: orNull(text),
      decision: orNull(Decision),
    }),
  ),
  cap: orNull(
    Type.Object({
      month: text,
      limit: count,
      used: count,
      remaining: count,
    }),
  ),
  history: Type.Object({
    days: count,
    deliveries: count,
    approved: count,
    denied: count,
    withdrawn: count,
    open: count,
    credited: amount,
  }),
  timeline: ClaimTimelineSchema,
  /** What an approval would do; null once the claim is decided. */
  effect: orNull(
    Type.Object({
      credit: amount,
      balance: amount,
      balanceAfter: amount,
      partnerMessage: Type.Enum(['webhook', 'feed']),
      supplierMessage: Type.Boolean(),
      /** How long the partner may appeal a denial by a dispute; null if it may not. */
      appealUntil: orNull(time),
    }),
  ),
  queue: Type.Object({ open: count, hasMore: Type.Boolean(), next: orNull(text), previous: orNull(text) }),
});
export type ClaimReview = Static<typeof ClaimReviewSchema>;

const NOTE_LENGTH_MAX = 500;
const Note = Type.String({ minLength: 1, maxLength: NOTE_LENGTH_MAX });
export const ApproveBody = Type.Object({ note: Type.Optional(Note) }, { additionalProperties: false });
export type Approval = Static<typeof ApproveBody>;
/** The reason, shown to the partner. */
export const DenyBody = Type.Object({ note: Note }, { additionalProperties: false });
export type Denial = Static<typeof DenyBody>;
export const TakeBody = Type.Object({}, { additionalProperties: false });

/** Without the note, which may contain personal data: responses are stored for repeated requests. */
export const DecidedClaimSchema = Type.Object({
  id: text,
  deliveryId: text,
  status: Status,
  credit: orNull(amount),
  balance: amount,
  partnerMessage: orNull(Type.Enum(['webhook', 'feed'])),
  supplierMessage: Type.Boolean(),
  next: orNull(text),
  open: count,
});
export type DecidedClaim = Static<typeof DecidedClaimSchema>;

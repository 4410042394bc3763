// Leads in the operator's console: a row of the list, and the full story of one lead.
import { type Static, Type } from 'typebox';

import type { JsonValue } from '../base/json.ts';
import { deliveryStatuses } from '../deliveries/delivery.ts';
import { orNull } from '../platform/http/values.schema.ts';

const Text = Type.String();
const Time = Type.String({ format: 'date-time' });
const TextOrNull = orNull(Text);
const TimeOrNull = orNull(Time);

/** The state that the console shows: the stored state and the public status in one word. */
const State = Type.Enum(['received', 'held', 'routed', 'no_buyer', 'duplicate', 'suppressed', 'invalid']);
export type LeadStateName = Static<typeof State>;

const Status = Type.Enum([...deliveryStatuses]);

export const LeadsQuerySchema = Type.Object({
  supplier: Type.Optional(Type.String({ maxLength: 63 })),
  vertical: Type.Optional(Type.String({ maxLength: 63 })),
  state: Type.Optional(State),
  /** The code of the US state, such as `CA`. */
  usState: Type.Optional(Type.String({ maxLength: 10 })),
  /** Sold to this partner; failed deliveries do not count. */
  partner: Type.Optional(Type.String({ maxLength: 63 })),
  /** from ≤ received < to. */
  from: Type.Optional(Time),
  to: Type.Optional(Time),
  before: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'The `next` of the previous page: leads after it in the order of the list.',
    }),
  ),
  /** A search is always newest first. */
  sort: Type.Optional(Type.Enum(['-received', 'received'], { default: '-received' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
});
export type LeadsQuery = Static<typeof LeadsQuerySchema>;

const { supplier, vertical, state, usState, partner, from, to } = LeadsQuerySchema.properties;
/** The filters alone. */
export const LeadFiltersSchema = Type.Object({ supplier, vertical, state, usState, partner, from, to });
export type LeadFilters = Static<typeof LeadFiltersSchema>;

const SaleSchema = Type.Object({
  deliveryId: Text,
  partner: Text,
  partnerName: Text,
  offer: Text,
  status: Status,
  payout: Type.Number(),
});
export type Sale = Static<typeof SaleSchema>;

/** Members of a list row and of the full story. */
const leadMembers = {
  leadId: Text,
  externalId: TextOrNull,
  supplier: Text,
  supplierName: Text,
  test: Type.Boolean(),
  state: State,
  reason: TextOrNull,
  score: orNull(Type.Integer()),
  receivedAt: Time,
};

const ListedSchema = Type.Object({
  ...leadMembers,
  erased: Type.Boolean(),
  name: TextOrNull,
  /** Two letters, such as CA. */
  usState: TextOrNull,
  /** As the supplier named it. */
  source: TextOrNull,
  /** The name of its vertical. */
  vertical: TextOrNull,
  sales: Type.Array(SaleSchema),
  /** What its confirmed deliveries cost, as in the sums of the list; null without any. */
  price: orNull(Type.Number()),
});
export type ListedLead = Static<typeof ListedSchema>;

export const LeadsSchema = Type.Object({
  data: Type.Array(ListedSchema),
  /** `before` for the next page; null at the end. */
  next: TextOrNull,
  /** Leads received before this time were not searched; null if all were. */
  backTo: TimeOrNull,
  note: orNull(Type.Enum(['too_short', 'too_many', 'ids_only'])),
  currency: Text,
});
export type Leads = Static<typeof LeadsSchema>;

/** `leadId`: the id of the lead or of one of its deliveries. */
export const LeadParams = Type.Object({ leadId: Text });
export const LeadStoryQuerySchema = Type.Object({
  /** The routing decision to explain; the last one by default. */
  round: Type.Optional(Type.Integer({ minimum: 1, maximum: 32_767 })),
});
export type LeadStoryQuery = Static<typeof LeadStoryQuerySchema>;

const RoundMembers = {
  round: Type.Integer(),
  decidedAt: Time,
  configVersion: Type.Integer(),
  outcome: Text,
  retryAt: TimeOrNull,
  sold: Type.Array(Text),
};

const Stage = Type.Enum(['standing', 'filters', 'schedule', 'caps', 'funds', 'duplicates', 'choice', 'won']);
export type Stage = Static<typeof Stage>;

const OfferSchema = Type.Object({
  offer: Text,
  offerName: Text,
  partner: Text,
  partnerName: Text,
  payout: orNull(Type.Number()),
  priority: orNull(Type.Integer()),
  isShared: Type.Boolean(),
  code: Text,
  won: Type.Boolean(),
  stage: Stage,
  /** Higher: the offer passed more stages. */
  rank: Type.Integer(),
  rule: Text,
  values: Text,
  moment: orNull(Type.Object({ is: Type.Enum(['since', 'opens']), at: Text })),
});
export type TriedOffer = Static<typeof OfferSchema>;

/** As stored: leads stored by an older release may lack some. */
const FieldsSchema = Type.Partial(
  Type.Object({
    fullName: Text,
    firstName: Text,
    middleName: Text,
    lastName: Text,
    namePrefix: Text,
    nameSuffix: Text,
    email: TextOrNull,
    phone: TextOrNull,
    businessName: TextOrNull,
    state: TextOrNull,
    debtAmountCents: orNull(Type.Integer()),
    source: TextOrNull,
    consentTimestamp: TextOrNull,
    sourceFormUrl: TextOrNull,
    tcpaConsent: Type.Boolean(),
    consentVersion: TextOrNull,
    consentText: TextOrNull,
    leadIp: TextOrNull,
    utmSource: TextOrNull,
    utmMedium: TextOrNull,
    utmCampaign: TextOrNull,
    utmTerm: TextOrNull,
    utmContent: TextOrNull,
    trustedformCertUrl: TextOrNull,
    jornayaLeadId: TextOrNull,
    appointmentAt: TextOrNull,
    /** The key of its vertical. */
    vertical: Text,
    own: Type.Record(
      Text,
      Type.Object({
        type: Text,
        value: Type.Union([Text, Type.Number(), Type.Boolean()]),
        label: Type.Optional(Text),
        hidden: Type.Optional(Type.Boolean()),
        personal: Type.Optional(Type.Boolean()),
      }),
    ),
    /** Every other member as received. Not a Record schema, which drops names with line breaks. */
    extra: Type.Unsafe<Readonly<Record<string, JsonValue>>>(Type.Unknown()),
  }),
);
export type StoredFields = Static<typeof FieldsSchema>;

const LeadSchema = Type.Object({
  ...leadMembers,
  /** For a refused or rejected lead: what the reason means, and what the supplier can do. */
  reasons: Type.Array(Type.Object({ reason: Text, meaning: Text, remedy: Text })),
  decidedAt: TimeOrNull,
  erasedAt: TimeOrNull,
  verticalName: TextOrNull,
  fields: orNull(FieldsSchema),
});

const DeliverySchema = Type.Object({
  deliveryId: Text,
  deliveryRef: Text,
  partner: Text,
  partnerName: Text,
  offer: Text,
  eventType: Type.Enum(['Lead Sale', 'Calendar Assigned']),
  status: Status,
  payout: Type.Number(),
  channel: TextOrNull,
  deliveredAt: Time,
  confirmedAt: TimeOrNull,
  failedAt: TimeOrNull,
  /** If the partner's system rejected it. */
  failure: orNull(Type.Enum(['rejected', 'duplicate'])),
  buyerReference: TextOrNull,
  appointmentAt: Type.Optional(Time),
});
export type StoryDelivery = Static<typeof DeliverySchema>;

const AttemptSchema = Type.Object({
  attemptId: Text,
  deliveryId: TextOrNull,
  deliveryRef: TextOrNull,
  partner: Text,
  channel: Text,
  target: Text,
  attempt: Type.Integer(),
  state: Type.Enum(['scheduled', 'succeeded', 'failed', 'exhausted']),
  responseCode: orNull(Type.Integer()),
  responseSnippet: TextOrNull,
  latencyMs: orNull(Type.Integer()),
  error: TextOrNull,
  at: Time,
  nextAttemptAt: TimeOrNull,
});
export type StoryAttempt = Static<typeof AttemptSchema>;

const EntrySchema = Type.Object({
  entryId: Text,
  partner: Text,
  type: Type.Enum(['charge', 'credit', 'payment', 'adjustment', 'tax']),
  amount: Type.Number(),
  balanceAfter: Type.Number(),
  description: Text,
  deliveryId: Text,
  createdAt: Time,
});
export type StoryEntry = Static<typeof EntrySchema>;

const { partner: _partner, type: _type, ...entryMembers } = EntrySchema.properties;
const CostSchema = Type.Object({
  ...entryMembers,
  supplier: Text,
  type: Type.Enum(['cost', 'clawback', 'payout', 'adjustment']),
});
export type StoryCost = Static<typeof CostSchema>;

const ClaimSchema = Type.Object({
  claimId: Text,
  kind: Type.Enum(['return', 'dispute']),
  partner: Text,
  deliveryId: Text,
  reason: Text,
  status: Type.Enum(['submitted', 'under_review', 'approved', 'denied', 'withdrawn']),
  filedAt: Time,
  decidedAt: TimeOrNull,
  credit: orNull(Type.Number()),
});
export type StoryClaim = Static<typeof ClaimSchema>;

const ConsentSchema = Type.Object({
  storedAt: Time,
  tcpaConsent: Type.Boolean(),
  consentTimestamp: TextOrNull,
  consentVersion: TextOrNull,
  consentText: TextOrNull,
  sourceFormUrl: TextOrNull,
  leadIp: TextOrNull,
  trustedformCertUrl: TextOrNull,
  jornayaLeadId: TextOrNull,
});
export type StoryConsent = Static<typeof ConsentSchema>;

const FactorSchema = Type.Object({
  name: Text,
  label: Text,
  points: Type.Number(),
  max: Type.Number(),
  /** Why points were lost. */
  notes: Type.Array(Text),
});
export type StoryFactor = Static<typeof FactorSchema>;

const RoundSchema = Type.Object(RoundMembers);

export const LeadStorySchema = Type.Object({
  currency: Text,
  lead: LeadSchema,
  factors: Type.Array(FactorSchema),
  rawBody: TextOrNull,
  /** For a refused submission whose body is not stored whole: its size in bytes. */
  rawBodyBytes: orNull(Type.Integer()),
  consent: orNull(ConsentSchema),
  rounds: Type.Array(RoundSchema),
  decision: orNull(Type.Object({ ...RoundMembers, offers: Type.Array(OfferSchema) })),
  deliveries: Type.Array(DeliverySchema),
  attempts: Type.Array(AttemptSchema),
  attemptsAreCut: Type.Boolean(),
  ledger: Type.Array(EntrySchema),
  costs: Type.Array(CostSchema),
  margin: Type.Number(),
  claims: Type.Array(ClaimSchema),
  events: Type.Array(Type.Object({ at: Time, type: Text, message: Text })),
});
export type LeadStory = Static<typeof LeadStorySchema>;

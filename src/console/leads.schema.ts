// Leads as the operator's console gets them: a row of the list, and the whole story of one.
import { Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const Text = Type.String();
const Time = Type.String({ format: 'date-time' });
const TextOrNull = orNull(Text);
const TimeOrNull = orNull(Time);

/** What an operator calls the state of a lead, which is both of ours in one word. */
export const leadStates = ['received', 'held', 'routed', 'no_buyer', 'duplicate', 'invalid'] as const;
export type LeadStateName = (typeof leadStates)[number];

export const LeadListQuery = Type.Object({
  supplier: Type.Optional(Type.String({ maxLength: 63 })),
  state: Type.Optional(Type.Enum([...leadStates])),
  /** from ≤ received < to. */
  from: Type.Optional(Time),
  to: Type.Optional(Time),
  before: Type.Optional(Type.String({ maxLength: 64 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
});

const SaleSchema = Type.Object({
  deliveryId: Text,
  partner: Text,
  partnerName: Text,
  offer: Text,
  status: Text,
  payout: Type.Number(),
});

export const LeadListSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      leadId: Text,
      externalId: TextOrNull,
      supplier: Text,
      supplierName: Text,
      test: Type.Boolean(),
      state: Type.Enum([...leadStates]),
      reason: TextOrNull,
      score: orNull(Type.Integer()),
      receivedAt: Time,
      erased: Type.Boolean(),
      name: TextOrNull,
      sales: Type.Array(SaleSchema),
    }),
  ),
  /** `before` of what follows; null where everything was looked through. */
  next: TextOrNull,
  /** So far the leads were looked through; null where all were. */
  backTo: TimeOrNull,
  note: orNull(Type.Enum(['too_short', 'too_many', 'ids_only'])),
  currency: Text,
});

const RoundMembers = {
  round: Type.Integer(),
  decidedAt: Time,
  configVersion: Type.Integer(),
  outcome: Text,
  retryAt: TimeOrNull,
  sold: Type.Array(Text),
};

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
  stage: Text,
  rank: Type.Integer(),
  rule: Text,
  values: Text,
  moment: orNull(Type.Object({ is: Type.Enum(['since', 'opens']), at: Text })),
});

const LeadSchema = Type.Object({
  leadId: Text,
  externalId: TextOrNull,
  supplier: Text,
  supplierName: Text,
  test: Type.Boolean(),
  state: Type.Enum([...leadStates]),
  reason: TextOrNull,
  /** Of a refused or rejected one: what it means, and what the supplier can do. */
  reasons: Type.Array(Type.Object({ reason: Text, meaning: Text, remedy: Text })),
  score: orNull(Type.Integer()),
  receivedAt: Time,
  decidedAt: TimeOrNull,
  erasedAt: TimeOrNull,
  /** The standard fields, and `extra` with whatever else came. */
  fields: Type.Unknown(),
});

const DeliverySchema = Type.Object({
  deliveryId: Text,
  deliveryRef: Text,
  partner: Text,
  partnerName: Text,
  offer: Text,
  eventType: Text,
  status: Text,
  payout: Type.Number(),
  channel: TextOrNull,
  deliveredAt: Time,
  confirmedAt: TimeOrNull,
  failedAt: TimeOrNull,
  appointmentAt: Type.Optional(Time),
});

const AttemptSchema = Type.Object({
  attemptId: Text,
  deliveryId: TextOrNull,
  deliveryRef: TextOrNull,
  partner: Text,
  channel: Text,
  target: Text,
  attempt: Type.Integer(),
  state: Text,
  responseCode: orNull(Type.Integer()),
  responseSnippet: TextOrNull,
  latencyMs: orNull(Type.Integer()),
  error: TextOrNull,
  at: Time,
  nextAttemptAt: TimeOrNull,
});

const EntrySchema = Type.Object({
  entryId: Text,
  partner: Text,
  type: Text,
  amount: Type.Number(),
  balanceAfter: Type.Number(),
  description: Text,
  deliveryId: Text,
  createdAt: Time,
});

const ClaimSchema = Type.Object({
  claimId: Text,
  kind: Text,
  partner: Text,
  deliveryId: Text,
  reason: Text,
  status: Text,
  filedAt: Time,
  decidedAt: TimeOrNull,
  credit: orNull(Type.Number()),
});

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

export const LeadStorySchema = Type.Object({
  currency: Text,
  lead: LeadSchema,
  factors: Type.Array(
    Type.Object({
      name: Text,
      label: Text,
      points: Type.Number(),
      max: Type.Number(),
      notes: Type.Array(Text),
    }),
  ),
  rawBody: TextOrNull,
  rawBodyBytes: orNull(Type.Integer()),
  consent: orNull(ConsentSchema),
  rounds: Type.Array(Type.Object(RoundMembers)),
  decision: orNull(Type.Object({ ...RoundMembers, offers: Type.Array(OfferSchema) })),
  deliveries: Type.Array(DeliverySchema),
  attempts: Type.Array(AttemptSchema),
  attemptsAreCut: Type.Boolean(),
  ledger: Type.Array(EntrySchema),
  claims: Type.Array(ClaimSchema),
  events: Type.Array(Type.Object({ at: Time, type: Text, message: Text })),
});

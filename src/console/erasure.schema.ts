// Erasure in the operator's console: the search for a person, the stored data, and the result of an erasure (decision 021).
import { type Static, Type } from 'typebox';

import { deliveryStatuses } from '../deliveries/delivery.ts';
import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const count = Type.Integer({ minimum: 0 });
const LeadId = Type.String({ maxLength: 100 });

/** Leads per request: one page of found leads. */
const LEADS_AT_ONCE = 20;

/** Sent as a body, because proxies log URLs. */
export const SearchBody = Type.Object(
  {
    /** The id of a lead or of one of its deliveries. */
    id: Type.Optional(LeadId),
    email: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
    phone: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    /** The `next` of the previous response. */
    after: Type.Optional(LeadId),
  },
  { additionalProperties: false },
);
export type ErasureSearch = Static<typeof SearchBody>;
export const FoundSchema = Type.Object({
  /** Lead ids. */
  found: Type.Array(text),
  next: orNull(text),
  /** Leads received until then have been searched. */
  lookedUntil: orNull(time),
  /** Leads of this person that were erased earlier, counted by their proofs of consent; only in the first response, else null. */
  erasedBefore: orNull(count),
});
export type Found = Static<typeof FoundSchema>;

export const StoredBody = Type.Object(
  { leadIds: Type.Array(LeadId, { minItems: 1, maxItems: LEADS_AT_ONCE }) },
  { additionalProperties: false },
);
export type StoredInput = Static<typeof StoredBody>;
const Delivery = Type.Object({
  deliveryId: text,
  deliveryRef: text,
  partner: text,
  partnerName: text,
  status: Type.Enum([...deliveryStatuses]),
});
const StoredLeadSchema = Type.Object({
  leadId: text,
  supplier: text,
  supplierName: text,
  isTest: Type.Boolean(),
  state: text,
  receivedAt: time,
  erasedAt: orNull(time),
  person: orNull(Type.Object({ fullName: text, email: orNull(text), phone: orNull(text), fields: count })),
  hasBody: Type.Boolean(),
  consentStoredAt: orNull(time),
  deliveries: Type.Array(Delivery),
  attempts: count,
  claims: count,
});
export type StoredLead = Static<typeof StoredLeadSchema>;

export const StoredSchema = Type.Object({
  /** Retention of proofs of consent in years; null: forever. */
  consentYears: orNull(Type.Number()),
  data: Type.Array(StoredLeadSchema),
});
export type Stored = Static<typeof StoredSchema>;

/** The word that the operator types to confirm an erasure. */
const CONFIRMATION = 'erase';
export const EraseBody = Type.Object(
  {
    confirmation: Type.Literal(CONFIRMATION),
    /** For the audit trail, which cannot be erased: must not contain personal data. */
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\p{Cc}]*$' })),
  },
  { additionalProperties: false },
);
export type Erasure = Static<typeof EraseBody>;
export const EraseParams = Type.Object({ leadId: LeadId });
export const ErasedSchema = Type.Object({
  leadId: text,
  supplier: text,
  supplierName: text,
  erasedBefore: Type.Boolean(),
  deliveries: Type.Array(Delivery),
});
export type Erased = Static<typeof ErasedSchema>;

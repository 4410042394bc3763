// The fields of a lead that offers filter on, and the form of a lead that routing works with.
import type { LeadId } from '../base/ids.ts';
import type { LeadFields, OwnFields } from '../leads/lead-fields.ts';
import type { ListHit } from '../lists/list-hits.rules.ts';
import { type IdentityHash, type IdentityKey, identityKey } from '../leads/identity.rules.ts';

export type LeadFacts = {
  /** Null if it belongs to no vertical. */
  readonly vertical: string | null;
  readonly own: OwnFields;
  readonly state: string | null;
  readonly debtAmountCents: number | null;
  readonly score: number;
  readonly supplierKey: string;
  readonly source: string | null;
  readonly tcpaConsent: boolean;
  readonly hasEmail: boolean;
  readonly hasPhone: boolean;
};

type DescribedLead = { readonly fields: LeadFields; readonly score: number; readonly supplierKey: string };

export type LeadToRoute = {
  readonly leadId: LeadId;
  readonly externalId: string | null;
  readonly isTest: boolean;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly facts: LeadFacts;
  /** The requested appointment in milliseconds; null if the lead requests none. */
  readonly requestedSlot: number | null;
  readonly identities: readonly IdentityHash[];
  /** Buyers that have or had a delivery of this lead: it is not offered to them again. */
  readonly buyersBefore: ReadonlySet<string>;
  /** The lists that it is on. A test lead is looked up in none: it is free, and would tell for any contact whether it is on one. */
  readonly listed: readonly ListHit[];
};

const NO_FIELDS: OwnFields = {};

export function factsOf({ fields, score, supplierKey }: DescribedLead): LeadFacts {
  return {
    vertical: fields.vertical ?? null,
    own: fields.own ?? NO_FIELDS,
    state: fields.state,
    debtAmountCents: fields.debtAmountCents,
    score,
    supplierKey,
    source: fields.source,
    tcpaConsent: fields.tcpaConsent,
    hasEmail: fields.email !== null,
    hasPhone: fields.phone !== null,
  };
}

export function identityKeysOf({ identities, isTest, facts }: LeadToRoute): IdentityKey[] {
  return identities.map((identity) => identityKey(identity, { isTest, supplierKey: facts.supplierKey }));
}

// The part of a lead that offers look at, and the one form in which routing sees it.
import type { LeadId } from '../base/ids.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import { type IdentityHash, type IdentityKey, identityKey } from '../leads/identity.rules.ts';

export type LeadFacts = {
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
  /** The wished appointment in milliseconds; null without a wish. */
  readonly requestedSlot: number | null;
  readonly identities: readonly IdentityHash[];
  /** Buyers that have or had a delivery of this lead: none is offered it twice. */
  readonly buyersBefore: ReadonlySet<string>;
};

export function factsOf({ fields, score, supplierKey }: DescribedLead): LeadFacts {
  return {
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
  return identities.map((person) => identityKey(person, { isTest, supplierKey: facts.supplierKey }));
}

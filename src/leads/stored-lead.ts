// A lead as the statements read it, for routing, the operator and erasure.
import type { LeadId } from '../base/ids.ts';
import type { PublicStatus, LeadState } from './settle-leads.ts';
import type { LeadFields } from './lead-fields.ts';

export type ClaimedLead = {
  readonly leadId: LeadId;
  readonly supplierKey: string;
  readonly externalId: string | null;
  readonly isTest: boolean;
  readonly state: 'received' | 'held';
  readonly score: number;
  readonly receivedAt: Date;
  /** JSON of LeadFields, not read yet: should that fail, it is known by then which leads are at hand. */
  readonly fields: string;
};

export type WithdrawnLead = {
  /** How often deciding on it has failed. */
  readonly failures: number;
  readonly supplierKey: string;
  readonly externalId: string | null;
  readonly isTest: boolean;
};

export type LockedLead = {
  readonly publicStatus: PublicStatus;
  readonly state: LeadState;
  readonly externalId: string | null;
  readonly isErased: boolean;
};

export type StoredLead = {
  readonly leadId: LeadId;
  readonly externalId: string | null;
  readonly supplierKey: string;
  readonly isTest: boolean;
  readonly state: LeadState;
  readonly publicStatus: PublicStatus;
  readonly reason: string | null;
  /** Null for a submission that failed its checks; so are the factors and the fields. */
  readonly score: number | null;
  readonly scoreFactors: unknown;
  readonly fields: LeadFields | null;
  readonly receivedAt: Date;
  readonly decidedAt: Date | null;
  /** Since when the lead holds no person any more: its fields are then null. */
  readonly erasedAt: Date | null;
};

export type LeadToErase = {
  readonly leadId: LeadId;
  readonly supplierKey: string;
  readonly externalId: string | null;
  readonly isTest: boolean;
  readonly state: LeadState;
  readonly publicStatus: PublicStatus;
  /** False for a refused submission. */
  readonly isAccepted: boolean;
  /** JSON of LeadFields; null for a refused submission and for what is erased already. */
  readonly fields: string | null;
  readonly erasedAt: Date | null;
};

export type FoundLead = {
  readonly leadId: LeadId;
  readonly externalId: string | null;
  readonly supplierKey: string;
  readonly isTest: boolean;
  readonly state: LeadState;
  readonly publicStatus: PublicStatus;
  readonly reason: string | null;
  readonly score: number | null;
  readonly receivedAt: Date;
  readonly erasedAt: Date | null;
  /** Null where the lead holds no person any more, and of a refused submission, which has no fields. */
  readonly fullName: string | null;
};

// Row types of leads, as statements read them for routing, operators and erasure.
import type { LeadId } from '../base/ids.ts';

import type { LeadFields } from './lead-fields.ts';

/** `fields` is JSON of LeadFields. */
export type SearchableText = { readonly fields: string | null; readonly refusedText: string | null };

export type LeadState = 'received' | 'held' | 'routed' | 'rejected';

export type PublicStatus =
  | 'Pending'
  | 'Lead Sale'
  | 'Calendar Assigned'
  | 'Duplicate'
  | 'No Buyer'
  | 'Invalid'
  | 'Suppressed';

export const publicStatuses: readonly PublicStatus[] = [
  'Pending',
  'Lead Sale',
  'Calendar Assigned',
  'Duplicate',
  'No Buyer',
  'Invalid',
  'Suppressed',
];

export type ClaimedLead = {
  readonly dueAt: Date;
  readonly leadId: LeadId;
  readonly supplierKey: string;
  readonly externalId: string | null;
  readonly isTest: boolean;
  readonly state: 'received' | 'held';
  readonly score: number;
  readonly receivedAt: Date;
  /** JSON of LeadFields, not parsed yet: if parsing fails, the failing lead must be known. */
  readonly fields: string;
};

export type WithdrawnLead = {
  /** Failed attempts to decide on it. */
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
  /** Null for a rejected submission; so are the factors and the fields. */
  readonly score: number | null;
  readonly scoreFactors: unknown;
  readonly fields: LeadFields | null;
  readonly receivedAt: Date;
  readonly decidedAt: Date | null;
  /** Time of erasure; the fields are null from then on. */
  readonly erasedAt: Date | null;
};

export type LeadToErase = {
  readonly leadId: LeadId;
  readonly supplierKey: string;
  readonly externalId: string | null;
  readonly isTest: boolean;
  readonly state: LeadState;
  readonly publicStatus: PublicStatus;
  /** False for a rejected submission. */
  readonly isAccepted: boolean;
  /** JSON of LeadFields; null for a rejected submission and for an erased lead. */
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
  /** Null for an erased lead and for a rejected submission, which has no fields. */
  readonly fullName: string | null;
  readonly usState: string | null;
  /** As the supplier named it. */
  readonly source: string | null;
  /** The key of its vertical. */
  readonly vertical: string | null;
};

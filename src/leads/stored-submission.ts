// Row types of submissions, as statements read them for their supplier.
import type { LeadId } from '../base/ids.ts';
import type { PublicStatus } from './stored-lead.ts';
import type { SubmissionReading } from './submission-reading.rules.ts';
import type { LoggedCallback } from '../messages/message.ts';

export type ListedSubmission = {
  readonly leadId: LeadId;
  readonly externalId: string | null;
  readonly isTest: boolean;
  readonly publicStatus: PublicStatus;
  readonly reason: string | null;
  readonly score: number | null;
  readonly receivedAt: Date;
};

export type StoredSubmission = ListedSubmission & {
  readonly isAccepted: boolean;
  readonly decidedAt: Date | null;
  /** Null after its retention period. */
  readonly rawBody: string | null;
  /** The length in bytes of a rejected body that is not stored in full. */
  readonly rawBodyBytes: number | null;
  readonly erasedAt: Date | null;
  readonly reading: SubmissionReading;
  /** For a lead without a buyer: key fields that it does not have. */
  readonly lacking: readonly string[];
  readonly callbacks: readonly LoggedCallback[];
};

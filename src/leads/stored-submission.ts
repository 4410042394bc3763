// A submission as the statements read it, for its supplier.
import type { LeadId } from '../base/ids.ts';
import type { PublicStatus } from './settle-leads.ts';
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
  /** Null where it is not kept any more. */
  readonly rawBody: string | null;
  /** Of a refused one whose body is not kept whole: how many bytes it had. */
  readonly rawBodyBytes: number | null;
  readonly erasedAt: Date | null;
  readonly reading: SubmissionReading;
  /** Of a lead without a buyer: fields that buyers mostly decide by and that it did not have. */
  readonly lacking: readonly string[];
  readonly callbacks: readonly LoggedCallback[];
};

// One submission as its supplier may know it: what came in, how it was read, what was answered, what became of it, and what was told
// about it (contract 4.1, 5.8). Never who bought it, for how much, or why a buyer did not.
import type { Uuid } from '../base/ids.ts';
import { callbacksOfLead, type LoggedCallback } from '../messages/callback-log.ts';
import type { Tx } from '../platform/database/database.ts';
import type { CompiledFieldMapping } from '../suppliers/field-mapping.rules.ts';
import type { LeadFields } from './lead-fields.ts';
import type { ListedSubmission } from './list-submissions.ts';
import { lackingOf } from './lacking.rules.ts';
import { readSubmission as readBody, type SubmissionReading } from './submission-reading.rules.ts';
import { selectSubmission } from './submission.sql.ts';

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

/** Null where the supplier has no such lead. */
export async function readSubmission(
  tx: Tx,
  supplierKey: string,
  { leadId, mapping }: { readonly leadId: Uuid; readonly mapping: CompiledFieldMapping },
): Promise<StoredSubmission | null> {
  const [row] = await tx.query(selectSubmission, { supplierKey, leadId });
  if (row === undefined) return null;
  const { fields: text, ...stored } = row;
  const fields = text === null ? null : (JSON.parse(text) as LeadFields);
  const { rawBody, externalId, isTest, isAccepted, reason } = stored;
  return {
    ...stored,
    reading: readBody({ rawBody, fields, externalId, isTest, refusal: isAccepted ? null : reason }, mapping),
    lacking: fields !== null && stored.publicStatus === 'No Buyer' ? lackingOf(fields) : [],
    callbacks: await callbacksOfLead(tx, supplierKey, leadId),
  };
}

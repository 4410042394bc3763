// One submission as its supplier may know it: what came in, how it was read, what was answered, what became of it, and what was told
// about it (contract 4.1, 5.8). Never who bought it, for how much, or why a buyer did not.
import type { LeadId } from '../base/ids.ts';
import { callbacksOfLead } from '../messages/callback-log.ts';
import type { Tx } from '../platform/database/database.ts';
import type { CompiledFieldMapping } from '../suppliers/field-mapping.rules.ts';
import type { LeadFields } from './lead-fields.ts';
import { lackingOf } from './lacking.rules.ts';
import { readSubmission as readBody } from './submission-reading.rules.ts';
import { selectSubmission } from './submission.sql.ts';
import type { StoredSubmission } from './stored-submission.ts';

/** Null where the supplier has no such lead. */
export async function readSubmission(
  tx: Tx,
  supplierKey: string,
  { leadId, mapping }: { readonly leadId: LeadId; readonly mapping: CompiledFieldMapping },
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

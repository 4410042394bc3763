// Reads what a supplier sent, as it came, for the operator.
import type { LeadId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { selectRawBody } from './console-lead.sql.ts';
import type { StoredBody } from './refused-body.rules.ts';

/** Nothing where its time is over, where the person was erased, and where there is no such lead. */
export async function readRawBody(tx: Tx, leadId: LeadId): Promise<StoredBody> {
  const [row] = await tx.query(selectRawBody, { leadId });
  return row ?? { rawBody: null, rawBodyBytes: null };
}

// Traces one lead through the service as of one instant, by the id that the supplier got.
import { type LeadId, uuidOf } from '../../src/base/ids.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { type LeadTrace, traceLead } from '../../src/routing/trace-lead.ts';

export async function traceOf(database: Database, leadId: string): Promise<LeadTrace> {
  const seen = await database.tx((tx) => traceLead(tx, (uuidOf('lead', leadId) ?? '') as LeadId), { snapshot: true });
  if (seen === null) throw new Error(`there is no ${leadId}`);
  return seen;
}

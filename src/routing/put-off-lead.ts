// What becomes of a lead that cannot be decided: tried again later, and after some failures a dead job that waits for the operator.
import { newUuid } from '../base/ids.ts';
import { claimDueLeadIds } from '../leads/claim-due-lead-ids.ts';
import { queueLeads } from '../leads/queue-leads.ts';
import type { Tx } from '../platform/database/database.ts';
import { buryJob } from '../platform/queue/dead-jobs.ts';

/** Seconds to wait after each failure: minutes in all, so that a passing fault heals itself and a lasting one is soon seen. */
const WAITS: readonly number[] = [1, 5, 30, 120];

/** Takes the lead that is due first: the one whose routing, alone in its batch, has just failed. Answers 1, or 0 if it is gone. */
export async function putOffLead(tx: Tx, error: string, now: Date): Promise<number> {
  const [lead] = await claimDueLeadIds(tx, 1, now);
  if (lead === undefined) return 0;
  const failures = lead.failures + 1;
  const wait = WAITS[lead.failures];
  if (wait === undefined) {
    const payload = { leadId: lead.leadId };
    await buryJob(tx, { jobId: newUuid(), name: 'route-lead', payload, attempts: failures, error }, now);
  } else {
    await queueLeads(tx, [{ leadId: lead.leadId, dueAt: new Date(now.getTime() + wait * 1000), failures }]);
  }
  return 1;
}

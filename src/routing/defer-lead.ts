// Retries a lead whose routing failed, and moves it to the dead letters after five failures.
import { newUuid, type LeadId } from '../base/ids.ts';
import { queueLeads, withdrawLead } from '../leads/inbox.ts';
import type { Tx } from '../platform/database/database.ts';
import { moveToDeadLetters } from '../platform/queue/dead-jobs.ts';
import { queueCallbacks } from '../suppliers/queue-callbacks.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { WithdrawnLead } from '../leads/stored-lead.ts';

/** Seconds to wait after each failure. Minutes in all: enough for a temporary fault to pass, and a permanent one shows soon. */
const WAITS: readonly number[] = [1, 5, 30, 120];

/** Does nothing if another worker has decided the lead meanwhile. `error` must not contain values of the lead. */
export async function deferLead(
  tx: Tx,
  { leadId, error }: { readonly leadId: LeadId; readonly error: string },
  now: Date,
): Promise<{ readonly callbacks: number }> {
  const lead = await withdrawLead(tx, leadId);
  if (lead === null) return { callbacks: 0 };
  const failures = lead.failures + 1;
  const wait = WAITS[lead.failures];
  if (wait === undefined) {
    await moveToDeadLetters(
      tx,
      { jobId: newUuid(), name: 'route-lead', payload: { leadId }, attempts: failures, error },
      now,
    );
    return { callbacks: lead.isTest ? 0 : await notifySupplier(tx, { ...lead, leadId }, now) };
  }
  await queueLeads(tx, [{ leadId, dueAt: new Date(now.getTime() + wait * 1000), failures }]);
  return { callbacks: 0 };
}

async function notifySupplier(tx: Tx, lead: WithdrawnLead & { readonly leadId: LeadId }, now: Date): Promise<number> {
  const { supplierKey, leadId, externalId } = lead;
  const news = {
    supplierKey,
    leadId,
    externalId,
    type: 'lead.processing_error',
    status: 'Pending',
    reason: 'processing_failed',
  } as const;
  return queueCallbacks(tx, { notices: [news], suppliers: await readSuppliers(tx) }, now);
}

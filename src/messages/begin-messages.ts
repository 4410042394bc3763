// Leases due messages, which is the record that their attempts begin, and finds their targets, before anything is sent (contract 4.10).
import { timeOfId } from '../base/id-time.ts';
import { newUuid } from '../base/ids.ts';
import { endpointName } from '../endpoints/breaker.rules.ts';
import { type BegunAttempt, logLostAttempts } from '../endpoints/log-attempts.ts';
import { latestProbe, takeProbes } from '../endpoints/health.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Claim } from '../platform/queue/dispatcher.ts';
import { type ClaimedMessage, claimMessages, dueQueuesSql, takeOverLeasesSql } from './message.sql.ts';
import { loggedAttempt } from './message-attempt.rules.ts';
import { targetOf } from './message-target.rules.ts';
import type { DueQueue, StartedMessage } from './message.ts';

/** Endpoint queues with a message that may be sent now. */
export async function dueQueues(tx: Tx, probeSeconds: number, now: Date): Promise<DueQueue[]> {
  return tx.query(dueQueuesSql, { now, latestProbe: latestProbe(now, probeSeconds) });
}

/** Leases at most 8 messages of each queue. */
export async function beginMessages(tx: Tx, claim: Claim<DueQueue>, now: Date): Promise<StartedMessage[]> {
  const broken = claim.queues.filter((queue) => queue.isBroken);
  const probes = await takeProbes(tx, broken, { now, probeSeconds: claim.probeSeconds });
  const probed = new Set(probes.map(endpointName));
  const queues = claim.queues.filter((queue) => !queue.isBroken || probed.has(endpointName(queue)));
  if (queues.length === 0) return [];
  const rows = await tx.query(claimMessages, {
    ownerKinds: queues.map((queue) => queue.ownerKind),
    ownerKeys: queues.map((queue) => queue.ownerKey),
    channels: queues.map((queue) => queue.channel),
    limits: queues.map((queue) => queue.jobs),
    now,
    leasedUntil: new Date(now.getTime() + claim.leaseMs),
    leaseIds: Array.from({ length: queues.reduce((sum, queue) => sum + queue.jobs, 0) }, newUuid),
  });
  const lost: BegunAttempt[] = [];
  const started = rows.map((row) => {
    const message = startedMessage(row, { isProbe: probed.has(endpointName(row)), startedAt: now });
    const attempt = loggedAttempt(message);
    const { lostLeaseId: attemptId } = row;
    if (attempt !== null && attemptId !== null)
      lost.push({ ...attempt, attemptId, number: attempt.number - 1, startedAt: timeOfId(attemptId) });
    return message;
  });
  logLostAttempts(tx, lost, 'interrupted');
  return started;
}

/**
 * Makes leased messages due at once when their worker is known to have died, instead of at the end of the lease (contract 8.6). Only for a
 * process that has the database to itself and has not started sending. Returns the number of messages.
 */
export async function takeOverMessages(tx: Tx, now: Date): Promise<number> {
  return (await tx.query(takeOverLeasesSql, { now })).length;
}

type Beginning = Pick<StartedMessage, 'startedAt'> & { readonly isProbe: boolean };

function startedMessage(row: ClaimedMessage, { isProbe, startedAt }: Beginning): StartedMessage {
  const { ownerKind, ownerKey, channel, leaseId, messageId, type, data, deliveryId, occurredAt, attempts, steps } = row;
  return {
    ...{ ownerKind, ownerKey, channel, leaseId, startedAt, messageId, type, data, deliveryId, occurredAt },
    // Always uncertain: a message that may have arrived is sent again with the same id anyway.
    job: { attempts, steps, uncertain: 1, isProbe },
    target: targetOf(row, row),
  };
}

// Leases due messages, finds their targets, and logs the start of attempts that belong to a partner's log, before anything is sent
// (contract 4.10).
import { newUuid } from '../base/ids.ts';
import { endpointName } from '../endpoints/breaker.rules.ts';
import { logBegunAttempts } from '../endpoints/log-attempts.ts';
import { latestProbe, takeProbes } from '../endpoints/health.ts';
import type { Tx } from '../platform/database/database.ts';
import { maskTarget } from '../platform/outbound/target.rules.ts';
import type { Claim } from '../platform/queue/dispatcher.ts';
import { type ClaimedMessage, claimMessages, dueQueuesSql, takeOverLeasesSql } from './message.sql.ts';
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
  const started = rows.map((row) => startedMessage(row, probed.has(endpointName(row))));
  logAttempts(tx, started, now);
  return started;
}

/**
 * Makes leased messages due at once when their worker is known to have died, instead of at the end of the lease (contract 8.6). Only for a
 * process that has the database to itself and has not started sending. Returns the number of messages.
 */
export async function takeOverMessages(tx: Tx, now: Date): Promise<number> {
  return (await tx.query(takeOverLeasesSql, { now })).length;
}

function startedMessage(row: ClaimedMessage, isProbe: boolean): StartedMessage {
  const { ownerKind, ownerKey, channel, leaseId, messageId, type, data, deliveryId, occurredAt, attempts, steps } = row;
  return {
    ...{ ownerKind, ownerKey, channel, leaseId, messageId, type, data, deliveryId, occurredAt },
    // Always uncertain: a message that may have arrived is sent again with the same id anyway.
    job: { attempts, steps, uncertain: 1, isProbe },
    target: targetOf(row, row),
  };
}

function logAttempts(tx: Tx, started: readonly StartedMessage[], now: Date): void {
  const logged = started.flatMap(({ ownerKind, ownerKey, leaseId, deliveryId, channel, job, target }) =>
    // The log of a delivery has attempts at its buyer's endpoints only.
    ownerKind === 'buyer' && deliveryId !== null && target?.kind === 'webhook'
      ? [
          {
            ...{ attemptId: leaseId, deliveryId, buyerKey: ownerKey, channel },
            target: maskTarget(target.url),
            number: job.attempts,
          },
        ]
      : [],
  );
  logBegunAttempts(tx, logged, now);
}

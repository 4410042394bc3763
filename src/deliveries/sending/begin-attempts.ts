// Leases due send jobs, which is the record that their attempts begin, before anything is sent (contract 4.10).
import { strict as assert } from 'node:assert';

import { timeOfId } from '../../base/id-time.ts';
import { type AttemptId, newUuid, typeId } from '../../base/ids.ts';
import { storedTimeZone } from '../../base/time-zone.rules.ts';
import type { Channel, ReturnPolicy } from '../../buyers/buyer.ts';
import { maskedTargetOf } from '../../buyers/channel-target.rules.ts';
import { type BegunAttempt, logLostAttempts } from '../../endpoints/log-attempts.ts';
import { latestProbe, takeProbes } from '../../endpoints/health.ts';
import { readFields } from '../../leads/read-fields.rules.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { JobState } from '../../platform/outbound/retry.rules.ts';
import type { Claim } from '../../platform/queue/dispatcher.ts';
import type { Parcel, Recipient } from '../channels/channel.ts';
import type { SoldRow } from '../delivery.ts';
import { deliveryView, soldView } from '../delivery-view.rules.ts';
import { type EndpointQueue, queueName, type SendPurpose, type DueQueue } from './endpoint-queue.rules.ts';
import {
  type ClaimedJob,
  claimJobs,
  countOverdue,
  dueQueuesSql,
  type RecipientRow,
  selectRecipients,
  takeOverLeasesSql,
} from './send.sql.ts';

export type StartedAttempt = BegunAttempt &
  EndpointQueue & {
    readonly purpose: SendPurpose;
    readonly job: JobState;
    readonly recipient: Recipient;
    /** With its lead as stored; building a message from it may fail. */
    readonly row: SoldRow & Pick<ClaimedJob, 'priceMinCents' | 'currency'>;
    readonly returnPolicy: ReturnPolicy;
    /** Bookings only, else null. */
    readonly slotMinutes: number | null;
    /** When the endpoint was disabled; null while it is enabled. */
    readonly disabledAt: Date | null;
    /** Probes only: when the endpoint's breaker opened; null for other attempts. */
    readonly breakerOpenSince: Date | null;
    /** Whether the partner still uses this channel. */
    readonly isOfPartner: boolean;
  };

/** Endpoint queues with a job that may be sent now. */
export async function dueQueues(tx: Tx, probeSeconds: number, now: Date): Promise<DueQueue[]> {
  return tx.query(dueQueuesSql, { now, latestProbe: latestProbe(now, probeSeconds) });
}

/**
 * Whether all of these endpoint queues have sales that should have been sent before `before`: they cannot take more for now. Queues whose
 * breaker is open do not count, because they take nothing.
 */
export async function areAllOverdue(tx: Tx, queues: readonly EndpointQueue[], before: Date): Promise<boolean> {
  const [row] = await tx.query(countOverdue, {
    buyerKeys: queues.map((queue) => queue.buyerKey),
    channels: queues.map((queue) => queue.channel),
    before,
  });
  return row !== undefined && row.queues > 0 && row.overdue === row.queues;
}

/** Leases at most 200 jobs of each queue. The attempts of a queue are in the order of its jobs, sales first. */
export async function beginAttempts(tx: Tx, claim: Claim<DueQueue>, now: Date): Promise<StartedAttempt[]> {
  const broken = claim.queues.filter((queue) => queue.isBroken);
  const probed = new Map(
    (
      await takeProbes(
        tx,
        broken.map(({ buyerKey, channel }) => ({ ownerKind: 'buyer', ownerKey: buyerKey, channel })),
        { now, probeSeconds: claim.probeSeconds },
      )
    ).map(({ ownerKey, channel, openedAt }) => [
      queueName({ buyerKey: ownerKey, channel: channel as Channel }),
      openedAt,
    ]),
  );
  const queues = claim.queues
    .filter((queue) => !queue.isBroken || probed.has(queueName(queue)))
    .map((queue) => ({ ...queue, jobs: queue.isBroken ? 1 : queue.jobs }));
  const total = queues.reduce((sum, queue) => sum + queue.jobs, 0);
  if (total === 0) return [];
  const buyerKeys = queues.map((queue) => queue.buyerKey);
  const [rows, recipients] = await Promise.all([
    tx.query(claimJobs, {
      buyerKeys,
      channels: queues.map((queue) => queue.channel),
      limits: queues.map((queue) => queue.jobs),
      now,
      leasedUntil: new Date(now.getTime() + claim.leaseMs),
      attemptIds: Array.from({ length: total }, newUuid),
    }),
    tx.query(selectRecipients, { buyerKeys, now }),
  ]);
  const byKey = new Map(recipients.map((row) => [row.buyerKey, { row, recipient: recipientOf(row) }]));
  const lost: BegunAttempt[] = [];
  const started = rows.map((row) => {
    const partner = byKey.get(row.buyerKey);
    assert(partner !== undefined, 'a send job names a partner that does not exist');
    const attempt = startedAttempt(row, partner, {
      startedAt: now,
      breakerOpenSince: probed.get(queueName(row)) ?? null,
    });
    const { lostAttemptId: attemptId } = row;
    if (attemptId !== null) lost.push(attemptBefore(attempt, attemptId));
    return attempt;
  });
  logLostAttempts(tx, lost, 'interrupted');
  return started;
}

function attemptBefore(attempt: StartedAttempt, attemptId: AttemptId): BegunAttempt {
  return { ...attempt, attemptId, number: attempt.number - 1, startedAt: timeOfId(attemptId) };
}

/**
 * Makes leased jobs due at once when their worker is known to have died, instead of at the end of the lease (contract 8.6). Only for a
 * process that has the database to itself and has not started sending. Returns the number of jobs.
 */
export async function takeOverLeases(tx: Tx, now: Date): Promise<number> {
  return (await tx.query(takeOverLeasesSql, { now })).length;
}

/** Throws if the stored lead cannot be read. */
export function parcelOf(
  { row, channel, job, recipient, returnPolicy: policy, slotMinutes }: StartedAttempt,
  now: Date,
): Parcel {
  const { timeZone } = recipient;
  const isMessage = channel === 'webhook' || channel === 'sheets_script';
  return {
    id: typeId('delivery', row.deliveryId),
    isTest: false,
    occurredAt: row.deliveredAt,
    delivery: isMessage
      ? soldView(row, { policy, timeZone })
      : deliveryView(row, { policy, timeZone, now, claim: null }),
    fields: readFields(row.fields, row.erasedConsent),
    slotMinutes,
    isRepeat: job.uncertain > 1,
    priceBounds:
      row.priceMinCents === null || row.currency === null
        ? null
        : { minCents: row.priceMinCents, maxCents: row.soldPayoutCents, currency: row.currency },
  };
}

type Partner = { readonly row: RecipientRow; readonly recipient: Recipient };

type Beginning = Pick<StartedAttempt, 'startedAt' | 'breakerOpenSince'>;

function startedAttempt(row: ClaimedJob, partner: Partner, { startedAt, breakerOpenSince }: Beginning): StartedAttempt {
  const { attempts, steps, uncertain } = row;
  return {
    attemptId: row.attemptId,
    deliveryId: row.deliveryId,
    buyerKey: row.buyerKey,
    channel: row.channel,
    target: maskedTargetOf(row.channel, partner.recipient.settings),
    number: attempts,
    startedAt,
    purpose: row.purpose,
    job: { attempts, steps, uncertain, isProbe: breakerOpenSince !== null },
    recipient: partner.recipient,
    row,
    returnPolicy: partner.row.returnPolicy,
    slotMinutes: row.slotMinutes,
    disabledAt: row.channel === 'webhook' ? partner.row.disabledAt : null,
    breakerOpenSince,
    isOfPartner: partner.row.channels.includes(row.channel),
  };
}

function recipientOf(row: RecipientRow): Recipient {
  const { buyerKey, name, timeZone, ownColumns } = row;
  const { notificationEmail, ccEmails, webhookUrl, phone, smsNumber, sheetsWebhookUrl, sheetsSpreadsheetId } = row;
  return {
    buyerKey,
    name,
    timeZone: storedTimeZone(timeZone),
    settings: { notificationEmail, ccEmails, webhookUrl, phone, smsNumber, sheetsWebhookUrl, sheetsSpreadsheetId },
    secrets: [row.secret, row.previousSecret].filter((secret) => secret !== null),
    custom: row.webhookFormat === null ? null : { format: row.webhookFormat, secrets: row.sealedSecrets ?? [] },
    ownColumns,
  };
}

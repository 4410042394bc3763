// Leases due send jobs and writes down that an attempt begins, before anything leaves the house (contract 4.10).
import { newUuid, typeId, type Uuid } from '../../base/ids.ts';
import type { BuyerSettings, Channel, ReturnPolicy } from '../../buyers/buyer.ts';
import { maskedTargetOf } from '../../buyers/channel-target.rules.ts';
import { latestProbe, takeProbes } from '../../endpoints/take-probes.ts';
import { readFields } from '../../leads/read-fields.rules.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { JobState } from '../../platform/outbound/retry.rules.ts';
import type { Parcel, Recipient } from '../channels/channel.ts';
import type { SoldRow } from '../delivery-row.ts';
import { deliveryView, soldView } from '../delivery-view.rules.ts';
import { type Lane, laneName } from './lane.rules.ts';
import { claimJobs, dueLanes, insertAttempts } from './send.sql.ts';

/** `sale` decides what becomes of the delivery; `copy` goes out beside it, best effort; `replay` is sent again on request. */
export type SendPurpose = 'sale' | 'copy' | 'replay';

export type DueLane = Lane & {
  /** Its breaker is open, and the time of the next attempt has come. */
  readonly isBroken: boolean;
};

export type StartedAttempt = Lane & {
  readonly attemptId: Uuid;
  readonly deliveryId: Uuid;
  readonly purpose: SendPurpose;
  readonly job: JobState;
  readonly recipient: Recipient;
  /** With its lead as stored: whether a message can be made of it shows when one is. */
  readonly row: SoldRow;
  readonly returnPolicy: ReturnPolicy;
  /** Null but for a booking. */
  readonly slotMinutes: number | null;
  /** Since when the endpoint is out of use; null while it is in use. */
  readonly disabledAt: Date | null;
  /** Since when its breaker is open, of a probe; null of any other attempt. */
  readonly brokenSince: Date | null;
  /** Whether the partner still has this channel. */
  readonly isOfPartner: boolean;
};

type ClaimedRow = SoldRow &
  Lane &
  BuyerSettings &
  Omit<JobState, 'isProbe'> & {
    attemptId: Uuid;
    purpose: SendPurpose;
    name: string;
    returnPolicy: ReturnPolicy;
    timeZone: string;
    channels: readonly Channel[];
    disabledAt: Date | null;
    secret: string | null;
    previousSecret: string | null;
    slotMinutes: number | null;
  };

/** Lanes with something that may be sent now. */
export async function lanesWithDueJobs(tx: Tx, probeSeconds: number, now: Date): Promise<DueLane[]> {
  return tx.query<DueLane>(dueLanes, [now, latestProbe(now, probeSeconds)]);
}

export type Wish = {
  /** How many jobs of each lane (and 200, whatever it says); of a lane whose breaker is open one at most. */
  readonly lanes: readonly (DueLane & { readonly jobs: number })[];
  readonly leaseMs: number;
  readonly probeSeconds: number;
};

/**
 * The attempts of a lane stand in the order of their jobs, sales first. They are this caller's until `leaseMs` have passed; if it has not
 * finished them by then (it died), they are due again.
 */
export async function beginAttempts(tx: Tx, wish: Wish, now: Date): Promise<StartedAttempt[]> {
  const broken = wish.lanes.filter((lane) => lane.isBroken);
  const probed = new Map(
    (
      await takeProbes(
        tx,
        broken.map((lane) => ({ ownerKind: 'buyer', ownerKey: lane.buyerKey, channel: lane.channel })),
        { now, probeSeconds: wish.probeSeconds },
      )
    ).map(({ ownerKey, channel, openedAt }) => [
      laneName({ buyerKey: ownerKey, channel: channel as Channel }),
      openedAt,
    ]),
  );
  const lanes = wish.lanes
    .filter((lane) => !lane.isBroken || probed.has(laneName(lane)))
    .map((lane) => ({ ...lane, jobs: lane.isBroken ? 1 : lane.jobs }));
  const total = lanes.reduce((sum, lane) => sum + lane.jobs, 0);
  if (total === 0) return [];
  const rows = await tx.query<ClaimedRow>(claimJobs, [
    lanes.map((lane) => lane.buyerKey),
    lanes.map((lane) => lane.channel),
    lanes.map((lane) => lane.jobs),
    now,
    new Date(now.getTime() + wish.leaseMs),
    Array.from({ length: total }, newUuid),
  ]);
  if (rows.length === 0) return [];
  await tx.query(insertAttempts, [
    rows.map((row) => row.attemptId),
    rows.map((row) => row.deliveryId),
    rows.map((row) => row.buyerKey),
    rows.map((row) => row.channel),
    rows.map((row) => maskedTargetOf(row.channel, row)),
    rows.map((row) => row.attempts),
    now,
  ]);
  return rows.map((row) => startedAttempt(row, probed.get(laneName(row)) ?? null));
}

/** Throws where what is stored of the lead cannot be read. */
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
  };
}

function startedAttempt(row: ClaimedRow, brokenSince: Date | null): StartedAttempt {
  const { attempts, steps, uncertain } = row;
  return {
    attemptId: row.attemptId,
    deliveryId: row.deliveryId,
    buyerKey: row.buyerKey,
    channel: row.channel,
    purpose: row.purpose,
    job: { attempts, steps, uncertain, isProbe: brokenSince !== null },
    recipient: recipientOf(row),
    row,
    returnPolicy: row.returnPolicy,
    slotMinutes: row.slotMinutes,
    disabledAt: row.channel === 'webhook' ? row.disabledAt : null,
    brokenSince,
    isOfPartner: row.channels.includes(row.channel),
  };
}

function recipientOf(row: ClaimedRow): Recipient {
  const { buyerKey, name, timeZone } = row;
  const { notificationEmail, ccEmails, webhookUrl, phone, smsNumber, sheetsWebhookUrl, sheetsSpreadsheetId } = row;
  return {
    buyerKey,
    name,
    timeZone,
    settings: { notificationEmail, ccEmails, webhookUrl, phone, smsNumber, sheetsWebhookUrl, sheetsSpreadsheetId },
    secrets: [row.secret, row.previousSecret].filter((secret) => secret !== null),
  };
}

// Leases due messages, finds out where they go, and writes down that an attempt begins where its partner may read of it, before
// anything leaves the house (contract 4.10).
import { newUuid, type Uuid } from '../base/ids.ts';
import { type EndpointKey, endpointName } from '../endpoints/breaker.rules.ts';
import { latestProbe, takeProbes } from '../endpoints/take-probes.ts';
import type { Tx } from '../platform/database/database.ts';
import type { JobState } from '../platform/outbound/retry.rules.ts';
import { maskTarget } from '../platform/outbound/target.rules.ts';
import { claimMessages, dueLanes, insertAttempts } from './message.sql.ts';
import { type MessageTarget, type OwnerSettings, targetOf } from './message-target.rules.ts';
import type { MessageType, NewMessage } from './queue-messages.ts';

/** A lane: the messages to one owner through one channel, which wait for each other and for nobody else. */
export type Lane = EndpointKey & Pick<NewMessage, 'channel'>;

export type DueLane = Lane & {
  /** Its breaker is open, and the time of the next attempt has come. */
  readonly isBroken: boolean;
};

export type StartedMessage = Lane & {
  /** Of the attempt, also in the log. */
  readonly leaseId: Uuid;
  readonly messageId: Uuid;
  readonly type: MessageType;
  /** JSON text. */
  readonly data: string;
  readonly deliveryId: Uuid | null;
  readonly occurredAt: Date;
  readonly job: JobState;
  /** Null where nobody waits for it any more. */
  readonly target: MessageTarget | null;
};

type ClaimedRow = Omit<StartedMessage, 'job' | 'target'> & OwnerSettings & Pick<JobState, 'attempts' | 'steps'>;

/** Lanes with something that may be sent now. */
export async function lanesWithDueMessages(tx: Tx, probeSeconds: number, now: Date): Promise<DueLane[]> {
  return tx.query<DueLane>(dueLanes, [now, latestProbe(now, probeSeconds)]);
}

export type Wish = {
  /** How many messages of each lane, 8 at most; of a lane whose breaker is open one. */
  readonly lanes: readonly (DueLane & { readonly messages: number })[];
  readonly leaseMs: number;
  readonly probeSeconds: number;
};

/** They are this caller's until `leaseMs` have passed; if it has not finished them by then (it died), they are due again. */
export async function beginMessages(tx: Tx, wish: Wish, now: Date): Promise<StartedMessage[]> {
  const broken = wish.lanes.filter((lane) => lane.isBroken);
  const probes = await takeProbes(tx, broken, { now, probeSeconds: wish.probeSeconds });
  const probed = new Set(probes.map(endpointName));
  const lanes = wish.lanes.filter((lane) => !lane.isBroken || probed.has(endpointName(lane)));
  if (lanes.length === 0) return [];
  const rows = await tx.query<ClaimedRow>(claimMessages, [
    lanes.map((lane) => lane.ownerKind),
    lanes.map((lane) => lane.ownerKey),
    lanes.map((lane) => lane.channel),
    lanes.map((lane) => lane.messages),
    now,
    new Date(now.getTime() + wish.leaseMs),
    Array.from({ length: lanes.reduce((sum, lane) => sum + lane.messages, 0) }, newUuid),
  ]);
  const started = rows.map((row) => startedMessage(row, probed.has(endpointName(row))));
  await logAttempts(tx, started, now);
  return started;
}

function startedMessage(row: ClaimedRow, isProbe: boolean): StartedMessage {
  const { ownerKind, ownerKey, channel, leaseId, messageId, type, data, deliveryId, occurredAt, attempts, steps } = row;
  return {
    ...{ ownerKind, ownerKey, channel, leaseId, messageId, type, data, deliveryId, occurredAt },
    // Nobody asks whether a message may have arrived: it is sent again with its id.
    job: { attempts, steps, uncertain: 1, isProbe },
    target: targetOf(row, row),
  };
}

async function logAttempts(tx: Tx, started: readonly StartedMessage[], now: Date): Promise<void> {
  const logged = started.flatMap(({ target, ...message }) =>
    isOfLog(message) && target?.kind === 'webhook' ? [{ ...message, url: target.url }] : [],
  );
  if (logged.length === 0) return;
  await tx.query(insertAttempts, [
    logged.map((message) => message.leaseId),
    logged.map((message) => message.deliveryId),
    logged.map((message) => message.ownerKey),
    logged.map((message) => message.channel),
    logged.map((message) => maskTarget(message.url)),
    logged.map((message) => message.job.attempts),
    now,
  ]);
}

/** The log of a delivery is its buyer's. */
function isOfLog({ ownerKind, deliveryId }: Pick<StartedMessage, 'ownerKind' | 'deliveryId'>): boolean {
  return ownerKind === 'buyer' && deliveryId !== null;
}

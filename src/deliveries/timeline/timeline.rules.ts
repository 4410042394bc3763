// Describes the events of a delivery to its partner, one sentence each (contract 6.13). The supplier, other buyers and the score are never
// mentioned.
import { formatMoney } from '../../base/money.ts';
import type { AttemptRow } from '../attempt-view.rules.ts';
import type { Rejection } from '../../platform/outbound/send-outcome.ts';
import { deliveryRef, type EventType, type DeliveryStatus } from '../delivery.ts';

export const timelineEventTypes = [
  'delivery.routed',
  'appointment.booked',
  'attempt.scheduled',
  'attempt.succeeded',
  'attempt.failed',
  'attempt.exhausted',
  'endpoint.disabled',
  'endpoint.enabled',
  'delivery.confirmed',
  'delivery.charged',
  'delivery.failed',
  'delivery.redelivery_requested',
  'delivery.returned',
  'delivery.credited',
] as const;

export type TimelineEventType = (typeof timelineEventTypes)[number];
export type TimelineEvent = { readonly at: string; readonly type: TimelineEventType; readonly message: string };

export type DeliveryLife = {
  readonly eventType: EventType;
  readonly refNumber: number;
  readonly status: DeliveryStatus;
  /** The primary channel; null if the partner only reads the API. */
  readonly channel: string | null;
  readonly deliveredAt: Date;
  readonly confirmedAt: Date | null;
  readonly failedAt: Date | null;
  /** If the partner's system rejected it. */
  readonly failure: Rejection | null;
  readonly returnedAt: Date | null;
  readonly appointmentAt: Date | null;
};

export type TimelineSources = {
  readonly life: DeliveryLife;
  readonly attempts: readonly AttemptRow[];
  /** The delivery's entries on the partner's account. */
  readonly entries: ReadonlyArray<{ readonly type: string; readonly amountCents: number; readonly createdAt: Date }>;
  /** ISO 4217. */
  readonly currency: string;
  /** Audit events of this delivery, and of the partner's endpoint since it was routed. */
  readonly mentions: ReadonlyArray<{
    readonly at: Date;
    readonly action: string;
    readonly actor: { readonly type: string };
  }>;
};

type Moment = { readonly at: Date; readonly type: TimelineEventType; readonly message: string };

/** An endpoint is disabled in a separate transaction, after the result that caused it was written. */
const ENDPOINT_LATE_MS = 60_000;

/** Oldest first. */
export function timelineEvents({ life, attempts, entries, currency, mentions }: TimelineSources): TimelineEvent[] {
  const moments: Moment[] = [
    ...beginning(life),
    ...mentions.flatMap((mention) => ofMention(mention, life)),
    ...attempts.map(ofAttempt),
    ...outcome(life),
    ...entries.flatMap((entry) => ofEntry(entry, currency)),
    ...ending(life),
  ];
  // The sort is stable, so that causes come before effects within one millisecond.
  return moments
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ at, type, message }) => ({ at: at.toISOString(), type, message }));
}

function beginning({ eventType, refNumber, deliveredAt, appointmentAt }: DeliveryLife): Moment[] {
  const ref = deliveryRef(eventType, refNumber);
  const routed: Moment = { at: deliveredAt, type: 'delivery.routed', message: `The lead was routed to you as ${ref}.` };
  if (appointmentAt === null) return [routed];
  const message = `The appointment was booked for ${appointmentAt.toISOString()}.`;
  return [routed, { at: deliveredAt, type: 'appointment.booked', message }];
}

function ofAttempt(row: AttemptRow): Moment {
  const what = `Attempt ${row.attempt} by ${row.channel}${row.target === '' ? '' : ` to ${row.target}`}`;
  const response = row.responseCode === null ? errorText(row.error) : responseText(row.responseCode, row.error);
  const took = row.latencyMs === null ? '' : ` (${row.latencyMs} ms)`;
  const next = row.nextAttemptAt === null ? '' : ` The next attempt is due at ${row.nextAttemptAt.toISOString()}.`;
  const messages = {
    scheduled: `${what} is in progress.`,
    succeeded: `${what} succeeded${took}. ${response}`,
    failed: `${what} failed${took}. ${response}${next}`,
    exhausted: `${what} failed${took} and was the last. ${response}`,
  };
  return { at: row.at, type: `attempt.${row.state}`, message: messages[row.state] };
}

/** A response with an error said no, such as a rejection with a status of success. */
function responseText(code: number, error: string | null): string {
  return error === null ? `Response ${code}.` : `Response ${code}: ${error}${/[.!?…]$/.test(error) ? '' : '.'}`;
}

function errorText(error: string | null): string {
  if (error === null) return 'There was no response.';
  // The only error that is not a sentence: the process that made the attempt died.
  return error === 'interrupted' ? 'It was interrupted.' : error;
}

const FAILED: Readonly<Record<Rejection | 'other', string>> = {
  rejected: 'your system rejected the lead',
  duplicate: 'your system rejected the lead as a duplicate',
  other: 'it could not be delivered to you',
};

function outcome({ channel, confirmedAt, failedAt, failure }: DeliveryLife): Moment[] {
  if (failedAt !== null) {
    const message = `The delivery failed: ${FAILED[failure ?? 'other']}, and you are not charged for it.`;
    return [{ at: failedAt, type: 'delivery.failed', message }];
  }
  if (confirmedAt === null) return [];
  const message =
    channel === null
      ? 'The delivery was confirmed at once: you read your leads through the API.'
      : `The delivery was confirmed: it was accepted by ${channel}.`;
  return [{ at: confirmedAt, type: 'delivery.confirmed', message }];
}

function ofEntry({ type, amountCents, createdAt }: TimelineSources['entries'][number], currency: string): Moment[] {
  const amount = formatMoney(Math.abs(amountCents), currency);
  if (type === 'charge') return [{ at: createdAt, type: 'delivery.charged', message: `You were charged ${amount}.` }];
  if (type === 'credit') return [{ at: createdAt, type: 'delivery.credited', message: `You were credited ${amount}.` }];
  return [];
}

function ending({ returnedAt }: DeliveryLife): Moment[] {
  return returnedAt === null
    ? []
    : [{ at: returnedAt, type: 'delivery.returned', message: 'The return of the lead was approved.' }];
}

/** Events of the endpoint are listed only until the delivery was settled, requests for redelivery always. */
function ofMention({ at, action, actor }: TimelineSources['mentions'][number], life: DeliveryLife): Moment[] {
  if (action === 'delivery.redelivery_requested') {
    const who = actor.type === 'buyer' ? 'you' : 'the operator';
    return [{ at, type: 'delivery.redelivery_requested', message: `Redelivery was requested by ${who}.` }];
  }
  const decidedMs =
    life.confirmedAt?.getTime() ?? (life.failedAt === null ? Infinity : life.failedAt.getTime() + ENDPOINT_LATE_MS);
  if (life.channel !== 'webhook' || at < life.deliveredAt || at.getTime() > decidedMs) return [];
  if (action === 'endpoint.disabled') {
    const message = 'Your webhook endpoint was disabled: it responded 410 Gone, or failed for a long time.';
    return [{ at, type: 'endpoint.disabled', message }];
  }
  return [{ at, type: 'endpoint.enabled', message: 'Your webhook endpoint was enabled again.' }];
}

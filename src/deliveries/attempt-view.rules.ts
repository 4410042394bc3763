// Shows an attempt at a delivery or a test to partners and the operator (contract 6.13).
import { timeOfId } from '../base/id-time.ts';
import { type AttemptId, type DeliveryId, typeId } from '../base/ids.ts';
import type { BuyerSettings, Channel } from '../buyers/buyer.ts';
import { maskedTargetOf } from '../buyers/channel-target.rules.ts';
import type { AttemptView } from './attempt.schema.ts';
import { deliveryRef, type EventType } from './delivery.ts';

export type AttemptState = 'scheduled' | 'succeeded' | 'failed' | 'exhausted';

export type AttemptRow = {
  readonly attemptId: AttemptId;
  /** These three are null for a test, which has no delivery. */
  readonly deliveryId: DeliveryId | null;
  readonly eventType: EventType | null;
  readonly refNumber: number | null;
  readonly channel: string;
  readonly target: string;
  readonly attempt: number;
  readonly state: AttemptState;
  readonly responseCode: number | null;
  readonly responseSnippet: string | null;
  readonly latencyMs: number | null;
  readonly error: string | null;
  readonly isTest: boolean;
  readonly at: Date;
  readonly nextAttemptAt: Date | null;
};

/** An attempt in progress, as its send job knows it, with the settings of its buyer. */
export type RunningRow = BuyerSettings & {
  readonly attemptId: AttemptId;
  readonly deliveryId: DeliveryId;
  readonly eventType: EventType;
  readonly refNumber: number;
  readonly channel: Channel;
  readonly attempt: number;
  readonly buyerKey: string;
};

/** Nearly three times as long as a test can take. */
const TEST_ABANDONED_AFTER_MS = 60_000;

export function attemptView(row: AttemptRow): AttemptView {
  return {
    attemptId: typeId('attempt', row.attemptId),
    deliveryId: row.deliveryId === null ? null : typeId('delivery', row.deliveryId),
    deliveryRef: row.eventType === null || row.refNumber === null ? null : deliveryRef(row.eventType, row.refNumber),
    channel: row.channel,
    target: row.target,
    attempt: row.attempt,
    state: row.state,
    responseCode: row.responseCode,
    responseSnippet: row.responseSnippet,
    latencyMs: row.latencyMs,
    error: row.error,
    test: row.isTest,
    at: row.at.toISOString(),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  };
}

/** The row that the log will have, if it ends without a result. */
export function runningAttempt(
  row: RunningRow,
): AttemptRow & { readonly deliveryId: DeliveryId; readonly buyerKey: string } {
  const { attemptId, deliveryId, eventType, refNumber, channel, attempt, buyerKey } = row;
  return {
    ...{ attemptId, deliveryId, eventType, refNumber, channel, attempt, buyerKey },
    target: maskedTargetOf(channel, row),
    state: 'scheduled',
    responseCode: null,
    responseSnippet: null,
    latencyMs: null,
    error: null,
    isTest: false,
    at: timeOfId(attemptId),
    nextAttemptAt: null,
  };
}

/** Oldest first. A process of the last release also logs attempts in progress: the row of the log is shown. */
export function withRunning<Row extends AttemptRow>(logged: readonly Row[], running: readonly Row[]): Row[] {
  const known = new Set(logged.map(({ attemptId }) => attemptId));
  return [...logged, ...running.filter(({ attemptId }) => !known.has(attemptId))].toSorted(
    (one, other) => one.at.getTime() - other.at.getTime(),
  );
}

/** A test has no job that another worker would take over: if its process died, it counts as failed after a minute. */
export function withoutAbandoned(row: AttemptRow, now: Date): AttemptRow {
  const isAbandoned =
    row.isTest && row.state === 'scheduled' && now.getTime() - row.at.getTime() >= TEST_ABANDONED_AFTER_MS;
  return isAbandoned ? { ...row, state: 'failed', error: 'interrupted' } : row;
}

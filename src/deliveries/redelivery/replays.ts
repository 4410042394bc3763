// Replays: sends the deliveries of one partner and one window of time again, in slices, by the operation that sends one again (contract 6.4,
// decision 087).
import { appendAudit } from '../../audit/append-audit.ts';
import { type AuditAuthor, noOrigin } from '../../audit/audit-event.ts';
import { FIRST_ID } from '../../base/id-time.ts';
import { type DeliveryId, newUuid, type ReplayId, typeId } from '../../base/ids.ts';
import type { Tx } from '../../platform/database/database.ts';
import { selectSlice, SLICE } from './redelivery.sql.ts';
import type { ReviveDeliveries } from './reopen-deliveries.ts';
import type { ReplayRow, ReplayStatus, RunningReplay } from './replay.ts';
import {
  claimReplayed,
  endReplay,
  insertReplay,
  lockRunningReplay,
  noteReplayed,
  noteSkipped,
  purgeReplaysSql,
  selectReplays,
  selectRunning,
} from './replay.sql.ts';
import type { RedeliveryCause } from './redelivery-cause.rules.ts';
import { judgeRedelivery, requestRedelivery } from './request-redelivery.ts';

export type ReplayWindow = {
  readonly buyerKey: string;
  readonly status: ReplayStatus;
  /** from ≤ delivered ≤ until. */
  readonly from: Date;
  readonly until: Date;
};

export type ReplayPlan = {
  readonly deliveries: number;
  /** Those that can be sent again as things stand; whether a lead is still free is only known when it is sent. */
  readonly ready: number;
  readonly skipped: ReadonlyMap<RedeliveryCause, number>;
  /** More than one replay takes: only the oldest were counted. */
  readonly isTooMany: boolean;
};

/** Counted within a second or two. */
export const REPLAYED_AT_MOST = 10_000;

/** Changes nothing. */
export async function planReplay(tx: Tx, window: ReplayWindow): Promise<ReplayPlan> {
  const skipped = new Map<RedeliveryCause, number>();
  let deliveries = 0;
  let ready = 0;
  let last = startOf(window);
  for (;;) {
    const slice = await tx.query(selectSlice[window.status], sliceOf(window, last, SLICE));
    const end = slice.at(-1);
    if (end === undefined) return { deliveries, ready, skipped, isTooMany: false };
    if (deliveries + slice.length > REPLAYED_AT_MOST) return { deliveries, ready, skipped, isTooMany: true };
    last = { at: end.deliveredAt, id: end.deliveryId };
    deliveries += slice.length;
    const ids = slice.map(({ deliveryId }) => deliveryId);
    for (const judged of await judgeRedelivery(tx, null, ids)) {
      if (judged.ok) ready += 1;
      else skipped.set(judged.cause, (skipped.get(judged.cause) ?? 0) + 1);
    }
  }
}

type Position = { readonly at: Date; readonly id: string };

function startOf({ from }: Pick<ReplayWindow, 'from'>): Position {
  return { at: from, id: FIRST_ID };
}

function sliceOf({ buyerKey, from, until }: ReplayWindow, { at, id }: Position, limit: number) {
  return { buyerKey, since: from, until, afterTime: at, afterId: id, limit };
}

export type StartOutcome =
  | { readonly ok: true; readonly replay: ReplayRow }
  | { readonly ok: false; readonly code: 'replay_running' | 'replay_too_large' };

/** One at a time for each partner. Deliveries after `now` are not part of it. */
export async function startReplay(
  tx: Tx,
  { window, author }: { readonly window: ReplayWindow; readonly author: AuditAuthor },
  now: Date,
): Promise<StartOutcome> {
  const { buyerKey, status, from } = window;
  const until = window.until > now ? now : window.until;
  const { deliveries: planned, isTooMany } = await planReplay(tx, { ...window, until });
  if (isTooMany) return { ok: false, code: 'replay_too_large' };
  const replayId: ReplayId = newUuid();
  const operator = author.actor.name;
  const [replay] = await tx.query(insertReplay, { replayId, buyerKey, operator, status, from, until, planned, now });
  if (replay === undefined) return { ok: false, code: 'replay_running' };
  await audit(tx, { replayId, buyerKey, action: 'replay.started' }, author, now);
  return { ok: true, replay };
}

/** False if it is over already, or was never there. What is queued stays queued. */
export async function stopReplay(tx: Tx, replayId: ReplayId, author: AuditAuthor, now: Date): Promise<boolean> {
  const [ended] = await tx.query(endReplay, { replayId, state: 'stopped', now });
  if (ended === undefined) return false;
  await audit(tx, { replayId, buyerKey: ended.buyerKey, action: 'replay.stopped' }, author, now);
  return true;
}

type Audited = { readonly replayId: ReplayId; readonly buyerKey: string; readonly action: string };

/** For operators; the partner sees each delivery that was sent again. */
async function audit(tx: Tx, { replayId, buyerKey, action }: Audited, { actor, origin }: AuditAuthor, now: Date) {
  const changes = { partner: { from: null, to: buyerKey } };
  const event = { at: now, actor, action, target: typeId('replay', replayId), changes, ...origin };
  await appendAudit(tx, [{ ...event, buyerKey: null, supplierKey: null }]);
}

export async function listReplays(tx: Tx, limit: number): Promise<ReplayRow[]> {
  return tx.query(selectReplays, { limit });
}

/** Oldest first. */
export async function listRunningReplays(tx: Tx): Promise<ReplayId[]> {
  return (await tx.query(selectRunning)).map(({ replayId }) => replayId);
}

export type SliceRequest = {
  readonly replayId: ReplayId;
  /** Of deliveries. */
  readonly limit: number;
  readonly revive: ReviveDeliveries;
  /** Called with the deliveries of the slice before anything is done with them. */
  readonly onSlice: (deliveryIds: readonly DeliveryId[]) => void;
};

/** Handles the next deliveries of a replay. Safe to repeat. False if it is over, or another process works on it. */
export async function runSlice(
  tx: Tx,
  { replayId, limit, revive, onSlice }: SliceRequest,
  now: Date,
): Promise<boolean> {
  const [replay] = await tx.query(lockRunningReplay, { replayId });
  if (replay === undefined) return false;
  const slice = await nextSlice(tx, replay, limit);
  if (slice.length === 0) {
    await tx.query(endReplay, { replayId, state: 'done', now });
    return true;
  }
  const ids = slice.map(({ deliveryId }) => deliveryId);
  onSlice(ids);
  // The unique key: what this replay has handled is not handled again, wherever the slice begins.
  const claimed = new Set((await tx.query(claimReplayed, { replayId, deliveryIds: ids })).map((row) => row.deliveryId));
  const deliveryIds = ids.filter((id) => claimed.has(id));
  const actor = { type: 'operator', name: replay.operator } as const;
  const report = await requestRedelivery(tx, { deliveryIds, buyerKey: null, actor, origin: noOrigin, revive }, now);
  await moveOn(tx, replay, { slice, queued: report.queued.length, skipped: report.skipped });
  return true;
}

/** Skips the next delivery of a replay, if it is this one: its slice failed with this delivery alone. */
export async function skipFailing(tx: Tx, replayId: ReplayId, deliveryId: DeliveryId): Promise<void> {
  const [replay] = await tx.query(lockRunningReplay, { replayId });
  if (replay === undefined) return;
  const slice = await nextSlice(tx, replay, 1);
  if (slice[0]?.deliveryId !== deliveryId) return;
  await tx.query(claimReplayed, { replayId, deliveryIds: [deliveryId] });
  await moveOn(tx, replay, { slice, queued: 0, skipped: [{ deliveryId, cause: 'internal_error' }] });
}

type Slice = ReadonlyArray<{ readonly deliveryId: DeliveryId; readonly deliveredAt: Date }>;

function nextSlice(tx: Tx, replay: RunningReplay, limit: number): Promise<Slice> {
  const { afterAt, afterId, status } = replay;
  const last = afterAt === null || afterId === null ? startOf(replay) : { at: afterAt, id: afterId };
  return tx.query(selectSlice[status], sliceOf(replay, last, limit));
}

type Handled = {
  readonly slice: Slice;
  readonly queued: number;
  readonly skipped: ReadonlyArray<{ readonly deliveryId: DeliveryId; readonly cause: RedeliveryCause }>;
};

async function moveOn(tx: Tx, replay: RunningReplay, { slice, queued, skipped }: Handled): Promise<void> {
  const { replayId } = replay;
  const end = slice.at(-1);
  if (end === undefined) return;
  const counts: Record<string, number> = { ...replay.skipped };
  for (const { cause } of skipped) counts[cause] = (counts[cause] ?? 0) + 1;
  await tx.query(noteSkipped, {
    replayId,
    deliveryIds: skipped.map(({ deliveryId }) => deliveryId),
    causes: skipped.map(({ cause }) => cause),
  });
  await tx.query(noteReplayed, {
    replayId,
    queued,
    skipped: JSON.stringify(counts),
    afterAt: end.deliveredAt,
    afterId: end.deliveryId,
  });
}

export async function purgeReplays(tx: Tx, before: Date): Promise<void> {
  await tx.query(purgeReplaysSql, { before });
}

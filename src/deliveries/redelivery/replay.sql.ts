// The SQL of replays: start, slices, progress, retention (decision 087).
import type { DeliveryId, ReplayId, Uuid } from '../../base/ids.ts';
import { statement } from '../../platform/database/database.ts';
import type { ReplayRow, ReplayState, RunningReplay } from './replay.ts';

const COLUMNS = `replay_id AS "replayId", buyer_key AS "buyerKey", operator_name AS operator, status, from_at AS "from", until_at AS "until",
  planned, state, queued, skipped, created_at AS "createdAt", finished_at AS "finishedAt"`;

/** No row if one of this partner is running. */
export const insertReplay = statement<
  Pick<ReplayRow, 'replayId' | 'buyerKey' | 'operator' | 'status' | 'from' | 'until' | 'planned'> & {
    readonly now: Date;
  },
  ReplayRow
>(
  'replay.insert',
  `INSERT INTO replay (replay_id, buyer_key, operator_name, status, from_at, until_at, planned, created_at)
   VALUES ($replayId, $buyerKey, $operator, $status, $from, $until, $planned, $now)
   ON CONFLICT (buyer_key) WHERE state = 'running' DO NOTHING RETURNING ${COLUMNS}`,
);

/** Newest first. */
export const selectReplays = statement<{ readonly limit: number }, ReplayRow>(
  'replay.list',
  `SELECT ${COLUMNS} FROM replay ORDER BY created_at DESC, replay_id DESC LIMIT $limit`,
);

/** Oldest first. */
export const selectRunning = statement<void, { replayId: ReplayId }>(
  'replay.running',
  `SELECT replay_id AS "replayId" FROM replay WHERE state = 'running' ORDER BY created_at, replay_id`,
);

/** No row if it is over, or another process works on it. */
export const lockRunningReplay = statement<{ readonly replayId: ReplayId }, RunningReplay>(
  'replay.lock_running',
  `SELECT ${COLUMNS}, after_at AS "afterAt", after_id AS "afterId" FROM replay WHERE replay_id = $replayId AND state = 'running'
   FOR UPDATE SKIP LOCKED`,
);

/** Returns the deliveries that this replay has not handled yet. */
export const claimReplayed = statement<
  { readonly replayId: ReplayId; readonly deliveryIds: readonly DeliveryId[] },
  { deliveryId: DeliveryId }
>(
  'replay.claim',
  `INSERT INTO replay_delivery (replay_id, delivery_id, result)
   SELECT $replayId, id, 'queued' FROM unnest($deliveryIds::uuid[]) AS u (id) ORDER BY id
   ON CONFLICT DO NOTHING RETURNING delivery_id AS "deliveryId"`,
);

export const noteSkipped = statement<{
  readonly replayId: ReplayId;
  readonly deliveryIds: readonly DeliveryId[];
  readonly causes: readonly string[];
}>(
  'replay.note_skipped',
  `UPDATE replay_delivery r SET result = u.cause FROM unnest($deliveryIds::uuid[], $causes::text[]) AS u (id, cause)
   WHERE r.replay_id = $replayId AND r.delivery_id = u.id`,
);

export const noteReplayed = statement<{
  readonly replayId: ReplayId;
  readonly queued: number;
  readonly skipped: string;
  readonly afterAt: Date;
  readonly afterId: Uuid;
}>(
  'replay.note',
  `UPDATE replay SET queued = queued + $queued, skipped = $skipped::jsonb, after_at = $afterAt, after_id = $afterId
   WHERE replay_id = $replayId`,
);

export const endReplay = statement<
  { readonly replayId: ReplayId; readonly state: ReplayState; readonly now: Date },
  { buyerKey: string }
>(
  'replay.end',
  `UPDATE replay SET state = $state, finished_at = $now WHERE replay_id = $replayId AND state = 'running'
   RETURNING buyer_key AS "buyerKey"`,
);

export const purgeReplaysSql = statement<{ readonly before: Date }>(
  'replay.purge',
  `DELETE FROM replay WHERE created_at < $before AND state <> 'running'`,
);

// The SQL of endpoints' health and outages.
import { statement } from '../platform/database/database.ts';
import type { EndpointKey, Health, EndpointState } from './breaker.rules.ts';

type Keys = {
  readonly ownerKinds: readonly string[];
  readonly ownerKeys: readonly string[];
  readonly channels: readonly string[];
};

const KEYS = '$ownerKinds::text[], $ownerKeys::text[], $channels::text[]';

/** Inserts rows to lock, so that two workers that see the first failures of an endpoint at the same time count all of them. */
export const insertHealth = statement<Keys & { readonly now: Date }>(
  'endpoints.insert_health',
  `INSERT INTO endpoint_health (owner_kind, owner_key, channel, failures, last_error, last_failed_at)
   SELECT owner_kind, owner_key, channel, 0, '', $now
   FROM unnest(${KEYS}) WITH ORDINALITY AS u (owner_kind, owner_key, channel, n) ORDER BY n
   ON CONFLICT DO NOTHING`,
);

export const lockHealth = statement<Keys, EndpointKey & Health>(
  'endpoints.lock_health',
  `SELECT h.owner_kind AS "ownerKind", h.owner_key AS "ownerKey", h.channel, h.failures, h.opened_at AS "openedAt",
          h.next_probe_at AS "nextProbeAt"
   FROM unnest(${KEYS}) WITH ORDINALITY AS u (owner_kind, owner_key, channel, n)
   JOIN endpoint_health h USING (owner_kind, owner_key, channel) ORDER BY u.n FOR UPDATE OF h`,
);

export const deleteHealthRows = statement<Keys>(
  'endpoints.delete_health',
  `DELETE FROM endpoint_health h USING unnest(${KEYS}) AS u (owner_kind, owner_key, channel)
   WHERE (h.owner_kind, h.owner_key, h.channel) = (u.owner_kind, u.owner_key, u.channel)`,
);

export const updateHealth = statement<
  Keys & {
    readonly failures: readonly number[];
    readonly openTimes: ReadonlyArray<Date | null>;
    readonly nextProbeTimes: ReadonlyArray<Date | null>;
    readonly lastErrors: readonly string[];
    readonly now: Date;
  }
>(
  'endpoints.update_health',
  `UPDATE endpoint_health h SET failures = u.failures, opened_at = u.opened_at, next_probe_at = u.next_probe_at,
          last_error = u.last_error, last_failed_at = $now
   FROM unnest(${KEYS}, $failures::int[], $openTimes::timestamptz[], $nextProbeTimes::timestamptz[], $lastErrors::text[])
     AS u (owner_kind, owner_key, channel, failures, opened_at, next_probe_at, last_error)
   WHERE (h.owner_kind, h.owner_key, h.channel) = (u.owner_kind, u.owner_key, u.channel)`,
);

export const insertOutages = statement<Keys & { readonly now: Date }>(
  'endpoints.insert_outages',
  `INSERT INTO endpoint_outage (owner_kind, owner_key, channel, opened_at)
   SELECT owner_kind, owner_key, channel, $now FROM unnest(${KEYS}) AS u (owner_kind, owner_key, channel)
   ON CONFLICT (owner_kind, owner_key, channel, opened_at) DO UPDATE SET closed_at = NULL`,
);

/** Never ends an outage before it began, even if the clocks of two machines differ. */
export const closeOutages = statement<Keys & { readonly now: Date }>(
  'endpoints.close_outages',
  `UPDATE endpoint_outage o SET closed_at = greatest($now, o.opened_at) FROM unnest(${KEYS}) AS u (owner_kind, owner_key, channel)
   WHERE (o.owner_kind, o.owner_key, o.channel) = (u.owner_kind, u.owner_key, u.channel) AND o.closed_at IS NULL`,
);

/**
 * Takes the right to the next probe of each endpoint whose breaker is open and whose next probe is due, or later than any probe is scheduled
 * ($farAway).
 */
export const takeProbesSql = statement<
  Keys & { readonly now: Date; readonly nextProbeAt: Date; readonly farAway: Date },
  EndpointKey & { openedAt: Date }
>(
  'endpoints.take_probes',
  `WITH due AS (
     SELECT h.* FROM unnest(${KEYS}) WITH ORDINALITY AS u (owner_kind, owner_key, channel, n)
     JOIN endpoint_health h USING (owner_kind, owner_key, channel)
     WHERE h.next_probe_at <= $now OR h.next_probe_at > $farAway ORDER BY u.n FOR UPDATE OF h SKIP LOCKED
   )
   UPDATE endpoint_health h SET next_probe_at = $nextProbeAt FROM due
   WHERE (h.owner_kind, h.owner_key, h.channel) = (due.owner_kind, due.owner_key, due.channel)
   RETURNING h.owner_kind AS "ownerKind", h.owner_key AS "ownerKey", h.channel, h.opened_at AS "openedAt"`,
);

export const deleteHealthSql = statement<
  { readonly ownerKind: string; readonly ownerKey: string; readonly channel: string },
  { openedAt: Date | null }
>(
  'endpoints.purge_health',
  `DELETE FROM endpoint_health WHERE owner_kind = $ownerKind AND owner_key = $ownerKey AND channel = $channel RETURNING opened_at AS "openedAt"`,
);

/** OFFSET 0 and LIMIT 1 make the planner use one index probe for each endpoint queue and purpose. */
export const selectFailing = statement<
  { readonly openedAt: Date; readonly dueAt: Date },
  { buyerKey: string; openedAt: Date }
>(
  'endpoints.failing',
  `SELECT h.owner_key AS "buyerKey", h.opened_at AS "openedAt"
   FROM endpoint_health h JOIN buyer b ON b.buyer_key = h.owner_key AND b.channels[1] = h.channel
   WHERE h.opened_at <= $openedAt AND h.owner_kind = 'buyer'
     AND EXISTS (SELECT FROM (VALUES ('sale'), ('replay'), ('copy')) AS p (purpose), LATERAL (
                   SELECT FROM send_job s
                   WHERE s.buyer_key = h.owner_key AND s.channel = h.channel AND s.purpose = p.purpose AND s.due_at <= $dueAt
                   ORDER BY s.due_at LIMIT 1) AS next OFFSET 0)`,
);

export const selectHealth = statement<{ readonly ownerKind: string; readonly ownerKey: string }, EndpointState>(
  'endpoints.health',
  `SELECT channel, failures, opened_at AS "openedAt", last_error AS "lastError", last_failed_at AS "lastFailedAt"
   FROM endpoint_health WHERE owner_kind = $ownerKind AND owner_key = $ownerKey AND failures > 0 ORDER BY channel`,
);

/** Outages that ended before $before, at most $atOnce. */
export const purgeOutagesSql = statement<{ readonly before: Date; readonly atOnce: number }, { purged: number }>(
  'endpoints.purge_outages',
  `WITH old AS (
     SELECT owner_kind, owner_key, channel, opened_at FROM endpoint_outage WHERE closed_at < $before LIMIT $atOnce
   ), purged AS (
     DELETE FROM endpoint_outage o USING old
     WHERE o.owner_kind = old.owner_kind AND o.owner_key = old.owner_key AND o.channel = old.channel AND o.opened_at = old.opened_at
     RETURNING 1
   )
   SELECT count(*) AS purged FROM purged`,
);

/** Only if the breaker is open. */
export const expediteProbeSql = statement<{
  readonly ownerKind: string;
  readonly ownerKey: string;
  readonly channel: string;
  readonly now: Date;
}>(
  'endpoints.hurry_probe',
  `UPDATE endpoint_health SET next_probe_at = $now
   WHERE owner_kind = $ownerKind AND owner_key = $ownerKey AND channel = $channel AND opened_at IS NOT NULL RETURNING opened_at AS "openedAt"`,
);

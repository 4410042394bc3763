// SQL statements for cap counters.
import { statement } from '../platform/database/database.ts';
import type { Counter } from './counter.ts';

type Keys = { readonly offerKeys: Buffer; readonly capWindows: Buffer; readonly startTimes: Buffer };

const KEYS = `unnest($offerKeys::text[], $capWindows::text[], $startTimes::timestamptz[]) AS u (offer_key, cap_window, starts_at)`;
const COLUMNS = `c.offer_key AS "offerKey", c.cap_window AS "window", c.starts_at AS "startsAt", c.used, c.used_cents AS "usedCents"`;

export const selectCounters = statement<Keys, Counter>(
  'caps.select',
  `SELECT ${COLUMNS} FROM ${KEYS} JOIN cap_counter c USING (offer_key, cap_window, starts_at)`,
);

export const insertCountersSql = statement<Keys>(
  'caps.make',
  `INSERT INTO cap_counter (offer_key, cap_window, starts_at, used, used_cents)
   SELECT offer_key, cap_window, starts_at, 0, 0 FROM ${KEYS} ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`,
);

export const lockCountersSql = statement<Keys, Counter>(
  'caps.lock',
  `SELECT ${COLUMNS} FROM ${KEYS} JOIN cap_counter c USING (offer_key, cap_window, starts_at)
   ORDER BY c.offer_key, c.cap_window, c.starts_at FOR UPDATE OF c`,
);

export const addToCounters = statement<Keys & { readonly slots: Buffer; readonly cents: Buffer }>(
  'caps.add',
  `UPDATE cap_counter c SET used = c.used + u.slots, used_cents = c.used_cents + u.cents
   FROM unnest($offerKeys::text[], $capWindows::text[], $startTimes::timestamptz[], $slots::bigint[], $cents::bigint[])
     AS u (offer_key, cap_window, starts_at, slots, cents)
   WHERE c.offer_key = u.offer_key AND c.cap_window = u.cap_window AND c.starts_at = u.starts_at`,
);

export const selectSlots = statement<
  { readonly offerKeys: readonly string[]; readonly since: Date },
  { offerKey: string; startsAt: Date; used: number }
>(
  'caps.select_slots',
  `SELECT offer_key AS "offerKey", starts_at AS "startsAt", used FROM cap_counter
   WHERE offer_key = ANY($offerKeys::text[]) AND cap_window = 'slot' AND starts_at >= $since`,
);

/** Deletes at most $atOnce windows that began before $before, except the listed ones. */
export const purgeCountersSql = statement<
  {
    readonly before: Date;
    readonly offerKeys: Buffer;
    readonly capWindows: Buffer;
    readonly startTimes: Buffer;
    readonly atOnce: number;
  },
  { purged: number }
>(
  'caps.purge',
  `WITH old AS (
     SELECT offer_key, cap_window, starts_at FROM cap_counter c
     WHERE starts_at < $before AND NOT EXISTS (
       SELECT FROM unnest($offerKeys::text[], $capWindows::text[], $startTimes::timestamptz[]) AS u (offer_key, cap_window, starts_at)
       WHERE u.offer_key = c.offer_key AND u.cap_window = c.cap_window AND u.starts_at = c.starts_at)
     LIMIT $atOnce
   ), purged AS (DELETE FROM cap_counter c USING old
     WHERE c.offer_key = old.offer_key AND c.cap_window = old.cap_window AND c.starts_at = old.starts_at RETURNING 1)
   SELECT count(*) AS purged FROM purged`,
);

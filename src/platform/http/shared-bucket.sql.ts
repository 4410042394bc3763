// The SQL of the token buckets that all API processes share (decision 054).
import { statement } from '../database/database.ts';

/**
 * Charges several buckets at once. Those that are not stored are missing in the result. Buckets are locked in the order of their names, so
 * that processes never wait for each other in a circle.
 */
export const chargeBuckets = statement<
  {
    readonly nowMs: number;
    readonly roundingMs: number;
    readonly buckets: readonly string[];
    readonly perTokenMs: readonly number[];
    readonly capacityMs: readonly number[];
    readonly debtMs: readonly number[];
    readonly admitted: readonly number[];
    readonly wanted: readonly number[];
  },
  { bucket: string; fullAtMs: number; granted: number }
>(
  'rate_bucket.charge',
  `WITH held AS (
     SELECT bucket, full_at_ms FROM rate_bucket WHERE bucket = ANY ($buckets::text[]) ORDER BY bucket FOR UPDATE
   ), charged AS (
     SELECT bucket, per_token_ms, capacity_ms, wanted,
            least(greatest(full_at_ms, $nowMs), $nowMs + capacity_ms + debt_ms) + admitted * per_token_ms AS full_at_ms
     FROM unnest($buckets::text[], $perTokenMs::float8[], $capacityMs::float8[], $debtMs::float8[], $admitted::integer[],
                 $wanted::integer[]) AS asked (bucket, per_token_ms, capacity_ms, debt_ms, admitted, wanted)
     JOIN held USING (bucket)
   ), drawn AS (
     SELECT bucket, per_token_ms, full_at_ms,
            greatest(0, least(wanted, floor(($nowMs + capacity_ms - full_at_ms + $roundingMs) / per_token_ms))) AS granted
     FROM charged
   )
   UPDATE rate_bucket AS stored SET full_at_ms = drawn.full_at_ms + drawn.granted * drawn.per_token_ms
   FROM drawn WHERE stored.bucket = drawn.bucket
   RETURNING stored.bucket, stored.full_at_ms AS "fullAtMs", drawn.granted::integer AS granted`,
);

/** Stores buckets that are full; another process may have done so in the meantime. */
export const addBuckets = statement<{ readonly buckets: readonly string[]; readonly nowMs: number }>(
  'rate_bucket.add',
  `INSERT INTO rate_bucket (bucket, full_at_ms) SELECT bucket, $nowMs FROM unnest($buckets::text[]) AS u (bucket)
   ORDER BY bucket ON CONFLICT (bucket) DO NOTHING`,
);

/** Deletes buckets that have been full since $beforeMs: a missing bucket is a full one. */
export const purgeBuckets = statement<{ readonly beforeMs: number }>(
  'rate_bucket.purge',
  `DELETE FROM rate_bucket WHERE bucket IN
     (SELECT bucket FROM rate_bucket WHERE full_at_ms < $beforeMs FOR UPDATE SKIP LOCKED)`,
);

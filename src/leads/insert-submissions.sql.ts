// SQL statements that store submissions together with their routing jobs, consent proofs and counts.
import type { LeadId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import { CLOCKS_DIFFER_MS } from '../platform/queue/due-at-once.ts';
import { ERROR_SEPARATOR } from './field-errors.rules.ts';
import { SCORE_TENS } from './score-tens.ts';

const countsByTen = SCORE_TENS.map(
  (ten) => `count(*) FILTER (WHERE score ${ten === SCORE_TENS.at(-1) ? `>= ${ten}` : `BETWEEN ${ten} AND ${ten + 9}`})`,
).join(', ');

/**
 * One statement, so that leads, routing jobs, consent proofs and counts share a commit without further round trips. Skips leads whose
 * external id is taken, and leads stored by an earlier attempt of the same flush; the number of stored rows tells whether that happened.
 * The order prevents deadlocks between two flushes with the same external ids.
 */
export const insertSubmissions = statement<
  {
    readonly fields: Buffer;
    readonly rawBodies: Buffer;
    readonly scoreFactors: Buffer;
    readonly leadIds: Buffer;
    readonly supplierKeys: Buffer;
    readonly externalIds: Buffer;
    readonly isTests: Buffer;
    readonly reasons: Buffer;
    readonly scores: Buffer;
    readonly receivedTimes: Buffer;
    readonly contentHashes: Buffer;
    readonly proofs: Buffer;
    readonly rawBodyBytes: Buffer;
  },
  { stored: number }
>(
  'leads.insert_submissions',
  `WITH stored AS (
     INSERT INTO lead (lead_id, supplier_key, external_id, is_test, is_accepted, state, public_status, reason, score,
                       score_factors, received_at, decided_at, content_hash, fields, raw_body, raw_body_bytes)
     SELECT u.lead_id, u.supplier_key, u.external_id, u.is_test, u.score IS NOT NULL,
            CASE WHEN u.score IS NULL THEN 'rejected' ELSE 'received' END,
            CASE WHEN u.score IS NULL THEN 'Invalid' ELSE 'Pending' END,
            u.reason, u.score, u.score_factors, u.received_at,
            CASE WHEN u.score IS NULL THEN u.received_at END, u.content_hash, u.fields, u.raw_body, u.raw_body_bytes
     FROM unnest($fields::text[], $rawBodies::text[], $scoreFactors::text[], $leadIds::uuid[], $supplierKeys::text[], $externalIds::text[], $isTests::bool[], $reasons::text[], $scores::int2[],
                 $receivedTimes::timestamptz[], $contentHashes::bytea[], $rawBodyBytes::int8[])
       AS u (fields, raw_body, score_factors, lead_id, supplier_key, external_id, is_test, reason, score, received_at, content_hash,
             raw_body_bytes)
     ORDER BY u.supplier_key, u.is_test, u.external_id
     ON CONFLICT DO NOTHING
     RETURNING lead_id, supplier_key, is_test, public_status, reason, score, received_at
   ), proven AS (
     INSERT INTO consent_record (lead_id, stored_at, proof)
     SELECT lead_id, received_at, proof FROM stored JOIN unnest($leadIds::uuid[], $proofs::text[]) AS c (lead_id, proof) USING (lead_id)
     WHERE score IS NOT NULL
   ), queued AS (
     INSERT INTO routing_inbox (due_at, lead_id, supplier_key)
     SELECT received_at - interval '${CLOCKS_DIFFER_MS} milliseconds', lead_id, supplier_key FROM stored WHERE score IS NOT NULL
   ), counted AS (
     INSERT INTO lead_count (supplier_key, day, public_status, leads, scored, score_sum, scores_by_ten)
     SELECT supplier_key, (received_at AT TIME ZONE 'UTC')::date, public_status, count(*), count(score), coalesce(sum(score), 0),
            CASE WHEN count(score) > 0 THEN ARRAY[${countsByTen}] END
     FROM stored WHERE NOT is_test GROUP BY 1, 2, 3
   ), rejected AS (
     INSERT INTO refusal_count (supplier_key, day, reason, leads)
     SELECT supplier_key, (received_at AT TIME ZONE 'UTC')::date, error, count(*)
     FROM stored, unnest(string_to_array(reason, '${ERROR_SEPARATOR}')) AS u (error) WHERE score IS NULL AND NOT is_test GROUP BY 1, 2, 3
   )
   SELECT count(*) AS stored FROM stored`,
);

/**
 * The same for a single accepted lead, as which most leads come while there is no rush: plain values, no sort and no part for rejections,
 * which together cost half as much again. `tens` counts the lead in the range of its score.
 */
export const insertSubmission = statement<
  {
    readonly leadId: LeadId;
    readonly supplierKey: string;
    readonly externalId: string | null;
    readonly isTest: boolean;
    readonly score: number;
    readonly scoreFactors: string | null;
    readonly receivedAt: Date;
    readonly contentHash: Buffer;
    readonly fields: string | null;
    readonly rawBody: string | null;
    readonly proof: string | null;
    readonly tens: readonly number[];
  },
  { stored: number }
>(
  'leads.insert_submission',
  `WITH stored AS (
     INSERT INTO lead (lead_id, supplier_key, external_id, is_test, is_accepted, state, public_status, score, score_factors, received_at,
                       content_hash, fields, raw_body)
     VALUES ($leadId, $supplierKey, $externalId, $isTest, true, 'received', 'Pending', $score, $scoreFactors, $receivedAt,
             $contentHash, $fields, $rawBody)
     ON CONFLICT DO NOTHING RETURNING lead_id
   ), proven AS (
     INSERT INTO consent_record (lead_id, stored_at, proof) SELECT lead_id, $receivedAt, $proof FROM stored
   ), queued AS (
     INSERT INTO routing_inbox (due_at, lead_id, supplier_key)
     SELECT $receivedAt::timestamptz - interval '${CLOCKS_DIFFER_MS} milliseconds', lead_id, $supplierKey FROM stored
   ), counted AS (
     INSERT INTO lead_count (supplier_key, day, public_status, leads, scored, score_sum, scores_by_ten)
     SELECT $supplierKey, ($receivedAt::timestamptz AT TIME ZONE 'UTC')::date, 'Pending', 1, 1, $score, $tens::bigint[]
     FROM stored WHERE NOT $isTest
   )
   SELECT count(*) AS stored FROM stored`,
);

// The SQL of responses that are kept by Idempotency-Key.
import { statement } from '../database/database.ts';
import type { CredentialId } from '../../base/ids.ts';

/** $lockNumber is a hash of credential and key. The lock is held until the transaction ends. */
export const lockKey = statement<{ readonly lockNumber: bigint }, { locked: boolean }>(
  'http.lock_idempotency_key',
  `SELECT pg_try_advisory_xact_lock($lockNumber) AS "locked"`,
);

type KeptRow = {
  readonly method: string;
  readonly path: string;
  readonly bodyHash: Buffer;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
};

/** Ignores responses created until $keptSince, and marks of running work created until $runningSince. */
export const findResponse = statement<
  {
    readonly credentialId: CredentialId;
    readonly key: string;
    readonly keptSince: Date;
    readonly runningStatus: number;
    readonly runningSince: Date;
  },
  KeptRow
>(
  'http.find_idempotent_answer',
  `SELECT method, path, body_hash AS "bodyHash", status, content_type AS "contentType", body
   FROM idempotency_key
   WHERE credential_id = $credentialId AND idempotency_key = $key
     AND created_at > CASE WHEN status = $runningStatus THEN $runningSince::timestamptz ELSE $keptSince::timestamptz END`,
);

export const keepResponse = statement<{
  readonly credentialId: CredentialId;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly bodyHash: Buffer;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly now: Date;
}>(
  'http.keep_idempotent_answer',
  `INSERT INTO idempotency_key
     (credential_id, idempotency_key, method, path, body_hash, status, content_type, body, created_at)
   VALUES ($credentialId, $key, $method, $path, $bodyHash, $status, $contentType, $body, $now)
   ON CONFLICT (credential_id, idempotency_key) DO UPDATE SET
     method = excluded.method, path = excluded.path, body_hash = excluded.body_hash, status = excluded.status,
     content_type = excluded.content_type, body = excluded.body, created_at = excluded.created_at`,
);

export const purgeResponses = statement<{ readonly olderThan: Date }, { count: number }>(
  'http.purge_idempotent_answers',
  `WITH purged AS (DELETE FROM idempotency_key WHERE created_at <= $olderThan RETURNING 1)
   SELECT count(*) AS "count" FROM purged`,
);

/** Skips responses to submitted leads, which contain no personal data and are nearly all rows. An index has the same condition on the path. */
export const deleteResponsesAbout = statement<{ readonly names: readonly string[] }>(
  'http.purge_answers_about',
  `DELETE FROM idempotency_key
   WHERE path <> '/api/v1/ingest' AND EXISTS (SELECT FROM unnest($names::text[]) AS u (name) WHERE strpos(body, u.name) > 0)`,
);

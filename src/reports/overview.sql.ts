// SQL of the operator's overview. It runs every second, so each statement reads daily counts or a bounded number of rows, however long the
// queues and large the tables are.
import { statement } from '../platform/database/database.ts';
import { firstOfEach } from '../platform/database/loose-index-scan.ts';
import type { Uuid } from '../base/ids.ts';
import type { IllEndpoint } from './overview.rules.ts';

export type LatestAttempts = {
  readonly made: number;
  /** Time of the first of these attempts; null if there are none. */
  readonly from: Date | null;
  readonly taken: number;
  readonly serverErrors: number;
  readonly noResponse: number;
};

/** Queues are counted up to this number; larger ones are shown as "more". */
export const COUNTED_AT_MOST = 10_000;
/** The attempts of an hour, at most as many as can be read in a few milliseconds. */
const ATTEMPTS_AT_MOST = 1000;
const FAILING_AT_MOST = 50;

const ONE_MORE = COUNTED_AT_MOST + 1;

/** Leads due later are held, or deferred after a failure. */
export const routingQueue = statement<
  { readonly now: Date },
  { oldestDueAt: Date | null; waiting: number; later: number }
>(
  'overview.routing_queue',
  `SELECT (SELECT due_at FROM routing_inbox ORDER BY due_at LIMIT 1) AS "oldestDueAt",
          (SELECT count(*) FROM (SELECT FROM routing_inbox WHERE due_at <= $now ORDER BY due_at LIMIT ${ONE_MORE}) AS due) AS waiting,
          (SELECT count(*) FROM (SELECT FROM routing_inbox WHERE due_at > $now ORDER BY due_at LIMIT ${ONE_MORE}) AS later) AS later`,
);

export const oldestRouting = statement<void, { oldestDueAt: Date }>(
  'overview.oldest_routing',
  'SELECT due_at AS "oldestDueAt" FROM routing_inbox ORDER BY due_at LIMIT 1',
);

export type Jobs = { jobs: number; inFlight: number; waiting: number; later: number };

/** Counts the first jobs of the table. A job in progress has the end of its lease as `due_at`. */
export const sendingQueue = statement<{ readonly now: Date }, Jobs>(
  'overview.sending_queue',
  `SELECT count(*) AS jobs, count(*) FILTER (WHERE attempt_id IS NOT NULL) AS "inFlight",
          count(*) FILTER (WHERE attempt_id IS NULL AND due_at <= $now) AS waiting,
          count(*) FILTER (WHERE attempt_id IS NULL AND due_at > $now) AS later
   FROM (SELECT attempt_id, due_at FROM send_job LIMIT ${ONE_MORE}) AS part`,
);

export const messageQueue = statement<{ readonly now: Date }, Jobs>(
  'overview.message_queue',
  `SELECT count(*) AS jobs, count(*) FILTER (WHERE lease_id IS NOT NULL) AS "inFlight",
          count(*) FILTER (WHERE lease_id IS NULL AND due_at <= $now) AS waiting,
          count(*) FILTER (WHERE lease_id IS NULL AND due_at > $now) AS later
   FROM (SELECT lease_id, due_at FROM message_job LIMIT ${ONE_MORE}) AS part`,
);

export type Oldest = { oldestDueAt: Date | null; oldestBrokenAt: Date | null };

/** One index probe per endpoint queue. Jobs that wait for a broken endpoint are separated from jobs that wait for a worker. */
export const oldestSending = statement<{ readonly now: Date }, Oldest>(
  'overview.oldest_sending',
  `WITH RECURSIVE oldest AS (${firstOfEach('oldest', 'send_job', ['buyer_key', 'channel', 'purpose'], 'due_at')})
   SELECT min(l.due_at) FILTER (WHERE h.opened_at IS NULL) AS "oldestDueAt",
          min(l.due_at) FILTER (WHERE h.opened_at IS NOT NULL) AS "oldestBrokenAt"
   FROM oldest l LEFT JOIN endpoint_health h
     ON h.owner_kind = 'buyer' AND h.owner_key = l.buyer_key AND h.channel = l.channel AND h.opened_at IS NOT NULL
   WHERE l.due_at <= $now`,
);

export const oldestMessage = statement<{ readonly now: Date }, Oldest>(
  'overview.oldest_message',
  `WITH RECURSIVE oldest AS (${firstOfEach('oldest', 'message_job', ['owner_kind', 'owner_key', 'channel'], 'due_at')})
   SELECT min(l.due_at) FILTER (WHERE h.opened_at IS NULL) AS "oldestDueAt",
          min(l.due_at) FILTER (WHERE h.opened_at IS NOT NULL) AS "oldestBrokenAt"
   FROM oldest l LEFT JOIN endpoint_health h
     ON h.owner_kind = l.owner_kind AND h.owner_key = l.owner_key AND h.channel = l.channel AND h.opened_at IS NOT NULL
   WHERE l.due_at <= $now`,
);

export const deadJobs = statement<void, { jobs: number; latestAt: Date | null }>(
  'overview.dead_jobs',
  `SELECT (SELECT count(*) FROM (SELECT FROM dead_job LIMIT ${ONE_MORE}) AS dead) AS jobs,
          (SELECT failed_at FROM dead_job ORDER BY failed_at DESC, job_id DESC LIMIT 1) AS "latestAt"`,
);

/** The endpoints that have failed for longest come first; disabled ones count as failing until they are enabled. */
export const failingEndpoints = statement<void, IllEndpoint & { inAll: number; disabled: number }>(
  'overview.failing_endpoints',
  `SELECT f.*, count(*) OVER () AS "inAll", count(*) FILTER (WHERE state = 'disabled') OVER () AS disabled FROM (
     SELECT h.owner_kind AS "ownerKind", h.owner_key AS "ownerKey", coalesce(b.name, s.name, h.owner_key) AS name, h.channel,
            'failing' AS state, h.opened_at AS since, h.last_error AS "lastError"
     FROM endpoint_health h
     LEFT JOIN buyer b ON h.owner_kind = 'buyer' AND b.buyer_key = h.owner_key
     LEFT JOIN supplier s ON h.owner_kind = 'supplier' AND s.supplier_key = h.owner_key
     WHERE h.opened_at IS NOT NULL
       AND NOT (h.owner_kind = 'buyer' AND h.channel = 'webhook' AND b.endpoint_disabled_at IS NOT NULL)
     UNION ALL
     SELECT 'buyer', buyer_key, name, 'webhook', 'disabled', endpoint_disabled_at, NULL FROM buyer
     WHERE endpoint_disabled_at IS NOT NULL
   ) AS f ORDER BY since, "ownerKind", "ownerKey", channel LIMIT ${FAILING_AT_MOST}`,
);

/** $since: the first id of the period. */
export const latestAttempts = statement<{ readonly since: Uuid }, Omit<LatestAttempts, 'made'> & { attempts: number }>(
  'overview.latest_attempts',
  `SELECT count(*) AS attempts, min(at) AS "from",
          count(*) FILTER (WHERE state = 'succeeded') AS taken,
          count(*) FILTER (WHERE state <> 'succeeded' AND response_code BETWEEN 500 AND 599 AND channel IN ('webhook', 'sheets', 'sheets_script')) AS "serverErrors",
          count(*) FILTER (WHERE state <> 'succeeded' AND response_code IS NULL) AS "noResponse"
   FROM (SELECT at, state, response_code, channel FROM attempt WHERE attempt_id >= $since ORDER BY attempt_id DESC LIMIT ${ATTEMPTS_AT_MOST}) AS latest
   WHERE state <> 'scheduled'`,
);

/** The last submission by id, including test leads and rejected ones. */
export const latestLead = statement<void, { receivedAt: Date }>(
  'overview.latest_lead',
  'SELECT received_at AS "receivedAt" FROM lead ORDER BY lead_id DESC LIMIT 1',
);

export const selectMarketplaceStatus = statement<void, { configVersion: number; currency: string }>(
  'overview.marketplace',
  'SELECT config_version AS "configVersion", currency FROM marketplace',
);

export const databaseSize = statement<void, { bytes: number }>(
  'overview.database_size',
  'SELECT pg_database_size(current_database()) AS bytes',
);

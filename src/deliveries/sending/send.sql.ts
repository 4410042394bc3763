// The SQL of send jobs.
import type { AttemptId, DeliveryId } from '../../base/ids.ts';
import type { BuyerSettings, Channel, ReturnPolicy } from '../../buyers/buyer.ts';
import type { SealedSecret } from '../../credentials/partner-secrets.ts';
import { statement } from '../../platform/database/database.ts';
import { firstOfEach } from '../../platform/database/loose-index-scan.ts';
import type { JobState } from '../../platform/outbound/retry.rules.ts';
import type { SoldRow } from '../delivery.ts';
import { deliveryViewColumns } from '../delivery.sql.ts';
import type { EndpointQueue, SendPurpose, DueQueue } from './endpoint-queue.rules.ts';

/** A sheet accepts this many rows at once; other channels ask for fewer. */
export const JOBS_AT_ONCE = 200;

/**
 * Endpoint queues with a due job: one index probe for each purpose, however many jobs wait. A queue whose breaker is open is included only
 * if its next probe is due, or later than any probe is scheduled ($latestProbe). Jobs for a disabled webhook do not wait for its breaker:
 * they fail without being sent.
 */
export const dueQueuesSql = statement<{ readonly now: Date; readonly latestProbe: Date }, DueQueue>(
  'sending.due_queues',
  `WITH RECURSIVE oldest AS (${firstOfEach('oldest', 'send_job', ['buyer_key', 'channel', 'purpose'], 'due_at')})
   SELECT DISTINCT l.buyer_key AS "buyerKey", l.channel, h.opened_at IS NOT NULL AS "isBroken"
   FROM oldest l LEFT JOIN endpoint_health h
     ON h.owner_kind = 'buyer' AND h.owner_key = l.buyer_key AND h.channel = l.channel AND h.opened_at IS NOT NULL
     AND NOT (h.channel = 'webhook'
              AND EXISTS (SELECT FROM buyer b WHERE b.buyer_key = h.owner_key AND b.endpoint_disabled_at IS NOT NULL))
   WHERE l.due_at <= $now AND (h.next_probe_at IS NULL OR h.next_probe_at <= $now OR h.next_probe_at > $latestProbe)`,
);

export type ClaimedJob = SoldRow &
  EndpointQueue &
  Omit<JobState, 'isProbe'> & {
    attemptId: AttemptId;
    /** Of the attempt before, if it ended without a result. */
    lostAttemptId: AttemptId | null;
    purpose: SendPurpose;
    slotMinutes: number | null;
    /** The lowest price that the response may name; null where the price is fixed. */
    priceMinCents: number | null;
    /** In which the response names its price; null where the price is fixed. */
    currency: string | null;
  };

/** A partner as its messages need it; read once per claim and not with each of its jobs. */
export type RecipientRow = BuyerSettings & {
  buyerKey: string;
  name: string;
  returnPolicy: ReturnPolicy;
  timeZone: string;
  channels: readonly Channel[];
  disabledAt: Date | null;
  webhookFormat: string | null;
  sealedSecrets: readonly SealedSecret[] | null;
  secret: string | null;
  previousSecret: string | null;
  ownColumns: readonly string[];
};

export const selectRecipients = statement<{ readonly buyerKeys: readonly string[]; readonly now: Date }, RecipientRow>(
  'sending.recipients',
  `SELECT b.buyer_key AS "buyerKey", b.name, b.notification_email AS "notificationEmail", b.cc_emails AS "ccEmails",
          b.webhook_url AS "webhookUrl", b.phone, b.sms_number AS "smsNumber", b.sheets_webhook_url AS "sheetsWebhookUrl",
          b.sheets_spreadsheet_id AS "sheetsSpreadsheetId", b.channels, b.endpoint_disabled_at AS "disabledAt",
          b.return_policy AS "returnPolicy", b.time_zone AS "timeZone", b.webhook_format::text AS "webhookFormat",
          b.own_columns AS "ownColumns", s.secret,
          CASE WHEN b.webhook_format IS NOT NULL THEN (
            SELECT jsonb_agg(jsonb_build_object('name', p.name, 'keyId', p.key_id, 'sealed', encode(p.sealed, 'base64')))
            FROM partner_secret p WHERE p.buyer_key = b.buyer_key) END AS "sealedSecrets",
          CASE WHEN s.previous_valid_until > $now THEN s.previous_secret END AS "previousSecret"
   FROM buyer b LEFT JOIN signing_secret s ON s.owner_kind = 'buyer' AND s.owner_key = b.buyer_key
   WHERE b.buyer_key = ANY($buyerKeys::text[])`,
);

/**
 * Leases up to the given number of due jobs of each endpoint queue: sales first, and the oldest of each purpose. An attempt that a dead
 * worker left without a result uses up a step; whether the buyer received it stays unknown, because every attempt counts as uncertain until
 * its response arrives. The inner limits are for the planner, which would estimate the outer one at a tenth of all jobs and
 * read whole tables; rows are locked one by one, only as many as the outer limit needs.
 */
export const claimJobs = statement<
  {
    readonly attemptIds: readonly AttemptId[];
    readonly buyerKeys: readonly string[];
    readonly channels: readonly string[];
    readonly limits: readonly number[];
    readonly now: Date;
    readonly leasedUntil: Date;
  },
  ClaimedJob
>(
  'sending.claim',
  `WITH due AS (
     SELECT j.delivery_id, j.channel, j.attempt_id AS lost_attempt, ($attemptIds::uuid[])[row_number() OVER ()] AS fresh
     FROM unnest($buyerKeys::text[], $channels::text[], $limits::int[]) AS u (buyer_key, channel, jobs),
     LATERAL (SELECT * FROM (
                SELECT oldest.* FROM (VALUES ('sale'), ('replay'), ('copy')) AS p (purpose), LATERAL (
                  SELECT * FROM send_job s
                  WHERE s.buyer_key = u.buyer_key AND s.channel = u.channel AND s.purpose = p.purpose AND s.due_at <= $now
                  ORDER BY s.due_at LIMIT ${JOBS_AT_ONCE} FOR UPDATE SKIP LOCKED) AS oldest
                LIMIT ${JOBS_AT_ONCE}) AS due_now
              LIMIT u.jobs) AS j
   ), taken AS (
     UPDATE send_job s SET due_at = $leasedUntil, attempts = s.attempts + 1, uncertain = s.uncertain + 1, attempt_id = due.fresh,
            steps = s.steps + (due.lost_attempt IS NOT NULL)::int
     FROM due WHERE s.delivery_id = due.delivery_id AND s.channel = due.channel
     RETURNING s.delivery_id, s.channel, s.buyer_key, s.purpose, s.attempts, s.steps, s.uncertain, s.attempt_id, due.lost_attempt
   )
   SELECT t.attempt_id AS "attemptId", t.lost_attempt AS "lostAttemptId", t.channel, t.purpose, t.attempts, t.steps, t.uncertain, t.buyer_key AS "buyerKey",
          CASE WHEN d.appointment_at IS NOT NULL THEN (o.definition -> 'booking' ->> 'slotMinutes')::int END AS "slotMinutes",
          d.price_min_cents AS "priceMinCents",
          CASE WHEN d.price_min_cents IS NOT NULL THEN (SELECT currency FROM marketplace) END AS currency, ${deliveryViewColumns}
   FROM taken t JOIN delivery d USING (delivery_id) JOIN lead l ON l.lead_id = d.lead_id
   LEFT JOIN offer o ON o.offer_key = d.offer_key
   ORDER BY t.attempt_id`,
);

type UnfinishedAttempt = { deliveryId: DeliveryId; channel: Channel; attemptId: AttemptId; number: number };

/** Returns attempts of other workers at these jobs: they may never finish, but their results may still be logged. */
export const deleteJobs = statement<
  {
    readonly deliveryIds: readonly DeliveryId[];
    readonly channels: readonly string[];
    readonly attemptIds: readonly AttemptId[];
  },
  UnfinishedAttempt
>(
  'sending.delete_jobs',
  `WITH over AS (
     DELETE FROM send_job s USING unnest($deliveryIds::uuid[], $channels::text[], $attemptIds::uuid[]) AS u (delivery_id, channel, attempt_id)
     WHERE s.delivery_id = u.delivery_id AND s.channel = u.channel
     RETURNING s.delivery_id, s.channel, s.attempt_id, s.attempts, u.attempt_id AS own
   )
   SELECT delivery_id AS "deliveryId", channel, attempt_id AS "attemptId", attempts AS number FROM over WHERE attempt_id <> own`,
);

/** Undoes the lease of jobs whose attempts were not made. */
export const deferJobs = statement<{
  readonly attemptIds: readonly AttemptId[];
  readonly deliveryIds: readonly DeliveryId[];
  readonly channels: readonly string[];
  readonly dueTimes: readonly Date[];
}>(
  'sending.defer',
  `UPDATE send_job s SET due_at = u.due_at, attempts = s.attempts - 1, uncertain = s.uncertain - 1, attempt_id = NULL
   FROM unnest($deliveryIds::uuid[], $channels::text[], $attemptIds::uuid[], $dueTimes::timestamptz[]) AS u (delivery_id, channel, attempt_id, due_at)
   WHERE s.delivery_id = u.delivery_id AND s.channel = u.channel AND s.attempt_id = u.attempt_id`,
);

/** Queues confirmed deliveries for the partner's other channels. */
export const insertCopies = statement<{ readonly dueAt: Date; readonly deliveryIds: readonly DeliveryId[] }>(
  'sending.insert_copies',
  `INSERT INTO send_job (delivery_id, channel, buyer_key, due_at, purpose)
   SELECT d.delivery_id, c.channel, d.buyer_key, $dueAt, 'copy'
   FROM delivery d JOIN buyer b ON b.buyer_key = d.buyer_key AND cardinality(b.channels) > 1, unnest(b.channels) AS c (channel)
   WHERE d.delivery_id = ANY($deliveryIds::uuid[]) AND c.channel <> d.channel
   ON CONFLICT DO NOTHING RETURNING channel`,
);

/** Of these endpoint queues, without those whose breaker is open, how many have a sale that should have been sent before $before. */
export const countOverdue = statement<
  { readonly buyerKeys: readonly string[]; readonly channels: readonly string[]; readonly before: Date },
  { queues: number; overdue: number }
>(
  'sending.count_overdue',
  `SELECT count(*) AS queues, count(*) FILTER (WHERE oldest.due_at < $before) AS overdue
   FROM unnest($buyerKeys::text[], $channels::text[]) AS u (buyer_key, channel)
   LEFT JOIN LATERAL (
     SELECT s.due_at FROM send_job s WHERE s.buyer_key = u.buyer_key AND s.channel = u.channel AND s.purpose = 'sale'
     ORDER BY s.due_at LIMIT 1) AS oldest ON true
   WHERE NOT EXISTS (
     SELECT FROM endpoint_health h
     WHERE h.owner_kind = 'buyer' AND h.owner_key = u.buyer_key AND h.channel = u.channel AND h.opened_at IS NOT NULL)`,
);

export const countWaiting = statement<{ readonly buyerKey: string; readonly channel: string }, { waiting: number }>(
  'sending.count_waiting',
  `SELECT count(*)::int AS waiting FROM send_job WHERE buyer_key = $buyerKey AND channel = $channel AND purpose = 'sale'`,
);

/** Only the lease holder may reschedule a job. */
export const rescheduleJobs = statement<{
  readonly deliveryIds: readonly DeliveryId[];
  readonly channels: readonly string[];
  readonly attemptIds: readonly AttemptId[];
  readonly dueTimes: readonly Date[];
  readonly steps: readonly number[];
  readonly uncertainCounts: readonly number[];
}>(
  'sending.reschedule',
  `UPDATE send_job s SET due_at = u.due_at, steps = u.steps, uncertain = u.uncertain, attempt_id = NULL
   FROM unnest($deliveryIds::uuid[], $channels::text[], $attemptIds::uuid[], $dueTimes::timestamptz[], $steps::int[], $uncertainCounts::int[])
     AS u (delivery_id, channel, attempt_id, due_at, steps, uncertain)
   WHERE s.delivery_id = u.delivery_id AND s.channel = u.channel AND s.attempt_id = u.attempt_id`,
);

/** The next claim of the job logs the attempts as interrupted, and their receipt stays uncertain. */
export const takeOverLeasesSql = statement<{ readonly now: Date }>(
  'sending.take_over_leases',
  `UPDATE send_job SET due_at = $now WHERE attempt_id IS NOT NULL AND due_at > $now RETURNING delivery_id AS "deliveryId"`,
);

/** Which of these attempts still hold the lease of their job. */
export const heldLeases = statement<
  {
    readonly deliveryIds: readonly DeliveryId[];
    readonly channels: readonly string[];
    readonly attemptIds: readonly AttemptId[];
  },
  { attemptId: AttemptId }
>(
  'sending.held_leases',
  `SELECT s.attempt_id AS "attemptId"
   FROM unnest($deliveryIds::uuid[], $channels::text[], $attemptIds::uuid[]) AS u (delivery_id, channel, attempt_id)
   JOIN send_job s ON s.delivery_id = u.delivery_id AND s.channel = u.channel AND s.attempt_id = u.attempt_id
   ORDER BY s.delivery_id, s.channel FOR UPDATE OF s`,
);

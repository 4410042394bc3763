// The SQL of the operator's log of messages: attempts of all partners, newest or oldest first, in a bounded range of the table.
import type { AttemptId, DeliveryId, LeadId, Uuid } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import type { MessageDetail, MessageOutcome, MessageRow } from './message-outcome.rules.ts';

const MESSAGE = `a.attempt_id AS "attemptId", a.delivery_id AS "deliveryId", d.event_type AS "eventType", d.ref_number AS "refNumber",
  d.lead_id AS "leadId", a.buyer_key AS "buyerKey", a.channel, a.target, a.attempt, a.state, a.response_code AS "responseCode",
  a.response_snippet AS "responseSnippet", a.latency_ms AS "latencyMs", a.error, a.is_test AS "isTest", a.at,
  a.next_attempt_at AS "nextAttemptAt", a.message_type AS "messageType"`;

/** The attempts before $beforeId and after $afterId. */
export type MessageSpan = { readonly beforeId: Uuid; readonly afterId: Uuid };
const IN_SPAN = 'attempt_id < $beforeId AND attempt_id > $afterId';

type Direction = 'ASC' | 'DESC';

/** Null members are no condition. */
export type MessageConditions = {
  readonly buyer: string | null;
  readonly channel: string | null;
  readonly outcome: MessageOutcome | null;
  readonly type: string | null;
  /** A range of response codes; 0 to 0: no response. */
  readonly codeFrom: number | null;
  readonly codeTo: number | null;
};

/** In the words of `outcomeOf`. */
const OUTCOME = `CASE a.state WHEN 'succeeded' THEN 'taken' WHEN 'scheduled' THEN 'sending'
  WHEN 'exhausted' THEN CASE WHEN a.message_type IS NULL THEN 'failed' ELSE 'dead_letter' END
  ELSE CASE WHEN a.next_attempt_at IS NULL THEN 'failed' ELSE 'retried' END END`;

const CONDITIONS = `($buyer::text IS NULL OR a.buyer_key = $buyer)
  AND ($channel::text IS NULL OR a.channel = $channel)
  AND ($outcome::text IS NULL OR $outcome = ${OUTCOME})
  AND ($type::text IS NULL OR $type = CASE WHEN a.is_test THEN 'lead.test' ELSE coalesce(a.message_type, 'lead.delivered') END)
  AND ($codeFrom::int IS NULL OR coalesce(a.response_code, 0) BETWEEN $codeFrom AND $codeTo)`;

type Scan = MessageSpan & { readonly scanLimit: number };

/** The first $limit attempts of a span that meet the conditions, among its first $scanLimit. */
const page = <Condition>(name: string, condition: string, direction: Direction) =>
  statement<Scan & MessageConditions & { readonly limit: number } & Condition, MessageRow>(
    `messages.log_page_${name}`,
    `SELECT ${MESSAGE} FROM (
       SELECT * FROM (SELECT * FROM attempt WHERE ${IN_SPAN} AND ${condition} ORDER BY attempt_id ${direction} LIMIT $scanLimit) AS a
       WHERE ${CONDITIONS} ORDER BY attempt_id ${direction} LIMIT $limit) AS a
     LEFT JOIN delivery d ON d.delivery_id = a.delivery_id ORDER BY a.attempt_id ${direction}`,
  );

export type MessageSums = { readonly rows: number; readonly succeeded: number; readonly failed: number };

/** Of the attempts that `page` lists, the newest $limit. */
const sum = <Condition>(name: string, condition: string) =>
  statement<Scan & MessageConditions & { readonly limit: number } & Condition, MessageSums>(
    `messages.log_sum_${name}`,
    `SELECT count(*) AS rows, count(*) FILTER (WHERE state = 'succeeded') AS succeeded,
            count(*) FILTER (WHERE state IN ('failed', 'exhausted')) AS failed
     FROM (
       SELECT a.state FROM (SELECT * FROM attempt WHERE ${IN_SPAN} AND ${condition} ORDER BY attempt_id DESC LIMIT $scanLimit) AS a
       WHERE ${CONDITIONS} LIMIT $limit) AS shown`,
  );

/** The last of the first $scanLimit attempts of a span; no row if there are fewer. */
const end = <Condition>(name: string, condition: string, direction: Direction) =>
  statement<Scan & Condition, { attemptId: AttemptId }>(
    `messages.log_end_${name}`,
    `SELECT attempt_id AS "attemptId" FROM attempt WHERE ${IN_SPAN} AND ${condition}
     ORDER BY attempt_id ${direction} OFFSET $scanLimit::int - 1 LIMIT 1`,
  );

const scan = <Condition>(name: string, condition: string) => ({
  newest: { page: page<Condition>(name, condition, 'DESC'), end: end<Condition>(name, condition, 'DESC') },
  oldest: {
    page: page<Condition>(`oldest_${name}`, condition, 'ASC'),
    end: end<Condition>(`oldest_${name}`, condition, 'ASC'),
  },
  sum: sum<Condition>(name, condition),
});

/** One for each index: by time, of one partner, of those that were not taken, of deliveries. */
export const messageScans = {
  any: scan<unknown>('any', 'true'),
  ofBuyer: scan<{ readonly buyerKey: string }>('of_buyer', 'buyer_key = $buyerKey'),
  notTaken: scan<unknown>('not_taken', `state IN ('failed', 'exhausted')`),
  ofDeliveries: scan<{ readonly deliveryIds: readonly DeliveryId[] }>(
    'of_deliveries',
    'delivery_id = ANY($deliveryIds::uuid[])',
  ),
};

/** Deliveries with this id, of this lead, or with the number of this reference. */
export const deliveriesAbout = statement<
  { readonly deliveryId: DeliveryId | null; readonly leadId: LeadId | null; readonly refNumber: number | null },
  { deliveryId: DeliveryId }
>(
  'messages.log_deliveries_about',
  `SELECT delivery_id AS "deliveryId" FROM delivery
   WHERE delivery_id = $deliveryId::uuid OR lead_id = $leadId::uuid OR ref_number = $refNumber::bigint`,
);

export const readMessage = statement<{ readonly attemptId: AttemptId }, MessageDetail>(
  'messages.log_one',
  `SELECT ${MESSAGE}, d.status AS "deliveryStatus" FROM attempt a LEFT JOIN delivery d ON d.delivery_id = a.delivery_id WHERE a.attempt_id = $attemptId`,
);

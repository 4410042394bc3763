// SQL of the operator's claim queue and of the data shown beside a claim under review.
import { statement, type Statement } from '../platform/database/database.ts';
import { COUNTED_MAX } from '../base/counted-max.ts';
import { claimColumns, claimTables } from './claim.sql.ts';
import { type QueueOrder, queueOrders, type QueueStatus, queueStatuses } from './queue-status.ts';
import type { ClaimId, DeliveryId, LeadId, Uuid } from '../base/ids.ts';
import type { ClaimKind, ClaimStatus } from '../buyers/claim-status.ts';
import type { Claim, ClaimSums } from './claim.ts';
import type { EventType, DeliveryStatus } from '../deliveries/delivery.ts';

/** Another delivery that is evidence of a duplicate, and which contact data are the same; null if one of the leads is erased. */
export type NamedDelivery = {
  readonly deliveryId: DeliveryId;
  readonly refNumber: number;
  readonly eventType: EventType;
  readonly leadId: LeadId;
  readonly status: DeliveryStatus;
  readonly deliveredAt: Date;
  readonly same: { readonly email: boolean; readonly phone: boolean } | null;
};

export type ClaimTotal = {
  readonly kind: ClaimKind;
  readonly status: ClaimStatus;
  readonly claims: number;
  readonly creditCents: number;
};

const OPEN = `status IN ('submitted', 'under_review')`;
const SOONEST = 'decision_due_at, claim_id';
const ORDERS = {
  due: SOONEST,
  '-due': 'decision_due_at DESC, claim_id DESC',
  filed: 'filed_at, claim_id',
  '-filed': 'filed_at DESC, claim_id DESC',
} as const satisfies Record<QueueOrder, string>;

// One statement per condition, because the planner can use an index only for conditions known at planning time.
const CONDITIONS = {
  open: OPEN,
  submitted: `status = 'submitted' AND ${OPEN}`,
  under_review: `status = 'under_review' AND ${OPEN}`,
  approved: `status = 'approved'`,
  denied: `status = 'denied'`,
  withdrawn: `status = 'withdrawn'`,
  all: 'true',
} as const satisfies Record<QueueStatus, string>;

type Wanted = {
  readonly kind: ClaimKind | null;
  readonly verticalMark: string | null;
  readonly buyerKey?: string;
};
type ListedRow = Claim & { readonly fields: string | null };

const OF_VERTICAL = `($verticalMark::text IS NULL OR EXISTS (
  SELECT FROM delivery sold JOIN lead l USING (lead_id)
  WHERE sold.delivery_id = claim.delivery_id AND strpos(split_part(l.fields, ',"extra":{', 1), $verticalMark) > 0))`;
type Part = { readonly offset: number; readonly pageSize: number };
type Listing = {
  readonly pages: Readonly<Record<QueueOrder, Statement<Wanted & Part, ListedRow>>>;
  readonly count: Statement<Wanted, { total: number }>;
  readonly sum: Statement<Wanted & { readonly limit: number }, ClaimSums>;
};

function listing(status: QueueStatus, ofPartner: boolean): Listing {
  const further = `($kind::text IS NULL OR kind = $kind)${ofPartner ? ' AND buyer_key = $buyerKey' : ''}
    AND ${OF_VERTICAL}`;
  const condition = `${CONDITIONS[status]} AND ${further}`;
  const name = `${status}${ofPartner ? '_of_partner' : ''}`;
  return {
    pages: Object.fromEntries(
      queueOrders.map((order) => [order, pageOf(`${name}_by_${order}`, rowsOf(status, order, further), ORDERS[order])]),
    ) as Listing['pages'],
    count: statement<Wanted, { total: number }>(
      `claims.count_queue_${name}`,
      `SELECT count(*) AS total FROM (SELECT FROM claim WHERE ${condition} LIMIT ${COUNTED_MAX + 1}) AS counted`,
    ),
    sum: statement<Wanted & { readonly limit: number }, ClaimSums>(
      `claims.sum_queue_${name}`,
      `SELECT count(*) AS rows, coalesce(sum(d.payout_cents), 0)::bigint AS cents
       FROM (SELECT delivery_id FROM claim WHERE ${condition} LIMIT $limit) AS c JOIN delivery d USING (delivery_id)`,
    ),
  };
}

/** The rows of a list, as the source of a page. */
function rowsOf(status: QueueStatus, order: QueueOrder, further: string): string {
  const rows = `SELECT * FROM claim WHERE ${CONDITIONS[status]} AND ${further}`;
  if (status !== 'open' || order === 'due' || order === '-due') return rows;
  // The index by status and filing time has no order over both open statuses: the first rows of each are merged.
  const first = (one: 'submitted' | 'under_review'): string =>
    `(SELECT * FROM claim WHERE ${CONDITIONS[one]} AND ${further} ORDER BY ${ORDERS[order]} LIMIT $offset::int + $pageSize::int)`;
  return `SELECT * FROM (${first('submitted')} UNION ALL ${first('under_review')}) AS open`;
}

const pageOf = (name: string, rows: string, order: string) =>
  statement<Wanted & Part, ListedRow>(
    `claims.queue_${name}`,
    `SELECT ${claimColumns}, l.fields FROM (
       ${rows} ORDER BY ${order} OFFSET $offset LIMIT $pageSize
     ) c JOIN delivery d USING (delivery_id) LEFT JOIN lead l USING (lead_id)
     ORDER BY ${order.replaceAll(/(?=decision|claim|filed)/g, 'c.')}`,
  );

export const queueListings = Object.fromEntries(
  queueStatuses.map((status) => [status, { any: listing(status, false), ofPartner: listing(status, true) }]),
) as Readonly<Record<QueueStatus, { readonly any: Listing; readonly ofPartner: Listing }>>;

/** The open claim next to a position in the queue, among those of a kind and a partner; null means all. */
const neighbour = (name: string, comparison: '<' | '>') =>
  statement<
    {
      readonly decisionDueAt: Date;
      readonly claimId: ClaimId;
      readonly kind: ClaimKind | null;
      readonly buyerKey: string | null;
      readonly verticalMark: string | null;
    },
    { claimId: ClaimId; kind: ClaimKind }
  >(
    `claims.${name}`,
    `SELECT claim_id AS "claimId", kind FROM claim
     WHERE ${OPEN} AND (decision_due_at, claim_id) ${comparison} ($decisionDueAt, $claimId)
       AND ($kind::text IS NULL OR kind = $kind) AND ($buyerKey::text IS NULL OR buyer_key = $buyerKey)
       AND ${OF_VERTICAL}
     ORDER BY ${comparison === '>' ? SOONEST : 'decision_due_at DESC, claim_id DESC'} LIMIT 1`,
  );
export const nextOpen = neighbour('next_open', '>');
export const previousOpen = neighbour('previous_open', '<');

export const otherClaimsOnDelivery = statement<{ readonly deliveryId: DeliveryId; readonly claimId: ClaimId }, Claim>(
  'claims.others_on_delivery',
  `SELECT ${claimColumns} FROM ${claimTables} WHERE c.delivery_id = $deliveryId AND c.claim_id <> $claimId ORDER BY c.filed_at, c.claim_id`,
);

/** Totals of a partner's claims since $since, without $claimId. */
export const claimTotals = statement<
  { readonly buyerKey: string; readonly since: Date; readonly claimId: ClaimId },
  ClaimTotal
>(
  'claims.totals',
  `SELECT kind, status, count(*) AS claims, coalesce(sum(credit_cents), 0)::bigint AS "creditCents"
   FROM claim WHERE buyer_key = $buyerKey AND filed_at >= $since AND claim_id <> $claimId GROUP BY kind, status`,
);

export type NamedRow = Omit<NamedDelivery, 'same'> & { readonly fields: string | null };

/** The current state of the deliveries named by the evidence, with the leads' fields for comparison. */
export const deliveriesNamed = statement<{ readonly ids: readonly Uuid[] }, NamedRow>(
  'claims.deliveries_named',
  `SELECT d.delivery_id AS "deliveryId", d.ref_number AS "refNumber", d.event_type AS "eventType", d.lead_id AS "leadId",
          d.status, d.delivered_at AS "deliveredAt", l.fields
   FROM delivery d JOIN lead l USING (lead_id) WHERE d.delivery_id = ANY($ids::uuid[])`,
);

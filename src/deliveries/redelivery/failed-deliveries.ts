// Deliveries that could not be handed over to their partner, for the operator: whom, why, and whether they can be sent again.
import { strict as assert } from 'node:assert';

import { FIRST_ID, LAST_ID } from '../../base/id-time.ts';
import { typeId, type Uuid } from '../../base/ids.ts';
import { wireAmount } from '../../base/money.ts';
import { storedVertical, verticalMark } from '../../leads/stored-vertical.rules.ts';
import type { Tx } from '../../platform/database/database.ts';
import {
  failedDeliveries,
  failedGroups,
  type FailedGroup,
  type FailedRow,
  failedSums,
  failedToRetry,
} from './redelivery.sql.ts';
import { deliveryRef } from '../delivery.ts';
import { judgeRedelivery, type RedeliveryRefusal, requestRedelivery } from './request-redelivery.ts';
import type { AuditActor, AuditOrigin } from '../../audit/audit-event.ts';
import type { ReviveDeliveries } from './reopen-deliveries.ts';

export type FailedDelivery = {
  readonly deliveryId: string;
  readonly deliveryRef: string;
  readonly leadId: string;
  readonly partner: string;
  readonly partnerName: string;
  readonly offer: string;
  /** The key of the lead's vertical. */
  readonly vertical: string | null;
  readonly payout: number;
  readonly channel: string | null;
  readonly deliveredAt: string;
  readonly failedAt: string;
  /** An attempt got no response, so the partner may have received it. */
  readonly mayHaveArrived: boolean;
  readonly lastAttemptAt: string | null;
  /** Why the last attempt failed; null if there was none. */
  readonly reason: string | null;
  /** `again`: a redelivery was accepted later. */
  readonly retryStatus: 'failed' | 'queued' | 'again';
  /** The prices that an operator can set because the partner may have the lead and named none that counts; null for others. */
  readonly prices: { readonly min: number; readonly max: number } | null;
  /** Why it cannot be sent again; null if it can. */
  readonly refusal: RedeliveryRefusal | null;
};

/** The latest failures that the summary covers: current problems are among them. */
const GROUPED_AT_MOST = 1000;

export type FailedQuery = {
  /** Null for all partners. */
  readonly buyerKey: string | null;
  readonly verticalKey: string | null;
  /** The last delivery of the previous page; null for the first page. */
  readonly after: Uuid | null;
  readonly isOldestFirst: boolean;
  readonly limit: number;
};

/** By the time of failure. */
export async function listFailedDeliveries(
  tx: Tx,
  { buyerKey, verticalKey, after, isOldestFirst, limit }: FailedQuery,
): Promise<FailedDelivery[]> {
  const part = { after: after ?? (isOldestFirst ? FIRST_ID : LAST_ID), verticalMark: verticalMark(verticalKey), limit };
  const order = isOldestFirst ? 'oldest' : 'newest';
  const rows = await (buyerKey === null
    ? tx.query(failedDeliveries.any[order], part)
    : tx.query(failedDeliveries.ofBuyer[order], { ...part, buyerKey }));
  const judged = await judgeRedelivery(
    tx,
    null,
    rows.map((row) => row.deliveryId),
  );
  return rows.map((row, index) => {
    const judgement = judged[index];
    return {
      deliveryId: typeId('delivery', row.deliveryId),
      deliveryRef: deliveryRef(row.eventType, row.refNumber),
      leadId: typeId('lead', row.leadId),
      partner: row.buyerKey,
      partnerName: row.buyerName,
      offer: row.offerKey,
      vertical: storedVertical(row.fields),
      payout: wireAmount(row.payoutCents),
      channel: row.channel,
      deliveredAt: row.deliveredAt.toISOString(),
      failedAt: row.failedAt.toISOString(),
      mayHaveArrived: row.mayHaveArrived,
      lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
      reason: row.reason,
      prices: pricesOf(row),
      retryStatus: row.isQueued ? 'queued' : row.lastState === 'succeeded' ? 'again' : 'failed',
      refusal: judgement === undefined || judgement.ok ? null : judgement.reason,
    };
  });
}

function pricesOf({
  mayHaveArrived,
  isQueued,
  priceMinCents: min,
  priceMaxCents: max,
}: FailedRow): FailedDelivery['prices'] {
  if (!mayHaveArrived || isQueued || min === null || max === null) return null;
  return { min: wireAmount(min), max: wireAmount(max) };
}

/**
 * Of the rows that `listFailedDeliveries` lists on all pages: how many, and what they would have cost. Looks at the latest `limit` failures of
 * all verticals. `isAll`: false if there may be more.
 */
export async function sumFailedDeliveries(
  tx: Tx,
  { buyerKey, verticalKey, limit }: Omit<FailedQuery, 'after' | 'isOldestFirst'>,
): Promise<{ readonly rows: number; readonly cents: number; readonly isAll: boolean }> {
  const part = { after: LAST_ID, verticalMark: verticalMark(verticalKey), limit };
  const [sums] = await (buyerKey === null
    ? tx.query(failedSums.any, part)
    : tx.query(failedSums.ofBuyer, { ...part, buyerKey }));
  assert(sums !== undefined, 'a sum has always a row');
  const { scanned, rows, cents } = sums;
  return { rows, cents, isAll: scanned < limit };
}

/** The latest failures grouped by partner and reason, largest group first. */
export async function groupFailedDeliveries(tx: Tx): Promise<FailedGroup[]> {
  return tx.query(failedGroups, { after: LAST_ID, limit: GROUPED_AT_MOST });
}

export type FailedRetry = {
  readonly buyerKey: string;
  /** As in the list; null for all. */
  readonly reason: string | null;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
  readonly revive: ReviveDeliveries;
};

export type FailedRetryReport = {
  readonly queued: number;
  readonly skipped: ReadonlyMap<RedeliveryRefusal, number>;
  /** The number of deliveries in this batch. If it is `RETRIED_AT_ONCE`, there may be more. */
  readonly taken: number;
};

/** Takes some tenths of a second; call again for more. */
export const RETRIED_AT_ONCE = 500;

/** The latest failures of the partner that are considered. */
const LOOKED_AT_MOST = 10_000;

/** Sends a batch of a partner's failed deliveries again, without deliveries that are queued already or were accepted meanwhile (contract 7.7). */
export async function retryFailedDeliveries(
  tx: Tx,
  { buyerKey, reason, actor, origin, revive }: FailedRetry,
  now: Date,
): Promise<FailedRetryReport> {
  const rows = await tx.query(failedToRetry, {
    after: LAST_ID,
    limit: LOOKED_AT_MOST,
    buyerKey,
    reason,
    atOnce: RETRIED_AT_ONCE,
  });
  const deliveryIds = rows.map((row) => row.deliveryId);
  const report = await requestRedelivery(tx, { deliveryIds, buyerKey: null, actor, origin, revive }, now);
  const skipped = new Map<RedeliveryRefusal, number>();
  for (const { reason: why } of report.skipped) skipped.set(why, (skipped.get(why) ?? 0) + 1);
  return { queued: report.queued.length, skipped, taken: rows.length };
}

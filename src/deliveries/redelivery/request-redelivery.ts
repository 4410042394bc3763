// Queues deliveries to be sent to the partner's webhook again, with the same message and id: of a Confirmed one nothing else changes, and a
// Failed one is sold again, to the same partner at the same price, where that is still possible (contract 6.4).
import { type DeliveryId, typeId } from '../../base/ids.ts';
import type { Tx } from '../../platform/database/database.ts';
import { type Redeliverable, type RedeliverableRow, selectRedeliverable, insertReplays } from './redelivery.sql.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import type { AuditActor, AuditOrigin } from '../../audit/audit-event.ts';
import { dueAtOnce } from '../../platform/queue/due-at-once.ts';
import { deliveryRef, type DeliveryStatus } from '../delivery.ts';
import type { RedeliveryCause } from './redelivery-cause.rules.ts';
import type { ReviveDeliveries } from './reopen-deliveries.ts';

export type RedeliveryRefusal =
  | 'delivery_not_found'
  | 'delivery_not_redeliverable'
  | 'webhook_not_configured'
  | 'endpoint_disabled';

type Refused = {
  readonly deliveryId: DeliveryId;
  readonly reason: RedeliveryRefusal;
  readonly cause: RedeliveryCause;
};

export type RedeliveryJudgement =
  | { readonly ok: true; readonly delivery: Redeliverable }
  | ({ readonly ok: false } & Refused);

/**
 * Judges in the given order which deliveries can be sent again. With a `buyerKey` only that partner's deliveries exist; null is for the
 * operator. Whether a Failed delivery is still available to its partner is not checked here: only `revive` can tell.
 */
export async function judgeRedelivery(
  tx: Tx,
  buyerKey: string | null,
  deliveryIds: readonly DeliveryId[],
): Promise<readonly RedeliveryJudgement[]> {
  const rows = await tx.query(selectRedeliverable, { deliveryIds, buyerKey });
  const known = new Map(rows.map((row) => [row.deliveryId, row]));
  return deliveryIds.map((deliveryId) => {
    const row = known.get(deliveryId);
    const cause = row === undefined ? 'not_found' : causeOf(row);
    if (row !== undefined && cause === null) return { ok: true, delivery: row };
    return refused(deliveryId, cause ?? 'not_found');
  });
}

function refused(deliveryId: DeliveryId, cause: RedeliveryCause): RedeliveryJudgement {
  return { ok: false, deliveryId, reason: REFUSALS[cause] ?? 'delivery_not_redeliverable', cause };
}

const REFUSALS: Readonly<Partial<Record<RedeliveryCause, RedeliveryRefusal>>> = {
  not_found: 'delivery_not_found',
  no_webhook: 'webhook_not_configured',
  endpoint_disabled: 'endpoint_disabled',
};

function causeOf(row: RedeliverableRow): RedeliveryCause | null {
  const { status, channel, hasWebhook, isDisabled, isErased, isQueued, isSoldOn } = row;
  // A Pending delivery is still being sent, a Returned one no longer belongs to the partner, and an erased lead must not be sent.
  if (status === 'Pending') return 'in_progress';
  if (status === 'Returned') return 'returned';
  if (isErased) return 'erased';
  if (channel !== 'webhook') return 'other_channel';
  if (status === 'Failed' && isQueued) return 'in_progress';
  if (status === 'Failed' && isSoldOn) return 'sold_elsewhere';
  if (!hasWebhook) return 'no_webhook';
  return isDisabled ? 'endpoint_disabled' : null;
}

export type RedeliveryRequest = {
  readonly deliveryIds: readonly DeliveryId[];
  /** Restricts to this partner's deliveries; null for the operator. */
  readonly buyerKey: string | null;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
  readonly revive: ReviveDeliveries;
};

export type QueuedRedelivery = {
  readonly deliveryId: DeliveryId;
  readonly deliveryRef: string;
  readonly status: DeliveryStatus;
};

export type RedeliveryReport = {
  readonly queued: readonly QueuedRedelivery[];
  readonly skipped: readonly Refused[];
};

/** In the given order. A delivery that is queued already counts as queued, and is sent once. */
export async function requestRedelivery(tx: Tx, request: RedeliveryRequest, now: Date): Promise<RedeliveryReport> {
  const { deliveryIds, buyerKey, actor, origin, revive } = request;
  const judged = await judgeAndRevive(tx, { buyerKey, deliveryIds, revive }, now);
  const queued = judged.flatMap((one) => (one.ok ? [one.delivery] : []));
  const replayed = queued.filter(({ status }) => status === 'Confirmed');
  await tx.query(insertReplays, {
    deliveryIds: replayed.map((row) => row.deliveryId),
    buyerKeys: replayed.map((row) => row.buyerKey),
    dueAt: dueAtOnce(now),
  });
  await appendAudit(
    tx,
    queued.map((row) => ({
      at: now,
      actor,
      buyerKey: row.buyerKey,
      supplierKey: null,
      action: 'delivery.redelivery_requested',
      target: typeId('delivery', row.deliveryId),
      changes: {},
      ...origin,
    })),
  );
  return {
    queued: queued.map(({ deliveryId, eventType, refNumber, status }) => ({
      deliveryId,
      deliveryRef: deliveryRef(eventType, refNumber),
      status,
    })),
    skipped: judged.flatMap((one) =>
      one.ok ? [] : [{ deliveryId: one.deliveryId, reason: one.reason, cause: one.cause }],
    ),
  };
}

/** Also makes Failed deliveries Pending where that is still possible. */
async function judgeAndRevive(
  tx: Tx,
  { buyerKey, deliveryIds, revive }: Pick<RedeliveryRequest, 'buyerKey' | 'deliveryIds' | 'revive'>,
  now: Date,
): Promise<readonly RedeliveryJudgement[]> {
  const judged = await judgeRedelivery(tx, buyerKey, deliveryIds);
  const failed = judged.flatMap((one) => (one.ok && one.delivery.status === 'Failed' ? [one.delivery.deliveryId] : []));
  const revived = failed.length === 0 ? new Set<DeliveryId>() : await revive(tx, failed, now);
  return judged.map((one): RedeliveryJudgement => {
    if (!one.ok || one.delivery.status !== 'Failed') return one;
    const { deliveryId } = one.delivery;
    return revived.has(deliveryId)
      ? { ok: true, delivery: { ...one.delivery, status: 'Pending' } }
      : refused(deliveryId, 'not_available');
  });
}

// Queues deliveries to be sent to the partner's webhook again: same message, same id, and nothing about the sale changes (contract 6).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditActor, AuditOrigin } from '../audit/audit-event.ts';
import { typeId, type Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { dueAtOnce } from '../platform/queue/due-at-once.ts';
import { deliveryRef } from './delivery-ref.ts';
import type { DeliveryStatus } from './delivery-row.ts';
import { judgeRedelivery, type RedeliveryRefusal } from './judge-redelivery.ts';
import { insertReplays } from './redelivery.sql.ts';

export type RedeliveryRequest = {
  readonly deliveryIds: readonly Uuid[];
  /** Only this partner's exist; null for the operator, for whom all do. */
  readonly buyerKey: string | null;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
};

export type QueuedRedelivery = {
  readonly deliveryId: Uuid;
  readonly deliveryRef: string;
  readonly status: DeliveryStatus;
};

export type RedeliveryReport = {
  readonly queued: readonly QueuedRedelivery[];
  readonly skipped: ReadonlyArray<{ readonly deliveryId: Uuid; readonly reason: RedeliveryRefusal }>;
};

/** In the order given. One that is queued already counts as queued; it is sent once. */
export async function requestRedelivery(tx: Tx, request: RedeliveryRequest, now: Date): Promise<RedeliveryReport> {
  const { deliveryIds, buyerKey, actor, origin } = request;
  const judged = await judgeRedelivery(tx, buyerKey, deliveryIds);
  const queued = judged.flatMap((one) => (one.ok ? [one.delivery] : []));
  await tx.query(insertReplays, [
    queued.map((row) => row.deliveryId),
    queued.map((row) => row.buyerKey),
    dueAtOnce(now),
  ]);
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
    skipped: judged.flatMap((one) => (one.ok ? [] : [{ deliveryId: one.deliveryId, reason: one.reason }])),
  };
}

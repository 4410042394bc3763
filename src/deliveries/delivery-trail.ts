// Lists a lead's deliveries and every attempt at them, as JSON for the operator.
import { type DeliveryId, type LeadId, typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Rejection } from '../platform/outbound/send-outcome.ts';
import { attemptsInProgress, attemptsOfLead } from './attempt-log.sql.ts';
import type { AttemptView } from './attempt.schema.ts';
import { attemptView, runningAttempt, withRunning } from './attempt-view.rules.ts';
import { deliveryRef, type EventType, type DeliveryStatus } from './delivery.ts';
import { selectOfLead } from './delivery.sql.ts';

export type TrailDelivery = {
  readonly deliveryId: string;
  readonly deliveryRef: string;
  readonly partner: string;
  readonly offer: string;
  readonly eventType: EventType;
  readonly status: DeliveryStatus;
  readonly payout: number;
  readonly channel: string | null;
  readonly deliveredAt: string;
  readonly confirmedAt: string | null;
  readonly failedAt: string | null;
  /** If the partner's system rejected it; the attempt has its reason. */
  readonly failure: Rejection | null;
  readonly buyerReference: string | null;
  /** Bookings only. */
  readonly appointmentAt?: string;
};

export type TrailAttempt = AttemptView & { readonly partner: string };

export type DeliveryTrail = {
  readonly deliveryIds: readonly DeliveryId[];
  readonly deliveries: readonly TrailDelivery[];
  readonly attempts: readonly TrailAttempt[];
};

export async function deliveryTrail(tx: Tx, leadId: LeadId): Promise<DeliveryTrail> {
  const deliveries = await tx.query(selectOfLead, { leadId });
  const deliveryIds = deliveries.map((row) => row.deliveryId);
  const logged = await tx.query(attemptsOfLead, { leadId });
  const running = await tx.query(attemptsInProgress, { deliveryIds, buyerKey: null });
  const attempts = withRunning(logged, running.map(runningAttempt));
  return {
    deliveryIds,
    deliveries: deliveries.map((row) => ({
      deliveryId: typeId('delivery', row.deliveryId),
      deliveryRef: deliveryRef(row.eventType, row.refNumber),
      partner: row.buyerKey,
      offer: row.offerKey,
      eventType: row.eventType,
      status: row.status,
      payout: wireAmount(row.payoutCents),
      channel: row.channel,
      deliveredAt: row.deliveredAt.toISOString(),
      confirmedAt: row.confirmedAt?.toISOString() ?? null,
      failedAt: row.failedAt?.toISOString() ?? null,
      failure: row.failure,
      buyerReference: row.buyerReference,
      ...(row.appointmentAt === null ? {} : { appointmentAt: row.appointmentAt.toISOString() }),
    })),
    attempts: attempts.map((row) => ({ ...attemptView(row), partner: row.buyerKey })),
  };
}

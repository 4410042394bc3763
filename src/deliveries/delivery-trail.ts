// What became of a lead's sales, for the operator: deliveries and every attempt to carry them, in wire form.
import { typeId, type Uuid } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import type { Tx } from '../platform/database/database.ts';
import { deliveryRef, type EventType } from './delivery-ref.ts';
import { selectLeadOfDelivery, selectOfLead } from './delivery.sql.ts';
import { attemptsOfLead } from './send.sql.ts';

type DeliveryOfLead = {
  deliveryId: Uuid;
  buyerKey: string;
  offerKey: string;
  refNumber: number;
  eventType: EventType;
  status: string;
  payoutCents: number;
  channel: string | null;
  deliveredAt: Date;
  confirmedAt: Date | null;
  failedAt: Date | null;
  appointmentAt: Date | null;
};

type AttemptOfLead = {
  attemptId: Uuid;
  deliveryId: Uuid;
  buyerKey: string;
  channel: string;
  target: string;
  attempt: number;
  state: string;
  responseCode: number | null;
  responseSnippet: string | null;
  latencyMs: number | null;
  error: string | null;
  isTest: boolean;
  at: Date;
  nextAttemptAt: Date | null;
};

export type DeliveryTrail = {
  readonly deliveryIds: readonly Uuid[];
  readonly deliveries: ReadonlyArray<Record<string, unknown>>;
  readonly attempts: ReadonlyArray<Record<string, unknown>>;
};

export async function deliveryTrail(tx: Tx, leadId: Uuid): Promise<DeliveryTrail> {
  const deliveries = await tx.query<DeliveryOfLead>(selectOfLead, [leadId]);
  const attempts = await tx.query<AttemptOfLead>(attemptsOfLead, [leadId]);
  const refs = new Map(deliveries.map((row) => [row.deliveryId, deliveryRef(row.eventType, row.refNumber)]));
  return {
    deliveryIds: deliveries.map((row) => row.deliveryId),
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
      ...(row.appointmentAt === null ? {} : { appointmentAt: row.appointmentAt.toISOString() }),
    })),
    attempts: attempts.map((row) => ({
      attemptId: typeId('attempt', row.attemptId),
      deliveryId: typeId('delivery', row.deliveryId),
      deliveryRef: refs.get(row.deliveryId) ?? null,
      partner: row.buyerKey,
      channel: row.channel,
      target: row.target,
      attempt: row.attempt,
      state: row.state,
      responseCode: row.responseCode,
      responseSnippet: row.responseSnippet,
      latencyMs: row.latencyMs,
      error: row.error,
      test: row.isTest,
      at: row.at.toISOString(),
      nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    })),
  };
}

/** The lead behind a delivery; null when there is no such delivery. */
export async function leadOfDelivery(tx: Tx, deliveryId: Uuid): Promise<Uuid | null> {
  const [row] = await tx.query<{ leadId: Uuid }>(selectLeadOfDelivery, [deliveryId]);
  return row?.leadId ?? null;
}

// Failed deliveries as the statements read them, for taking them up again (contract 6.4).
import type { DeliveryId, LeadId } from '../../base/ids.ts';
import type { EventType } from '../delivery-ref.ts';
import type { DeliveryStatus } from '../delivery-status.ts';

export type FailedSale = {
  readonly deliveryId: DeliveryId;
  readonly buyerKey: string;
  readonly leadId: LeadId;
  readonly offerKey: string;
  readonly supplierKey: string;
  readonly eventType: EventType;
  readonly payoutCents: number;
  readonly appointmentAt: Date | null;
  /** JSON text of `LeadFields`; null where the lead is erased. */
  readonly fields: string | null;
};

export type DeliveryOfLead = {
  readonly deliveryId: DeliveryId;
  readonly leadId: LeadId;
  readonly offerKey: string;
  readonly status: DeliveryStatus;
  readonly mayHaveArrived: boolean;
};

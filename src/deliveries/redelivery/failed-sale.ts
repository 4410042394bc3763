// Failed deliveries as the statements read them, for taking them up again (contract 6.4).
import type { Uuid } from '../../base/ids.ts';
import type { EventType } from '../delivery-ref.ts';
import type { DeliveryStatus } from '../delivery-status.ts';

export type FailedSale = {
  readonly deliveryId: Uuid;
  readonly buyerKey: string;
  readonly leadId: Uuid;
  readonly offerKey: string;
  readonly supplierKey: string;
  readonly eventType: EventType;
  readonly payoutCents: number;
  readonly appointmentAt: Date | null;
  /** JSON text of `LeadFields`; null where the lead is erased. */
  readonly fields: string | null;
};

export type DeliveryOfLead = {
  readonly deliveryId: Uuid;
  readonly leadId: Uuid;
  readonly offerKey: string;
  readonly status: DeliveryStatus;
  readonly mayHaveArrived: boolean;
};

// A delivery with its lead as the statements here read it (contract 4.9).
import type { DeliveryId, LeadId } from '../base/ids.ts';
import type { EventType } from './delivery-ref.ts';
import type { DeliveryStatus } from './delivery-status.ts';
import type { ConfirmedDelivery } from './sending/charge-deliveries.ts';
import type { CapSlot } from '../caps/cap-counters.ts';

export type DeliveryRow = {
  readonly deliveryId: DeliveryId;
  readonly refNumber: number;
  readonly eventType: EventType;
  readonly status: DeliveryStatus;
  readonly payoutCents: number;
  /** The moment of routing; it never changes. */
  readonly deliveredAt: Date;
  /** When the partner's endpoint took it; null unless it is Confirmed or Returned. */
  readonly confirmedAt: Date | null;
  /** Null but for a booking. */
  readonly appointmentAt: Date | null;
  readonly leadId: LeadId;
  /** JSON text of `LeadFields`; null where the lead is erased. */
  readonly fields: string | null;
  /** JSON text of `ConsentFacts` where the lead is erased, as far as they were known then. */
  readonly erasedConsent: string | null;
};

/** With what its message says of the sale and nothing else knows. */
export type SoldRow = DeliveryRow & {
  /** Confirmed by being routed, because the partner has no channel. */
  readonly isTakenAtOnce: boolean;
  /** The end of the return window by the policy of that moment; null for a delivery from before it was stored. */
  readonly returnUntil: Date | null;
};

export type SettledDelivery = ConfirmedDelivery & {
  readonly leadId: LeadId;
  readonly offerKey: string;
  readonly capWindows: readonly CapSlot[];
};

/** Of a lead that is erased, with the status that it had before. */
export type DeliveryOfErased = Pick<DeliveryRow, 'deliveryId' | 'leadId' | 'refNumber' | 'eventType' | 'status'> & {
  readonly buyerKey: string;
};

export type LockedDelivery = Pick<
  DeliveryRow,
  'deliveryId' | 'leadId' | 'refNumber' | 'eventType' | 'status' | 'payoutCents' | 'deliveredAt' | 'confirmedAt'
> & { readonly offerKey: string; readonly supplierKey: string };

// A delivery: its statuses, its reference such as LS-100042, and the rows that the statements read (contract 1.3, 4.9).
import type { DeliveryId, LeadId } from '../base/ids.ts';
import type { CapSlot } from '../caps/cap-counters.ts';

export const deliveryStatuses = ['Pending', 'Confirmed', 'Failed', 'Returned'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

const LETTERS = { 'Lead Sale': 'LS', 'Calendar Assigned': 'CA' } as const;

export type EventType = keyof typeof LETTERS;

export function deliveryRef(eventType: EventType, refNumber: number): string {
  return `${LETTERS[eventType]}-${refNumber}`;
}

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

export type LeadDelivery = {
  readonly deliveryId: DeliveryId;
  readonly leadId: LeadId;
  readonly offerKey: string;
  readonly status: DeliveryStatus;
  readonly mayHaveArrived: boolean;
};

export type ConfirmedDelivery = {
  readonly deliveryId: DeliveryId;
  readonly buyerKey: string;
  readonly refNumber: number;
  readonly eventType: EventType;
  readonly payoutCents: number;
};

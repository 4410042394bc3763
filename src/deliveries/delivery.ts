// A delivery: its statuses, its reference such as LS-100042, and the rows that the statements read (contract 1.3, 4.9).
import type { DeliveryId, LeadId } from '../base/ids.ts';
import type { CapSlot } from '../caps/cap-counters.ts';
import type { SaleCost } from '../suppliers/sale-cost.rules.ts';

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
  /** The time of routing; it never changes. */
  readonly deliveredAt: Date;
  /** When the partner's endpoint accepted it; null unless it is Confirmed or Returned. */
  readonly confirmedAt: Date | null;
  /** Bookings only, else null. */
  readonly appointmentAt: Date | null;
  readonly leadId: LeadId;
  /** JSON text of `LeadFields`; null if the lead is erased. */
  readonly fields: string | null;
  /** JSON text of `ConsentFacts` if the lead is erased, as far as they were known then. */
  readonly erasedConsent: string | null;
  /** The partner's own id of the lead, if its response named one. */
  readonly buyerReference: string | null;
};

/** A delivery with the facts of the sale that only its message needs. */
export type SoldRow = DeliveryRow & {
  /** Confirmed as soon as it was routed, because the partner has no channel. */
  readonly isConfirmedAtOnce: boolean;
  /** The end of the return window under the policy at the time of sale; null for deliveries from before it was stored. */
  readonly returnUntil: Date | null;
  /** The price at the sale, which a price in the partner's response does not change. */
  readonly soldPayoutCents: number;
};

export type SettledDelivery = {
  readonly deliveryId: DeliveryId;
  readonly leadId: LeadId;
  readonly buyerKey: string;
  readonly offerKey: string;
  readonly payoutCents: number;
  readonly capWindows: readonly CapSlot[];
};

/** A delivery of an erased lead, with its status before the erasure. */
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
  readonly leadId: LeadId;
  readonly buyerKey: string;
  readonly supplierKey: string;
  readonly refNumber: number;
  readonly eventType: EventType;
  readonly payoutCents: number;
  /** Held of the partner's funds for it, which the charge releases: above the payout if the partner's response named a lower price. */
  readonly reservedCents: number;
  /** How the supplier is paid for it; both null where it costs nothing. */
  readonly costModel: SaleCost['model'] | null;
  readonly costCents: number | null;
};

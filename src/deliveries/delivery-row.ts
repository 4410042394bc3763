// A delivery with its lead as the statements here read it, and the four spellings of its status (contract 4, deliveries).
import type { Uuid } from '../base/ids.ts';
import type { EventType } from './delivery-ref.ts';

export type DeliveryStatus = 'Pending' | 'Confirmed' | 'Failed' | 'Returned';
export const deliveryStatuses: readonly DeliveryStatus[] = ['Pending', 'Confirmed', 'Failed', 'Returned'];

export type DeliveryRow = {
  readonly deliveryId: Uuid;
  readonly refNumber: number;
  readonly eventType: EventType;
  readonly status: DeliveryStatus;
  readonly payoutCents: number;
  /** The moment of routing; it never changes. */
  readonly deliveredAt: Date;
  /** Null but for a booking. */
  readonly appointmentAt: Date | null;
  readonly leadId: Uuid;
  /** JSON text of `LeadFields`; null where the lead is erased. */
  readonly fields: string | null;
};

// What is stored of one person, as the statements read it.
import type { DeliveryId, LeadId } from '../base/ids.ts';
import type { EventType, DeliveryStatus } from '../deliveries/delivery.ts';
import type { LeadState } from '../leads/settle-leads.ts';
import type { LeadFields } from '../leads/lead-fields.ts';

export type StoredDelivery = {
  readonly deliveryId: DeliveryId;
  readonly leadId: LeadId;
  readonly buyerKey: string;
  readonly refNumber: number;
  readonly eventType: EventType;
  readonly status: DeliveryStatus;
  readonly channel: string | null;
  readonly deliveredAt: Date;
  /** Entries of the sending log, whose answers may quote the person. */
  readonly attempts: number;
  /** Returns and disputes, which people wrote something into. */
  readonly claims: number;
};

export type StoredPerson = {
  readonly leadId: LeadId;
  readonly supplierKey: string;
  readonly isTest: boolean;
  readonly state: LeadState;
  readonly receivedAt: Date;
  readonly erasedAt: Date | null;
  /** Null where it is erased, and of a submission that was refused: then there is the body as received. */
  readonly fields: LeadFields | null;
  readonly hasBody: boolean;
  /** Null where no proof of consent is kept. */
  readonly consentStoredAt: Date | null;
  readonly deliveries: readonly StoredDelivery[];
};

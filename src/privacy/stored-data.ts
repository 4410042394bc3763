// Reads what is stored about the data subjects of some leads, before they are erased (decision 021).
import type { DeliveryId, LeadId } from '../base/ids.ts';
import type { EventType, DeliveryStatus } from '../deliveries/delivery.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import type { LeadState } from '../leads/settle-leads.ts';
import type { Tx } from '../platform/database/database.ts';
import { storedOfDeliveries, storedOfLeads } from './stored-data.sql.ts';

export type StoredDelivery = {
  readonly deliveryId: DeliveryId;
  readonly leadId: LeadId;
  readonly buyerKey: string;
  readonly refNumber: number;
  readonly eventType: EventType;
  readonly status: DeliveryStatus;
  readonly channel: string | null;
  readonly deliveredAt: Date;
  /** Entries of the sending log, whose responses may quote personal data. */
  readonly attempts: number;
  /** Returns and disputes, which contain free text. */
  readonly claims: number;
};

export type StoredData = {
  readonly leadId: LeadId;
  readonly supplierKey: string;
  readonly isTest: boolean;
  readonly state: LeadState;
  readonly receivedAt: Date;
  readonly erasedAt: Date | null;
  /** Null if erased, and for a rejected submission, which has only the body as received. */
  readonly fields: LeadFields | null;
  readonly hasBody: boolean;
  /** Null if no proof of consent is stored. */
  readonly consentStoredAt: Date | null;
  readonly deliveries: readonly StoredDelivery[];
};

/** Newest lead first; leads that do not exist are left out. */
export async function readStoredLeads(tx: Tx, leadIds: readonly LeadId[]): Promise<StoredData[]> {
  if (leadIds.length === 0) return [];
  const rows = await tx.query(storedOfLeads, { leadIds });
  const deliveries = await tx.query(storedOfDeliveries, { leadIds });
  return rows.map((row) => ({
    ...row,
    fields: row.fields === null ? null : (JSON.parse(row.fields) as LeadFields),
    deliveries: deliveries.filter(({ leadId }) => leadId === row.leadId),
  }));
}

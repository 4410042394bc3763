// SQL that reads the personal data of some leads and of their deliveries; used only before an erasure.
import type { DeliveryId, LeadId } from '../base/ids.ts';
import type { DeliveryStatus, EventType } from '../deliveries/delivery.ts';
import type { LeadState } from '../leads/stored-lead.ts';
import { statement } from '../platform/database/database.ts';

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

export type StoredLeadRow = {
  readonly leadId: LeadId;
  readonly supplierKey: string;
  readonly isTest: boolean;
  readonly state: LeadState;
  readonly receivedAt: Date;
  readonly erasedAt: Date | null;
  /** JSON of LeadFields. Null if erased, and for a rejected submission, which has only the body as received. */
  readonly fields: string | null;
  readonly hasBody: boolean;
  /** Null if no proof of consent is stored. */
  readonly consentStoredAt: Date | null;
};

export const storedOfLeads = statement<{ readonly leadIds: readonly LeadId[] }, StoredLeadRow>(
  'privacy.stored_of_leads',
  `SELECT l.lead_id AS "leadId", l.supplier_key AS "supplierKey", l.is_test AS "isTest", l.state, l.received_at AS "receivedAt",
          l.erased_at AS "erasedAt", l.fields, l.raw_body IS NOT NULL AS "hasBody", c.stored_at AS "consentStoredAt"
   FROM lead l LEFT JOIN consent_record c USING (lead_id) WHERE l.lead_id = ANY($leadIds::uuid[]) ORDER BY l.lead_id DESC`,
);

export const storedOfDeliveries = statement<{ readonly leadIds: readonly LeadId[] }, StoredDelivery>(
  'privacy.stored_of_deliveries',
  `SELECT d.delivery_id AS "deliveryId", d.lead_id AS "leadId", d.buyer_key AS "buyerKey", d.ref_number AS "refNumber",
          d.event_type AS "eventType", d.status, d.channel, d.delivered_at AS "deliveredAt",
          (SELECT count(*) FROM attempt a WHERE a.delivery_id = d.delivery_id) AS attempts,
          (SELECT count(*) FROM claim c WHERE c.delivery_id = d.delivery_id) AS claims
   FROM delivery d WHERE d.lead_id = ANY($leadIds::uuid[]) ORDER BY d.delivery_id`,
);

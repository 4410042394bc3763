// The asynchronous jobs that can become dead letters, with the payload that runs them again. Sending a lead is not among them: a delivery
// that cannot be sent ends as Failed, which is its own record.
import type { DeliveryId, LeadId, Uuid } from './base/ids.ts';

export type Jobs = {
  /** A row of the routing inbox: route the lead. */
  'route-lead': { readonly leadId: LeadId };
  /** A callback or notice to a supplier or partner. */
  'send-message': {
    readonly messageId: Uuid;
    readonly ownerKind: 'supplier' | 'buyer';
    readonly ownerKey: string;
    readonly channel: 'webhook' | 'email';
    readonly type: string;
    /** JSON text. */
    readonly data: string;
    readonly deliveryId: DeliveryId | null;
    /** ISO 8601. */
    readonly occurredAt: string;
  };
};

export type JobName = keyof Jobs;

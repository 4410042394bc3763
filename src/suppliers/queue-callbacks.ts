// Queues what suppliers asked to be told, in the transaction that makes it true (contract 5.8).
import { type LeadId, typeId } from '../base/ids.ts';
import { queueMessages } from '../messages/message-queue.ts';
import type { Tx } from '../platform/database/database.ts';
import type { CallbackEvent, SupplierConfig } from './supplier.ts';

/** Never the buyer's identity or price: what is not in here cannot be sent. */
export type LeadNews = {
  readonly supplierKey: string;
  /** An event that the supplier did not ask for is left out. */
  readonly type: CallbackEvent;
  readonly leadId: LeadId;
  readonly externalId: string | null;
  /** The public status. */
  readonly status: string;
  readonly reason: string | null;
};

/** Answers how many were asked for. */
export async function queueCallbacks(
  tx: Tx,
  { news, suppliers }: { news: readonly LeadNews[]; suppliers: ReadonlyMap<string, SupplierConfig> },
  now: Date,
): Promise<number> {
  const wanted = news.filter(({ supplierKey, type }) => suppliers.get(supplierKey)?.callback?.events.includes(type));
  await queueMessages(
    tx,
    wanted.map(({ supplierKey, type, leadId, externalId, status, reason }) => ({
      ownerKind: 'supplier',
      ownerKey: supplierKey,
      channel: 'webhook',
      type,
      data: { lead_id: typeId('lead', leadId), external_id: externalId, status, reason, occurredAt: now.toISOString() },
      deliveryId: null,
      leadId,
    })),
    now,
  );
  return wanted.length;
}

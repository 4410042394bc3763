// Queues callbacks to suppliers, in the transaction of the change that they report (contract 5.8).
import { computeApart } from '../base/apart.ts';
import { typeId, type LeadId } from '../base/ids.ts';
import { queueMessages } from '../messages/message-queue.ts';
import { type LeftOut, raiseLeftOut } from '../notices/left-out.ts';
import type { Tx } from '../platform/database/database.ts';
import type { CallbackEvent, SupplierConfig } from './supplier.ts';

/** Must never contain the buyer or the price: callbacks are built from these members alone. */
export type LeadNotice = {
  readonly supplierKey: string;
  /** An event that the supplier has not subscribed to is not sent. */
  readonly type: CallbackEvent;
  readonly leadId: LeadId;
  readonly externalId: string | null;
  /** The public status. */
  readonly status: string;
  readonly reason: string | null;
};

/** Returns the number of callbacks queued. */
export async function queueCallbacks(
  tx: Tx,
  { notices, suppliers }: { notices: readonly LeadNotice[]; suppliers: ReadonlyMap<string, SupplierConfig> },
  now: Date,
): Promise<number> {
  const leftOut = new Map<string, LeftOut>();
  const subscribed = computeApart(
    notices,
    (notice) => (suppliers.get(notice.supplierKey)?.callback?.events.includes(notice.type) === true ? [notice] : []),
    ({ supplierKey: key }, error) =>
      void leftOut.set(key, { account: 'supplier', key, partner: null, work: 'callbacks', error }),
  ).flat();
  await raiseLeftOut(tx, [...leftOut.values()], now);
  await queueMessages(
    tx,
    subscribed.map(({ supplierKey, type, leadId, externalId, status, reason }) => ({
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
  return subscribed.length;
}

// Queues what suppliers asked to be told, in the transaction that makes it true (contract 5, supplier callback).
import { newUuid, type Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { insertCallbacks } from './callback.sql.ts';
import type { CallbackEvent, SupplierConfig } from './supplier.ts';

/** Never the buyer's identity or price: what is not in here cannot be sent. */
export type LeadNews = {
  readonly supplierKey: string;
  /** An event that the supplier did not ask for is left out. */
  readonly type: CallbackEvent;
  readonly leadId: Uuid;
  readonly externalId: string | null;
  /** The public status. */
  readonly status: string;
  readonly reason: string | null;
};

export async function queueCallbacks(
  tx: Tx,
  { news, suppliers }: { news: readonly LeadNews[]; suppliers: ReadonlyMap<string, SupplierConfig> },
  now: Date,
): Promise<number> {
  const wanted = news.filter(({ supplierKey, type }) => suppliers.get(supplierKey)?.callback?.events.includes(type));
  if (wanted.length === 0) return 0;
  await tx.query(insertCallbacks, [
    wanted.map(() => newUuid()),
    wanted.map((item) => item.supplierKey),
    wanted.map((item) => item.type),
    wanted.map((item) => item.leadId),
    wanted.map((item) => item.externalId),
    wanted.map((item) => item.status),
    wanted.map((item) => item.reason),
    now,
  ]);
  return wanted.length;
}

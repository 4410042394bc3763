// Confirms and charges a failed delivery at a price that an operator sets, because its partner has the lead and named no price that could be
// charged (contract 13.5).
import { strict as assert } from 'node:assert';

import type { DeliveryId } from '../../base/ids.ts';
import type { Tx } from '../../platform/database/database.ts';
import { dueAtOnce } from '../../platform/queue/due-at-once.ts';
import { draftCharges, enterCharges } from '../charge-deliveries.ts';
import { insertCopies } from '../sending/send.sql.ts';
import { confirmDeliveries } from '../settle-deliveries.ts';
import { dropSale, selectPriceable, type PriceableRow } from './redelivery.sql.ts';
import { reopenDeliveries } from './reopen-deliveries.ts';

/** Null if there is no such delivery. */
export async function readPriceable(tx: Tx, deliveryId: DeliveryId): Promise<PriceableRow | null> {
  return (await tx.query(selectPriceable, { deliveryId }))[0] ?? null;
}

export type PricedDelivery = {
  readonly deliveryId: DeliveryId;
  readonly isExclusive: boolean;
  /** Within the bounds of the sale. */
  readonly priceCents: number;
};

/**
 * The caller has locked the lead and its deliveries, and found this one Failed and not queued. Takes no slot of a cap and holds no funds: the
 * lead was handed over long ago. The last step of its transaction, because it locks accounts.
 */
export async function confirmPriced(tx: Tx, priced: PricedDelivery, now: Date): Promise<void> {
  const { deliveryId, isExclusive, priceCents } = priced;
  await reopenDeliveries(tx, [{ deliveryId, isExclusive, capWindows: [] }], now);
  await tx.query(dropSale, { deliveryId });
  const { confirmed } = await confirmDeliveries(tx, [{ deliveryId, reference: null, priceCents }], now);
  assert(confirmed.length === 1, 'a reopened delivery was not confirmed');
  await tx.query(insertCopies, { deliveryIds: [deliveryId], dueAt: dueAtOnce(now) });
  const charges = await draftCharges(
    tx,
    confirmed.map((delivery) => ({ ...delivery, reservedCents: 0 })),
    now,
  );
  await enterCharges(tx, charges, now);
}

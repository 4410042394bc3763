// Writes whole buyers, new ones and changed ones alike.
import { type EndpointKey, endpointName } from '../endpoints/breaker.rules.ts';
import { deleteHealth } from '../endpoints/health.ts';
import type { Tx } from '../platform/database/database.ts';
import { buyerOfRow, rowOfBuyer, type SavedBuyer } from './buyer-row.rules.ts';
import { readSomeBuyersSql, saveBuyersSql } from './buyer.sql.ts';
import { channels } from './partner.schema.ts';
import { targetOf } from './channel-target.rules.ts';

/**
 * A channel that goes elsewhere gets a new start, and a changed webhook URL also puts a disabled endpoint back into use. The caller has
 * locked and bumped the version and records history and audit; what the file states of the settings is written apart.
 */
export async function saveBuyers(tx: Tx, buyers: readonly SavedBuyer[], now: Date): Promise<void> {
  if (buyers.length === 0) return;
  const rows = await tx.query(readSomeBuyersSql, { keys: buyers.map(({ buyerKey }) => buyerKey) });
  await tx.query(saveBuyersSql, { buyers: JSON.stringify(buyers.map(rowOfBuyer)), now });
  const before = new Map(rows.map((row) => [row.buyerKey, buyerOfRow(row)]));
  for (const endpoint of movedEndpoints(before, buyers)) await deleteHealth(tx, endpoint, now);
}

/** In the order in which whoever notes results locks them. */
function movedEndpoints(before: ReadonlyMap<string, SavedBuyer>, after: readonly SavedBuyer[]): EndpointKey[] {
  const moved = after.flatMap(({ buyerKey, settings }) => {
    const was = before.get(buyerKey)?.settings;
    if (was === undefined) return [];
    return channels
      .filter((channel) => targetOf(channel, was) !== targetOf(channel, settings))
      .map((channel): EndpointKey => ({ ownerKind: 'buyer', ownerKey: buyerKey, channel }));
  });
  return moved.toSorted((left, right) => (endpointName(left) < endpointName(right) ? -1 : 1));
}

// Reads the fields of the leads that a partner got last, page by page.
import { LAST_ID } from '../base/id-time.ts';
import type { Uuid } from '../base/ids.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import { readFields } from '../leads/read-fields.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { selectRecentlyBought } from './recently-bought.sql.ts';

export type BoughtBefore = { readonly time: Date; readonly id: Uuid };
export type BoughtPage = { readonly leads: readonly LeadFields[]; readonly next: BoughtBefore | null };

/** Newest first, since a time and before a delivery; null for the newest. */
export async function readRecentlyBought(
  tx: Tx,
  {
    buyerKey,
    since,
    before,
    limit,
  }: { readonly buyerKey: string; readonly since: Date; readonly before: BoughtBefore; readonly limit: number },
): Promise<BoughtPage> {
  const page = { buyerKey, since, beforeTime: before.time, beforeId: before.id, limit };
  const rows = await tx.query(selectRecentlyBought, page);
  const last = rows.at(-1);
  return {
    leads: rows.flatMap(({ fields }) => (fields === null ? [] : [readFields(fields, null)])),
    next: last === undefined || rows.length < limit ? null : { time: last.deliveredAt, id: last.deliveryId },
  };
}

/** Before which all deliveries of now are. */
export function boughtUntil(now: Date): BoughtBefore {
  return { time: now, id: LAST_ID };
}

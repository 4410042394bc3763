// Reads the fields of the newest leads, page by page, for figures that look back over some days.
import { firstIdOf, LAST_ID } from '../base/id-time.ts';
import type { Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { selectRecentLeads } from './find-leads.sql.ts';
import type { LeadFields } from './lead-fields.ts';
import { readFields } from './read-fields.rules.ts';

/** `before` and `next` are where to go on; null for the newest, and at the end. */
export type RecentPage = { readonly leads: readonly LeadFields[]; readonly next: Uuid | null };

/** Of the `limit` newest submissions since a time, the accepted leads, without tests and erased ones. */
export async function readRecentLeads(
  tx: Tx,
  { since, before, limit }: { readonly since: Date; readonly before: Uuid | null; readonly limit: number },
): Promise<RecentPage> {
  const rows = await tx.query(selectRecentLeads, { since, from: firstIdOf(since), before: before ?? LAST_ID, limit });
  const leads = rows.flatMap(({ fields }) => (fields === null ? [] : [readFields(fields, null)]));
  return { leads, next: rows.length < limit ? null : (rows.at(-1)?.leadId ?? null) };
}

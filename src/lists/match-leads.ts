// Compares leads with the entries of one load, to say how many of its entries match any (contract 15.4).
import type { LeadFields } from '../leads/lead-fields.ts';
import { int8Array } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { matchEntries } from './list-entry.sql.ts';
import { lookedUpHashes } from './list-hash.ts';
import type { List, ListHash } from './list.ts';
import { lookedUpValues } from './looked-up-values.rules.ts';

/** The hashes of the entries that one of the leads would meet. */
export async function matchLeads(
  tx: Tx,
  {
    list: { kind, use },
    loadId,
    leads,
  }: { readonly list: Pick<List, 'kind' | 'use'>; readonly loadId: number; readonly leads: readonly LeadFields[] },
  now: Date,
): Promise<ListHash[]> {
  const kinds = new Set([kind]);
  const hashes = new Set<ListHash>();
  for (const fields of leads) {
    for (const { text, isOwnField } of lookedUpValues(fields, kinds)) {
      if (use === 'sold' && isOwnField) continue;
      for (const hash of lookedUpHashes(kind, text)) hashes.add(hash);
    }
  }
  if (hashes.size === 0) return [];
  return (await tx.query(matchEntries, { loadId, hashes: int8Array([...hashes]), now })).map(({ hash }) => hash);
}

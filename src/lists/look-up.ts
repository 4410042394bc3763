// Finds the lists that leads are on, with one statement for a batch (contract 15.3; decision 070).
import type { LeadId } from '../base/ids.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import { int8Array } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { lookUpSql } from './list-entry.sql.ts';
import { lookedUpHashes } from './list-hash.ts';
import type { ListHit } from './list-hits.rules.ts';
import { selectKinds } from './list.sql.ts';
import type { ListHash, ListKind } from './list.ts';
import { lookedUpValues } from './looked-up-values.rules.ts';

export type LeadToLookUp = { readonly leadId: LeadId; readonly fields: LeadFields };
export type HitsByLead = ReadonlyMap<LeadId, readonly ListHit[]>;

/** The kinds of all lists: values of other kinds need no look-up. */
export async function readListKinds(tx: Tx): Promise<ReadonlySet<ListKind>> {
  return new Set((await tx.query(selectKinds)).map(({ kind }) => kind));
}

type Asking = { readonly leadId: LeadId; readonly kind: ListKind; readonly isOwnField: boolean };

/** Leads without a hit are left out. Sends no statement where no list has a kind in use. */
export async function lookUpLeads(
  tx: Tx,
  { leads, kinds }: { readonly leads: readonly LeadToLookUp[]; readonly kinds: ReadonlySet<ListKind> },
  now: Date,
): Promise<HitsByLead> {
  const asking = new Map<ListHash, Asking[]>();
  for (const { leadId, fields } of kinds.size === 0 ? [] : leads) {
    for (const { kind, text, isOwnField } of lookedUpValues(fields, kinds)) {
      for (const hash of lookedUpHashes(kind, text)) {
        const others = asking.get(hash);
        if (others === undefined) asking.set(hash, [{ leadId, kind, isOwnField }]);
        else others.push({ leadId, kind, isOwnField });
      }
    }
  }
  if (asking.size === 0) return new Map();
  const rows = await tx.query(lookUpSql, { hashes: int8Array([...asking.keys()]), now });
  const hits = new Map<LeadId, ListHit[]>();
  for (const { hash, kind, ...hit } of rows) {
    for (const { leadId, isOwnField, kind: askedKind } of asking.get(hash) ?? []) {
      // Duplicates are told by the lead's phone and email address alone.
      if (kind !== askedKind || (hit.use === 'sold' && isOwnField)) continue;
      const found = hits.get(leadId);
      if (found === undefined) hits.set(leadId, [hit]);
      else found.push(hit);
    }
  }
  return hits;
}

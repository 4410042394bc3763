// Finds stored leads by a member of their fields, which are JSON text but never `jsonb` (contract 14.1).

/** Leads whose fields are searched for one page of a filter without an index: reading more takes longer than a page may. */
export const MARKED_SCAN_LIMIT = 3000;

/** Part of the stored fields of the leads with this value alone, in the text before `extra`, which is last. Ingest writes the name first. */
export function fieldMark(name: 'source' | 'state' | 'vertical', value: string | null): string | null {
  return value === null ? null : `,"${name}":${JSON.stringify(value)}`;
}

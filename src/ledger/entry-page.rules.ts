// Where a page of a partner's ledger lies: its entries are numbered from 1 without a gap, so that no entry has to be counted or skipped
// (contract 6.18).

/** Versions of the account: after < version ≤ upTo. */
export type VersionRange = { readonly after: number; readonly upTo: number };

/** `total` is the account's version; page 1 holds the newest. Null for a page past the end. */
export function versionsOfPage(total: number, page: number, pageSize: number): VersionRange | null {
  const upTo = total - (page - 1) * pageSize;
  return upTo <= 0 ? null : { after: Math.max(0, upTo - pageSize), upTo };
}

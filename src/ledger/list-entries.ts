// A page of a partner's ledger with the money it explains, newest entry first (contract 6.18).
import type { Tx } from '../platform/database/database.ts';
import { versionsOfPage } from './entry-page.rules.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { selectAccount, selectEntryPage } from './ledger.sql.ts';
import { accountKey } from './transfer.rules.ts';
import type { Funds } from './funds.ts';

export type LedgerPage = Funds & {
  /** All entries of the partner, exactly. */
  readonly total: number;
  readonly entries: readonly LedgerEntry[];
};

/**
 * Reads as much for the last page of a million entries as for the first of ten. The balance is the one after the newest entry, and the
 * page belongs to `total`, if `tx` is a snapshot. A partner without accounts has nothing and owes nothing.
 */
export async function listEntries(
  tx: Tx,
  buyerKey: string,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
): Promise<LedgerPage> {
  const key = accountKey('buyer', buyerKey);
  const [account] = await tx.query(selectAccount, { key });
  if (account === undefined) return { balanceCents: 0, heldCents: 0, total: 0, entries: [] };
  const { balanceCents, heldCents, version: total } = account;
  const range = versionsOfPage(total, page, pageSize);
  const entries = range === null ? [] : await tx.query(selectEntryPage, { key, after: range.after, upTo: range.upTo });
  return { balanceCents, heldCents, total, entries };
}

// Reads ledger entries: a page of a partner's entries with its balance, or the entries of one delivery (contract 6.18, 7.2).
import type { Tx } from '../platform/database/database.ts';
import { countEntries, versionsOfPage, type LedgerEntry, type SupplierEntry } from './entry.rules.ts';
import { ALL_ENTRIES, type EntryFilter, findEntries } from './entry-versions.ts';
import {
  type EntrySums,
  selectAccount,
  selectEntryPage,
  selectDeliveryEntries,
  selectSupplierEntriesOfDelivery,
  sumEntriesOnly,
  sumEntryRange,
} from './ledger.sql.ts';
import { accountKey, type Funds } from './transfer.rules.ts';
import type { DeliveryId } from '../base/ids.ts';

export type LedgerPage = Funds & {
  /** Exact count of the entries that the filter selects. */
  readonly total: number;
  readonly entries: readonly LedgerEntry[];
};

/**
 * Newest entry first. Without a filter every page costs the same, however many entries precede it. `tx` must be a snapshot for balance,
 * total and entries to belong together. A partner without accounts has a balance of 0 and no entries.
 */
export async function listEntries(
  tx: Tx,
  buyerKey: string,
  {
    page,
    pageSize,
    filter = ALL_ENTRIES,
  }: { readonly page: number; readonly pageSize: number; readonly filter?: EntryFilter },
): Promise<LedgerPage> {
  const key = accountKey('buyer', buyerKey);
  const [account] = await tx.query(selectAccount, { key });
  if (account === undefined) return { balanceCents: 0, heldCents: 0, total: 0, entries: [] };
  const { balanceCents, heldCents, version } = account;
  const found = await findEntries(tx, { buyerKey, total: version, filter });
  const versions = versionsOfPage(found, page, pageSize);
  const entries = versions.length === 0 ? [] : await tx.query(selectEntryPage, { key, versions });
  return { balanceCents, heldCents, total: countEntries(found), entries };
}

const NONE: EntrySums = { debitCents: 0, creditCents: 0 };

/** Of the entries that `listEntries` lists on all pages. More than `atMost` are counted, and not added up. `tx` must be a snapshot. */
export async function sumEntries(
  tx: Tx,
  buyerKey: string,
  { filter = ALL_ENTRIES, atMost }: { readonly filter?: EntryFilter; readonly atMost: number },
): Promise<EntrySums & { readonly rows: number }> {
  const key = accountKey('buyer', buyerKey);
  const total = (await tx.query(selectAccount, { key }))[0]?.version ?? 0;
  const found = await findEntries(tx, { buyerKey, total, filter });
  const rows = countEntries(found);
  if (rows > atMost) return { rows, ...NONE };
  const [sums = NONE] =
    'only' in found
      ? await tx.query(sumEntriesOnly, { key, versions: found.only })
      : await tx.query(sumEntryRange, { key, ...found.range, without: found.without });
  return { rows, ...sums };
}

/** The charge and a possible credit, oldest first. For the operator only: the query is not restricted to one buyer. */
export async function readDeliveryEntries(tx: Tx, deliveryId: DeliveryId): Promise<LedgerEntry[]> {
  return tx.query(selectDeliveryEntries, { deliveryId });
}

/** What a delivery costs and what a claim took back of it, oldest first. For the operator only. */
export async function readCostEntries(tx: Tx, deliveryId: DeliveryId): Promise<SupplierEntry[]> {
  return tx.query(selectSupplierEntriesOfDelivery, { deliveryId });
}

// Puts a marketplace file into force, all or nothing, and answers what that changed (contract 7).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditActor } from '../audit/audit-event.ts';
import { definitionOfBuyer } from '../buyers/buyer-row.rules.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { saveBuyers } from '../buyers/save-buyers.ts';
import { writeFileSettings } from '../buyers/write-file-settings.ts';
import { ensureSigningSecret } from '../credentials/ensure-signing-secret.ts';
import { openAccounts } from '../ledger/open-accounts.ts';
import { bumpConfigVersion } from '../marketplace/bump-version.ts';
import { lockConfigVersion } from '../marketplace/lock-version.ts';
import { MARKETPLACE_KEY, recordHistory, type HistoryRecord } from '../marketplace/record-history.ts';
import { writeSettings } from '../marketplace/write-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { saveOffers } from '../routing/save-offers.ts';
import { saveSuppliers } from '../suppliers/save-suppliers.ts';
import { rowOfSupplier } from '../suppliers/supplier-row.rules.ts';
import { auditEventsOf } from './change-audit.rules.ts';
import { differenceOf, type Change, type Difference, type Unmanaged, type Writes } from './difference.rules.ts';
import type { FileFault, MarketplaceFile } from './marketplace-file.ts';
import { notesOn } from './notes.rules.ts';
import { readConfiguration } from './read-configuration.ts';

export type ApplyOptions = {
  /** Only says what would change. */
  readonly dryRun: boolean;
  /** Closes what is in force and not in the file; deletes nothing. */
  readonly prune: boolean;
  readonly actor: AuditActor;
};

export type AppliedFile =
  | {
      readonly ok: true;
      readonly changes: readonly Change[];
      readonly unmanaged: readonly Unmanaged[];
      /** Whether the file is in force now, which it also is where it changed nothing. */
      readonly applied: boolean;
      /** For people: what the file says and its author may not mean. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly errors: readonly FileFault[] };

/** Where nothing changes, nothing is written: no version, no history, no audit event. Files applied at the same time take turns. */
export async function applyFile(
  tx: Tx,
  file: MarketplaceFile,
  { dryRun, prune, actor }: ApplyOptions,
  now: Date,
): Promise<AppliedFile> {
  await lockConfigVersion(tx);
  const current = await readConfiguration(tx);
  const difference = differenceOf(current, file, { prune });
  const { changes, unmanaged, faults, writes } = difference;
  if (faults.length > 0) return { ok: false, errors: faults };
  if (!dryRun) {
    if (changes.length > 0) await writeChanges(tx, difference, { actor, at: now });
    // After the buyers, which may be new; it changes nothing that a process goes by.
    await writeFileSettings(tx, writes.fileSettings);
  }
  const newSuppliers = new Set(writes.suppliers.map(({ supplierKey }) => supplierKey));
  return { ok: true, changes, unmanaged, applied: !dryRun, notes: notesOn(writes, current, newSuppliers) };
}

async function writeChanges(
  tx: Tx,
  { changes, writes }: Difference,
  { actor, at }: { readonly actor: AuditActor; readonly at: Date },
): Promise<void> {
  const version = await bumpConfigVersion(tx);
  if (writes.settings !== null) await writeSettings(tx, writes.settings);
  await saveSuppliers(tx, writes.suppliers, at);
  await saveBuyers(tx, writes.buyers, at);
  await saveOffers(tx, writes.offers, at);

  const created = (kind: Change['kind']): string[] =>
    changes.filter((change) => change.kind === kind && change.action === 'create').map(({ key }) => key);
  await openAccounts(tx, created('partner'));
  for (const key of created('partner')) await ensureSigningSecret(tx, { kind: 'buyer', key }, at);
  for (const key of created('supplier')) await ensureSigningSecret(tx, { kind: 'supplier', key }, at);

  // As they now are: with an endpoint that was gone before, or is in use again because its URL is a new one.
  const buyers = writes.buyers.length === 0 ? new Map<string, Buyer>() : await readBuyers(tx);
  await recordHistory(tx, { version, records: historyOf(writes, buyers) }, at);
  const buyerOfOffer = new Map(writes.offers.map(({ offerKey, buyerKey }) => [offerKey, buyerKey]));
  await appendAudit(tx, auditEventsOf(changes, { actor, at, buyerOfOffer }));
}

function historyOf(
  { settings, suppliers, buyers, offers }: Writes,
  stored: ReadonlyMap<string, Buyer>,
): HistoryRecord[] {
  return [
    ...(settings === null ? [] : [{ kind: 'marketplace', key: MARKETPLACE_KEY, definition: settings } as const]),
    ...suppliers.map(
      (supplier) => ({ kind: 'supplier', key: supplier.supplierKey, definition: rowOfSupplier(supplier) }) as const,
    ),
    ...buyers.flatMap(({ buyerKey }) => {
      const buyer = stored.get(buyerKey);
      return buyer === undefined
        ? []
        : [{ kind: 'buyer', key: buyerKey, definition: definitionOfBuyer(buyer) } as const];
    }),
    ...offers.map((offer) => ({ kind: 'offer', key: offer.offerKey, definition: offer }) as const),
  ];
}

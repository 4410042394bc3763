// Puts a marketplace file into force, all or nothing, and answers what that changed (contract 7.5).
import { strict as assert } from 'node:assert';
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { definitionOfBuyer } from '../buyers/buyer-row.rules.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { saveBuyers } from '../buyers/save-buyers.ts';
import { writeFileSettings } from '../buyers/write-file-settings.ts';
import { ensureSigningSecret } from '../credentials/ensure-signing-secret.ts';
import { openAccounts } from '../ledger/accounts.ts';
import { bumpConfigVersion } from '../marketplace/bump-version.ts';
import { lockConfigVersion } from '../marketplace/lock-version.ts';
import { recordHistory } from '../marketplace/record-history.ts';
import { MARKETPLACE_KEY, type HistoryRecord } from '../marketplace/settings.ts';
import { writeSettings } from '../marketplace/write-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { saveOffers } from '../routing/save-offers.ts';
import { saveSuppliers } from '../suppliers/save-suppliers.ts';
import { rowOfSupplier } from '../suppliers/supplier-row.rules.ts';
import { auditEventsOf } from './change-audit.rules.ts';
import {
  differenceOf,
  type Change,
  type Difference,
  type DifferenceOptions,
  type Unmanaged,
  type Writes,
} from './difference.rules.ts';
import type { FileFault, MarketplaceFile } from './marketplace-file.ts';
import { notesOn } from './notes.rules.ts';
import { readConfiguration, readNamedIn } from './read-configuration.ts';

/** What is pruned is closed; nothing is deleted. */
export type ApplyOptions = DifferenceOptions & {
  /** Only says what would change. */
  readonly dryRun: boolean;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
  /** Of what is in force only that is looked at which the file names: nothing is `unmanaged`, and nothing can be pruned. */
  readonly isPart?: boolean;
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
  { dryRun, actor, origin = noOrigin, isPart = false, ...options }: ApplyOptions,
  now: Date,
): Promise<AppliedFile> {
  await lockConfigVersion(tx);
  assert(!(isPart && options.prune), 'what a part of the file leaves out is not to be closed');
  const current = await (isPart ? readNamedIn(tx, file) : readConfiguration(tx));
  const difference = differenceOf(current, file, options);
  const { changes, faults, writes } = difference;
  const unmanaged = isPart ? [] : difference.unmanaged;
  if (faults.length > 0) return { ok: false, errors: faults };
  if (!dryRun) {
    if (changes.length > 0) await writeChanges(tx, difference, { actor, origin, at: now });
    // After the buyers, which may be new; it changes nothing that a process goes by.
    await writeFileSettings(tx, writes.fileSettings);
  }
  const newSuppliers = new Set(writes.suppliers.map(({ supplierKey }) => supplierKey));
  return { ok: true, changes, unmanaged, applied: !dryRun, notes: notesOn(writes, current, newSuppliers) };
}

async function writeChanges(
  tx: Tx,
  { changes, writes }: Difference,
  { actor, origin, at }: { readonly actor: AuditActor; readonly origin: AuditOrigin; readonly at: Date },
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
  const written = writes.buyers.map(({ buyerKey }) => buyerKey);
  const buyers = written.length === 0 ? new Map<string, Buyer>() : await readBuyers(tx, written);
  await recordHistory(tx, { version, records: historyOf(writes, buyers) }, at);
  const buyerOfOffer = new Map(writes.offers.map(({ offerKey, buyerKey }) => [offerKey, buyerKey]));
  await appendAudit(tx, auditEventsOf(changes, { actor, origin, at, buyerOfOffer }));
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

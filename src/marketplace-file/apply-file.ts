// Applies a marketplace file, all or nothing, and returns the changes (contract 7.5).
import { strict as assert } from 'node:assert';
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { definitionOfBuyer } from '../buyers/buyer-row.rules.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { appendOwnColumns } from '../buyers/own-columns.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { saveBuyers } from '../buyers/save-buyers.ts';
import { writeFileSettings } from '../buyers/file-settings.ts';
import { ensureSigningSecret } from '../credentials/signing-secrets.ts';
import { openAccounts } from '../ledger/accounts.ts';
import { bumpConfigVersion, lockConfigVersion } from '../marketplace/config-version.ts';
import { recordHistory } from '../marketplace/config-history.ts';
import { MARKETPLACE_KEY, type HistoryRecord } from '../marketplace/settings.ts';
import { writeSettings } from '../marketplace/stored-settings.ts';
import { saveVerticals } from '../marketplace/stored-verticals.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Offer } from '../routing/offer.ts';
import { readOffers, readOffersBelow, saveOffers } from '../routing/stored-offers.ts';
import { saveSuppliers } from '../suppliers/save-suppliers.ts';
import { rowOfSupplier } from '../suppliers/supplier-form.rules.ts';
import { buildAuditEvents } from './change-audit.rules.ts';
import {
  findDifference,
  type Change,
  type Configuration,
  type Difference,
  type DifferenceOptions,
  type Writes,
  type AppliedFile,
} from './difference.rules.ts';
import { closingNotes } from './closing-notes.rules.ts';
import { fileNotes } from './difference-text.rules.ts';
import { findUnknownZones } from './find-unknown-zones.ts';
import { findStops } from './find-stops.ts';
import { highestAmount, lossNotes } from './loss-notes.rules.ts';
import type { MarketplaceFile } from './marketplace-file.ts';
import { readConfiguration, readNamedConfiguration } from './read-configuration.ts';

/** Pruning closes; nothing is deleted. */
export type ApplyOptions = DifferenceOptions & {
  /** Only returns what would change. */
  readonly dryRun: boolean;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
  /** Compares only with what the file names: nothing is `unmanaged`, and pruning is not allowed. */
  readonly isPart?: boolean;
};

/** If nothing changes, nothing is written: no version, no history, no audit event. Concurrent files are applied one after another. */
export async function applyFile(
  tx: Tx,
  file: MarketplaceFile,
  { dryRun, actor, origin = noOrigin, isPart = false, ...options }: ApplyOptions,
  now: Date,
): Promise<AppliedFile> {
  await lockConfigVersion(tx);
  assert(!(isPart && options.prune), 'a part of a file cannot prune');
  const current = await (isPart ? readNamedConfiguration(tx, file) : readConfiguration(tx));
  const difference = findDifference(current, file, options);
  const { changes, faults, writes } = difference;
  const unmanaged = isPart ? [] : difference.unmanaged;
  faults.push(...(await findUnknownZones(tx, file, { writes, current })));
  if (faults.length > 0) return { ok: false, errors: faults };
  // Before anything is written, because it compares with what is stored.
  const stops = await findStops(tx, writes, { current, isPart }, now);
  if (!dryRun) {
    if (changes.length > 0) await writeChanges(tx, difference, { actor, origin, at: now });
    // After the buyers, which may be new. No process uses it, so it needs no new version.
    await writeFileSettings(tx, writes.fileSettings);
  }
  const newSuppliers = new Set(writes.suppliers.map(({ supplierKey }) => supplierKey));
  const losses = isPart ? await findLosses(tx, writes, current) : lossNotes(writes, current);
  const notes = [...fileNotes(writes, current, newSuppliers), ...closingNotes(writes, current), ...losses];
  return { ok: true, changes, unmanaged, applied: !dryRun, notes, ...(stops.length === 0 ? {} : { stops }) };
}

/** A part names few offers: those that may cost more than their price under changed terms are read besides. */
async function findLosses(tx: Tx, writes: Writes, current: Configuration): Promise<string[]> {
  const dearest = Math.max(0, ...writes.suppliers.map(highestAmount));
  const named = dearest === 0 ? [] : await readOffersBelow(tx, dearest);
  const offers = new Map([...named.map((offer) => [offer.offerKey, offer] as const), ...current.offers]);
  return lossNotes(writes, { ...current, offers });
}

async function writeChanges(
  tx: Tx,
  { changes, writes }: Difference,
  { actor, origin, at }: { readonly actor: AuditActor; readonly origin: AuditOrigin; readonly at: Date },
): Promise<void> {
  const version = await bumpConfigVersion(tx);
  if (writes.settings !== null) await writeSettings(tx, writes.settings);
  await saveVerticals(tx, writes.verticals, at);
  await saveSuppliers(tx, writes.suppliers, at);
  await saveBuyers(tx, writes.buyers, at);
  await saveOffers(tx, writes.offers, at);
  if (writes.verticals.length > 0 || writes.offers.length > 0) await appendOwnColumns(tx);

  const created = (kind: Change['kind']): string[] =>
    changes.filter((change) => change.kind === kind && change.action === 'create').map(({ key }) => key);
  await openAccounts(tx, created('partner'));
  for (const key of created('partner')) await ensureSigningSecret(tx, { kind: 'buyer', key }, at);
  for (const key of created('supplier')) await ensureSigningSecret(tx, { kind: 'supplier', key }, at);

  // Read again, because saving a new URL enables a disabled endpoint, and a file says nothing of pauses.
  const written = writes.buyers.map(({ buyerKey }) => buyerKey);
  const buyers = written.length === 0 ? new Map<string, Buyer>() : await readBuyers(tx, written);
  const offers =
    writes.offers.length === 0
      ? []
      : await readOffers(
          tx,
          writes.offers.map(({ offerKey }) => offerKey),
        );
  await recordHistory(tx, { version, records: historyOf(writes, { buyers, offers }) }, at);
  const buyerOfOffer = new Map(writes.offers.map(({ offerKey, buyerKey }) => [offerKey, buyerKey]));
  await appendAudit(tx, buildAuditEvents(changes, { actor, origin, at, buyerOfOffer }));
}

function historyOf(
  { settings, verticals, suppliers, buyers }: Writes,
  stored: { readonly buyers: ReadonlyMap<string, Buyer>; readonly offers: readonly Offer[] },
): HistoryRecord[] {
  return [
    ...(settings === null ? [] : [{ kind: 'marketplace', key: MARKETPLACE_KEY, definition: settings } as const]),
    ...verticals.map((vertical) => ({ kind: 'vertical', key: vertical.key, definition: vertical }) as const),
    ...suppliers.map(
      (supplier) => ({ kind: 'supplier', key: supplier.supplierKey, definition: rowOfSupplier(supplier) }) as const,
    ),
    ...buyers.flatMap(({ buyerKey }) => {
      const buyer = stored.buyers.get(buyerKey);
      return buyer === undefined
        ? []
        : [{ kind: 'buyer', key: buyerKey, definition: definitionOfBuyer(buyer) } as const];
    }),
    ...stored.offers.map((offer) => ({ kind: 'offer', key: offer.offerKey, definition: offer }) as const),
  ];
}

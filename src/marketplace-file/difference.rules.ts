// Compares a marketplace file with the current configuration: changes, writes and errors (contract 7.5).
import { Value } from 'typebox/value';

import { readRegion } from '../base/regions.ts';
import { buyerForm, noSettings } from '../buyers/buyer-form.rules.ts';
import type { SavedBuyer } from '../buyers/buyer-row.rules.ts';
import type { BuyerConfig, BuyerSettings, FileSettings, FileStatement } from '../buyers/buyer.ts';
import { buyerSettings } from '../buyers/partner.schema.ts';
import { type MarketplaceSettings, settingsForm } from '../marketplace/settings.ts';
import { comparedVertical, statedVertical } from '../marketplace/vertical-form.rules.ts';
import type { Vertical } from '../marketplace/verticals.ts';
import { offerForm } from '../routing/offer-form.rules.ts';
import type { Offer } from '../routing/offer.ts';
import { supplierForm } from '../suppliers/supplier-form.rules.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { answeredPriceFaults } from './answered-price-faults.rules.ts';
import { fieldChanges, fieldsOfNew, type FieldChanges } from './field-changes.rules.ts';
import type { FileFault, MarketplaceFile, PartnerEntry } from './marketplace-file.ts';
import { verticalFaults } from './vertical-faults.rules.ts';

export type AppliedFile =
  | {
      readonly ok: true;
      readonly changes: readonly Change[];
      readonly unmanaged: readonly Unmanaged[];
      /** Whether the file was applied; true even if it changed nothing. */
      readonly applied: boolean;
      /** For display: settings of the file that may be mistakes. */
      readonly notes: readonly string[];
      /** For display: the offers that receive leads now and would not any more; left out where there are none. */
      readonly stops?: readonly string[];
    }
  | { readonly ok: false; readonly errors: readonly FileFault[] };

export type Configuration = {
  readonly settings: MarketplaceSettings;
  readonly verticals: ReadonlyMap<string, Vertical>;
  readonly suppliers: ReadonlyMap<string, SupplierConfig>;
  readonly buyers: ReadonlyMap<string, SavedBuyer>;
  /** What the last applied file stated of each buyer's settings. */
  readonly fileSettings: ReadonlyMap<string, FileStatement>;
  readonly offers: ReadonlyMap<string, Offer>;
};

export type Change = {
  readonly kind: 'marketplace' | 'vertical' | 'supplier' | 'partner' | 'offer';
  readonly key: string;
  readonly action: 'create' | 'update' | 'close';
  readonly fields: FieldChanges;
};
export type Unmanaged = { readonly kind: Exclude<Change['kind'], 'marketplace'>; readonly key: string };

/** What must be written to apply the file; each list contains only what changes. */
export type Writes = {
  settings: MarketplaceSettings | null;
  readonly verticals: Vertical[];
  readonly suppliers: SupplierConfig[];
  readonly buyers: SavedBuyer[];
  readonly offers: Offer[];
  /** Also if no setting changes: the buyer may have had the file's value already. */
  readonly fileSettings: Map<string, FileStatement>;
};

export type Difference = {
  /** In the order of the file, closed things last. */
  readonly changes: Change[];
  /** Configured and not in the file: exactly what pruning would close. */
  readonly unmanaged: Unmanaged[];
  readonly faults: FileFault[];
  readonly writes: Writes;
};

export type DifferenceOptions = {
  /** Closes what is configured and not in the file. */
  readonly prune: boolean;
  /**
   * Settings replace a partner's own, as in a form of the console, instead of being starting values; the record of what the last file
   * stated stays unchanged.
   */
  readonly overwriteSettings?: boolean;
};

export function findDifference(
  current: Configuration,
  file: MarketplaceFile,
  { prune, overwriteSettings = false }: DifferenceOptions,
): Difference {
  const difference: Difference = {
    changes: [],
    unmanaged: [],
    faults: [],
    writes: { settings: null, verticals: [], suppliers: [], buyers: [], offers: [], fileSettings: new Map() },
  };
  compareSettings(current, file, difference);
  for (const vertical of file.verticals) compareVertical(current, vertical, difference);
  for (const supplier of file.suppliers) compareSupplier(current, supplier, difference);
  for (const partner of file.partners) {
    comparePartner(current, partner, { overwriteSettings, difference });
    for (const offer of partner.offers) compareOffer(current, offer, { file, difference });
  }
  checkRegions(current, file, difference);
  difference.faults.push(
    ...verticalFaults(current, file),
    ...answeredPriceFaults(afterwards(current, file, difference), file),
  );
  for (const missing of missingFrom(file, current)) {
    if (prune) close(missing, difference);
    else difference.unmanaged.push({ kind: missing.kind, key: missing.key });
  }
  return difference;
}

/** The partners with the formats that they will have, which are starting values in a file, and all offers. */
function afterwards(current: Configuration, { partners }: MarketplaceFile, { writes }: Difference) {
  const stated = partners.flatMap(({ offers }) => offers.map((offer) => [offer.offerKey, offer] as const));
  return {
    buyers: new Map([...current.buyers, ...writes.buyers.map((buyer) => [buyer.buyerKey, buyer] as const)]),
    offers: new Map([...current.offers, ...stated]),
  };
}

function compareSettings(
  current: Configuration,
  { marketplace }: MarketplaceFile,
  { changes, writes }: Difference,
): void {
  if (marketplace === null) return;
  const fields = fieldChanges(settingsForm(current.settings), settingsForm(marketplace));
  if (isEmpty(fields)) return;
  changes.push({ kind: 'marketplace', key: 'marketplace', action: 'update', fields });
  writes.settings = marketplace;
}

/** Every offer that is looked at: a file cannot leave out a region on which an offer that it does not name filters. */
function checkRegions(current: Configuration, file: MarketplaceFile, { faults }: Difference): void {
  const { regions } = file.marketplace ?? current.settings;
  const named = file.partners.flatMap(({ offers }) => offers.map((offer) => [offer.offerKey, offer] as const));
  for (const [key, { filters }] of new Map([...current.offers, ...named])) {
    const outside = [...filters.states, ...filters.statesNot].filter((state) => readRegion(state, regions) === null);
    if (outside.length === 0) continue;
    const position = file.offerPositions.get(key) ?? file.regionsPosition ?? { line: 1, column: 1, path: '' };
    faults.push({
      ...position,
      message: `the offer "${key}" filters on ${outside.join(', ')}, which the regions leave out`,
    });
  }
}

function compareVertical(current: Configuration, vertical: Vertical, { changes, writes }: Difference): void {
  const { key } = vertical;
  const before = current.verticals.get(key);
  const { key: _named, ...stated } = statedVertical(vertical);
  const fields =
    before === undefined
      ? Object.fromEntries(Object.entries(stated).map(([name, to]) => [name, { from: null, to }]))
      : fieldChanges(comparedVertical(before), comparedVertical(vertical));
  if (before !== undefined && isEmpty(fields)) return;
  changes.push({ kind: 'vertical', key, action: before === undefined ? 'create' : 'update', fields });
  writes.verticals.push(vertical);
}

function compareSupplier(current: Configuration, supplier: SupplierConfig, { changes, writes }: Difference): void {
  const before = current.suppliers.get(supplier.supplierKey);
  const after = supplierForm(supplier);
  const fields = before === undefined ? fieldsOfNew(after) : fieldChanges(supplierForm(before), after);
  if (before !== undefined && isEmpty(fields)) return;
  changes.push({
    kind: 'supplier',
    key: supplier.supplierKey,
    action: before === undefined ? 'create' : 'update',
    fields,
  });
  writes.suppliers.push(supplier);
}

function comparePartner(
  current: Configuration,
  partner: PartnerEntry,
  { overwriteSettings, difference }: { readonly overwriteSettings: boolean; readonly difference: Difference },
): void {
  const { changes, writes } = difference;
  const key = partner.buyer.buyerKey;
  const before = current.buyers.get(key);
  const last = current.fileSettings.get(key) ?? {};
  const ownSettings = before?.settings ?? noSettings;
  const settings = overwriteSettings
    ? { ...ownSettings, ...partner.settings }
    : settingsAfter(ownSettings, last, partner.settings);
  const statement = statementOf(partner);
  const own = overwriteSettings ? partner.buyer : { ...partner.buyer, ...startingValues(before, last, partner.buyer) };
  const buyer: SavedBuyer = { ...own, settings };
  const after = buyerForm(buyer);
  const fields = before === undefined ? fieldsOfNew(after) : fieldChanges(buyerForm(before), after);
  const isNewStatement = before === undefined || (!overwriteSettings && !isSameStatement(last, statement));
  if (isNewStatement) writes.fileSettings.set(key, statement);
  if (before !== undefined && isEmpty(fields)) return;
  changes.push({ kind: 'partner', key, action: before === undefined ? 'create' : 'update', fields });
  writes.buyers.push(buyer);
}

/** Starting values: only settings that the file states differently from the last file are written; the buyer's other values stay. */
function settingsAfter(current: BuyerSettings, last: FileSettings, stated: FileSettings): BuyerSettings {
  const changed = buyerSettings.filter((name) => name in stated && !isSame(stated[name], last[name]));
  return { ...current, ...Object.fromEntries(changed.map((name) => [name, stated[name]])) };
}

/** As settings, the format of the webhook and the channels are starting values where the buyer may change them. */
function startingValues(
  before: SavedBuyer | undefined,
  last: FileStatement,
  { webhook, channels, editableFields }: BuyerConfig,
): Pick<BuyerConfig, 'webhook' | 'channels'> {
  const keepsFormat = editableFields.includes('webhookFormat') && Value.Equal(webhook, last.webhookFormat);
  const keepsChannels = editableFields.includes('channels') && isSame(channels, last.channels);
  return {
    webhook: before !== undefined && keepsFormat ? before.webhook : webhook,
    channels: before !== undefined && keepsChannels ? before.channels : channels,
  };
}

function statementOf({ buyer: { webhook, channels, editableFields }, settings }: PartnerEntry): FileStatement {
  return {
    ...settings,
    ...(editableFields.includes('webhookFormat') ? { webhookFormat: webhook } : {}),
    ...(editableFields.includes('channels') ? { channels } : {}),
  };
}

function compareOffer(
  current: Configuration,
  offer: Offer,
  { file, difference }: { readonly file: MarketplaceFile; readonly difference: Difference },
): void {
  const { changes, faults, writes } = difference;
  const key = offer.offerKey;
  const before = current.offers.get(key);
  if (before !== undefined && before.buyerKey !== offer.buyerKey) {
    const position = file.offerPositions.get(key) ?? { line: 1, column: 1, path: '' };
    // Its deliveries, caps and money belong to that partner.
    faults.push({
      ...position,
      message: `"${key}" belongs to the partner "${before.buyerKey}" and cannot move; choose another key`,
    });
    return;
  }
  const after = offerForm(offer);
  const fields = before === undefined ? fieldsOfNew(after) : fieldChanges(offerForm(before), after);
  if (before !== undefined && isEmpty(fields)) return;
  changes.push({ kind: 'offer', key, action: before === undefined ? 'create' : 'update', fields });
  writes.offers.push(offer);
}

type Missing =
  | { readonly kind: 'vertical'; readonly key: string; readonly vertical: Vertical }
  | { readonly kind: 'supplier'; readonly key: string; readonly supplier: SupplierConfig }
  | { readonly kind: 'partner'; readonly key: string; readonly buyer: SavedBuyer }
  | { readonly kind: 'offer'; readonly key: string; readonly offer: Offer };

/** Configured and not in the file, except what is closed or suspended already. */
function missingFrom(file: MarketplaceFile, current: Configuration): Missing[] {
  const verticals = new Set(file.verticals.map(({ key }) => key));
  const suppliers = new Set(file.suppliers.map(({ supplierKey }) => supplierKey));
  const partners = new Set(file.partners.map(({ buyer }) => buyer.buyerKey));
  const offers = new Set(file.partners.flatMap((partner) => partner.offers.map(({ offerKey }) => offerKey)));
  return [
    ...[...current.verticals].flatMap(([key, vertical]): Missing[] =>
      verticals.has(key) || vertical.status === 'closed' ? [] : [{ kind: 'vertical', key, vertical }],
    ),
    ...[...current.suppliers].flatMap(([key, supplier]): Missing[] =>
      suppliers.has(key) || supplier.status === 'suspended' ? [] : [{ kind: 'supplier', key, supplier }],
    ),
    ...[...current.buyers].flatMap(([key, buyer]): Missing[] =>
      partners.has(key) || buyer.status === 'suspended' ? [] : [{ kind: 'partner', key, buyer }],
    ),
    ...[...current.offers].flatMap(([key, offer]): Missing[] =>
      offers.has(key) || offer.status === 'closed' ? [] : [{ kind: 'offer', key, offer }],
    ),
  ];
}

function close(missing: Missing, { changes, writes }: Difference): void {
  const { kind, key } = missing;
  const closeAs = (from: string, to: string): void => {
    changes.push({ kind, key, action: 'close', fields: { status: { from, to } } });
  };
  if (missing.kind === 'vertical') {
    closeAs(missing.vertical.status, 'closed');
    writes.verticals.push({ ...missing.vertical, status: 'closed' });
  } else if (missing.kind === 'supplier') {
    closeAs(missing.supplier.status, 'suspended');
    writes.suppliers.push({ ...missing.supplier, status: 'suspended' });
  } else if (missing.kind === 'partner') {
    closeAs(missing.buyer.status, 'suspended');
    writes.buyers.push({ ...missing.buyer, status: 'suspended' });
  } else {
    closeAs(missing.offer.status, 'closed');
    writes.offers.push({ ...missing.offer, status: 'closed' });
  }
}

function isSameStatement(one: FileStatement, other: FileStatement): boolean {
  const settingsAreSame = buyerSettings.every(
    (name) => name in one === name in other && isSame(one[name], other[name]),
  );
  // The database keeps no order of names.
  return settingsAreSame && Value.Equal(one.webhookFormat, other.webhookFormat) && isSame(one.channels, other.channels);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isEmpty(fields: FieldChanges): boolean {
  return Object.keys(fields).length === 0;
}

// Checks what suppliers and offers say about verticals and own fields against the verticals after a change (contract 3.7, 4.3, 7.6).
import { VERTICAL_NAME } from '../leads/supplier-verticals.rules.ts';
import type { Vertical } from '../marketplace/verticals.ts';
import { checkOwnFilters, unknownVertical } from '../routing/check-field-filters.rules.ts';
import type { Offer } from '../routing/offer.ts';
import { standardNames } from '../suppliers/field-mapping.rules.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import type { FileFault, MarketplaceFile } from './marketplace-file.ts';
import { type OwnerKind, positionIn } from './own-positions.rules.ts';

type Current = {
  readonly verticals: ReadonlyMap<string, Vertical>;
  readonly suppliers: ReadonlyMap<string, SupplierConfig>;
  readonly offers: ReadonlyMap<string, Offer>;
};

type Fault = { readonly at: string; readonly message: string };

const STANDARD: ReadonlySet<string> = new Set(standardNames);

/**
 * Of all suppliers and offers that were read, named by the file or not: a field cannot be removed while a mapping or a filter names it.
 * Closed offers take no leads and may keep such a filter until they are opened again.
 */
export function verticalFaults(current: Current, file: MarketplaceFile): FileFault[] {
  const verticals = new Map([...current.verticals, ...file.verticals.map((one) => [one.key, one] as const)]);
  const suppliers = new Map([
    ...current.suppliers,
    ...file.suppliers.map((supplier) => [supplier.supplierKey, supplier] as const),
  ]);
  const named = file.partners.flatMap(({ offers }) => offers.map((offer) => [offer.offerKey, offer] as const));
  const offers = new Map([...current.offers, ...named]);
  return [
    ...[...suppliers].flatMap(([key, supplier]) =>
      supplierFaults(supplier, verticals).map((fault) => placed(file, { kind: 'supplier', key, fault })),
    ),
    ...[...offers].flatMap(([key, offer]) =>
      offer.status === 'closed'
        ? []
        : checkOwnFilters(offer, verticals).map((fault) => placed(file, { kind: 'offer', key, fault })),
    ),
  ];
}

/** An error in something that the file does not name comes from its verticals. */
function placed(
  file: MarketplaceFile,
  { kind, key, fault: { at, message } }: { readonly kind: OwnerKind; readonly key: string; readonly fault: Fault },
): FileFault {
  const position = positionIn(file, { kind, key }, at);
  if (position !== null) return { ...position, message };
  const [first] = file.verticals;
  const nearest = first === undefined ? null : positionIn(file, { kind: 'vertical', key: first.key }, '');
  return { ...(nearest ?? { line: 1, column: 1, path: '' }), message: `the ${kind} "${key}": ${message}` };
}

function supplierFaults(
  { vertical, verticals: others, fieldMapping }: SupplierConfig,
  verticals: ReadonlyMap<string, Vertical>,
): Fault[] {
  const named = [
    ...(vertical === null ? [] : [{ key: vertical, at: '/vertical' }]),
    ...others.map((key) => ({ key, at: '/verticals' })),
  ];
  const unknown = named.filter(({ key }) => !verticals.has(key));
  if (unknown.length > 0) return unknown.map(({ key, at }) => ({ at, message: unknownVertical(key, verticals) }));
  const fields = named.flatMap(({ key }) => verticals.get(key)?.fields.map(({ name }) => name) ?? []);
  const known = new Set([...STANDARD, ...(verticals.size === 0 ? [] : [VERTICAL_NAME]), ...fields]);
  return mappingTargets(fieldMapping)
    .filter(({ name }) => !known.has(name))
    .map(({ name, at }) => ({ at, message: `"${name}" is no field of the verticals that the supplier posts into` }));
}

function mappingTargets(mapping: SupplierConfig['fieldMapping']): ReadonlyArray<{ name: string; at: string }> {
  return Object.entries(mapping).flatMap(([incoming, entry]) => {
    const at = `/fieldMapping/${incoming.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (typeof entry === 'string') return [{ name: entry, at }];
    if (incoming === '$set') return Object.keys(entry).map((name) => ({ name, at: `${at}/${name}` }));
    return [{ name: (entry as { readonly to: string }).to, at: `${at}/to` }];
  });
}

// Turns the text of a marketplace file into checked, normalised configuration, or into all its faults at once in order of position (contract 7.5).
import type { Regions } from '../base/regions.ts';
import { defaultSettings } from '../marketplace/settings.ts';
import { type AllowedTargets, checkTargetUrl } from '../platform/outbound/target.rules.ts';
import type { FileFault, FileTarget, MarketplaceFile, Place } from './marketplace-file.ts';
import { readMarketplace } from './marketplace-section.rules.ts';
import { readPartner } from './partner-section.rules.ts';
import {
  addFault,
  itemsOf,
  optional,
  readList,
  readMembers,
  readText,
  type Members,
  type Spot,
} from './read-tree.rules.ts';
import { readSupplier } from './supplier-section.rules.ts';
import { memberPath, readYaml } from './yaml-tree.rules.ts';

export type ParsedFile =
  | { readonly ok: true; readonly file: MarketplaceFile }
  | { readonly ok: false; readonly errors: readonly FileFault[] };

export type ParseOptions = {
  readonly allowTargets: AllowedTargets;
  /** The current ones, for a file that says nothing of `marketplace:`; as shipped where absent. */
  readonly regions?: Regions;
};

// Some forty thousand offers; more is another file by mistake.
const FILE_BYTES_MAX = 32_000_000;

/** Never throws, whatever the text. URLs are checked as far as their text goes; `checkFileTargets` asks DNS. */
export function parseFile(text: string, options: ParseOptions): ParsedFile {
  if (Buffer.byteLength(text) > FILE_BYTES_MAX) {
    return { ok: false, errors: [{ line: 1, column: 1, path: '', message: 'the file is larger than 32 MB' }] };
  }
  const { tree, faults, lineAndColumn } = readYaml(text);
  const placeOf = ({ tree: { offset }, path }: Spot): Place => ({ ...lineAndColumn(offset), path });
  const targets: FileTarget[] = [];
  const offerPlaces = new Map<string, Place>();
  const onTarget = (url: string, spot: Spot): void => void targets.push({ url, place: placeOf(spot) });

  const readTarget = (spot: Spot): string => {
    const before = spot.faults.length;
    const url = readText(spot);
    const verdict = checkTargetUrl(url, options.allowTargets);
    if (spot.faults.length > before) return url;
    if (verdict.ok) onTarget(url, spot);
    else addFault(spot, `is refused: ${verdict.reason}`);
    return url;
  };
  const read = (spot: Spot): Omit<MarketplaceFile, 'targets' | 'offerPlaces'> => {
    const members = readMembers(spot, ['marketplace', 'suppliers', 'partners']);
    const marketplace = optional(members, 'marketplace', readMarketplace, null);
    const { regions } = marketplace ?? { regions: options.regions ?? defaultSettings.regions };
    const file = {
      marketplace,
      regionsPlace: regionsPlaceOf(members.byName.get('marketplace')),
      suppliers: optional(members, 'suppliers', readList(readSupplier(readTarget)), []),
      partners: optional(members, 'partners', readList(readPartner({ ...options, regions, onTarget })), []),
    };
    checkUniqueKeys(entriesOf(members, 'suppliers'));
    checkUniqueKeys(entriesOf(members, 'partners'));
    const offers = entriesOf(members, 'partners').flatMap((partner) => itemsIfList(memberOf(partner, 'offers')));
    for (const [key, at] of checkUniqueKeys(offers)) offerPlaces.set(key, placeOf(at));
    return file;
  };

  const regionsPlaceOf = (section: Spot | undefined): Place | null =>
    section === undefined ? null : placeOf(memberOf(section, 'regions') ?? section);

  const file = tree === null ? null : read({ tree, path: '', faults });
  if (file !== null && faults.length === 0) return { ok: true, file: { ...file, targets, offerPlaces } };
  const errors = faults
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ offset, path, message }) => ({ ...lineAndColumn(offset), path, message }));
  return { ok: false, errors };
}

/** Every key with the place where it first stands; the second one is a fault that names the first. */
function checkUniqueKeys(entries: readonly Spot[]): Map<string, Spot> {
  const known = new Map<string, Spot>();
  for (const entry of entries) {
    const spot = memberOf(entry, 'key');
    if (spot?.tree.kind !== 'scalar' || typeof spot.tree.value !== 'string') continue;
    const key = spot.tree.value.trim();
    const first = known.get(key);
    if (first === undefined) known.set(key, spot);
    else addFault(spot, `"${key}" is taken: ${first.path} has it`);
  }
  return known;
}

function entriesOf(members: Members, name: string): Spot[] {
  return itemsIfList(members.byName.get(name));
}

/** Looks without noting faults: whoever reads the values has noted them. */
function itemsIfList(spot: Spot | undefined): Spot[] {
  return spot?.tree.kind === 'list' ? itemsOf(spot) : [];
}

function memberOf({ tree, path, faults }: Spot, name: string): Spot | undefined {
  const entry = tree.kind === 'map' ? tree.entries.find(({ key }) => key === name) : undefined;
  return entry === undefined ? undefined : { tree: entry.value, path: memberPath(path, name), faults };
}

// Parses the text of a marketplace file into checked, normalized configuration, or all its errors in order of position (contract 7.5).
import { isMembers } from '../base/json.ts';
import { countries, type Regions } from '../base/regions.ts';
import { buyerOfForm } from '../buyers/buyer-form.rules.ts';
import { formOf, withDefaults } from '../marketplace/configured-form.rules.ts';
import { VERTICAL_NAME } from '../leads/supplier-verticals.rules.ts';
import { defaultSettings, settingsOfForm } from '../marketplace/settings.ts';
import { verticalOfForm } from '../marketplace/vertical-form.rules.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import { offerOfForm } from '../routing/offer-form.rules.ts';
import { supplierOfForm } from '../suppliers/supplier-form.rules.ts';
import { writtenSchema } from './file-schema.rules.ts';
import { type FileForm, FileSchema } from './file.schema.ts';
import type { FileFault, FileTarget, MarketplaceFile, Position } from './marketplace-file.ts';
import {
  type CheckOptions,
  type MemberFault,
  memberFaults,
  readStatedSettings,
  repetitions,
} from './member-checks.rules.ts';
import { faultInText } from './fault-in-text.rules.ts';
import { readOwnPositions } from './own-positions.rules.ts';
import { schemaFaults } from './schema-faults.rules.ts';
import {
  entriesAt,
  findInTree,
  memberPath,
  plainValue,
  readYaml,
  type Tree,
  type TreeFault,
} from './yaml-tree.rules.ts';

export type ParsedFile =
  | { readonly ok: true; readonly file: MarketplaceFile }
  | { readonly ok: false; readonly errors: readonly FileFault[] };

export type ParseOptions = {
  readonly allowTargets: AllowedTargets;
  /** The current regions, for a file without `marketplace:`; by default those of a new installation. */
  readonly regions?: Regions;
  /** The names of the current own fields: a file that leaves out their verticals may map to them. */
  readonly ownNames?: readonly string[];
};

// About forty thousand offers; a larger file is a mistake.
const FILE_BYTES_MAX = 32_000_000;

/** Never throws. URLs are checked without DNS; `checkFileTargets` does that. */
export function parseFile(text: string, options: ParseOptions): ParsedFile {
  if (Buffer.byteLength(text) > FILE_BYTES_MAX) {
    return { ok: false, errors: [{ line: 1, column: 1, path: '', message: 'the file is larger than 32 MB' }] };
  }
  const { tree, faults, lineAndColumn } = readYaml(text);
  const errorsOf = (found: readonly TreeFault[]): FileFault[] =>
    found
      .toSorted((one, other) => one.offset - other.offset)
      .map(({ offset, path, message }) => ({ ...lineAndColumn(offset), path, message }));
  if (tree === null) return { ok: false, errors: errorsOf(faults) };

  const positionOf = (pointer: string): Position => {
    const { tree: value, path } = findInTree(tree, pointer);
    return { ...lineAndColumn(value.offset), path };
  };
  const value = withDefaults(writtenSchema, plainValue(tree));
  const targets: FileTarget[] = [];
  const keys = checkKeys(tree);
  const found = [...faults, ...keys.faults];
  found.push(
    ...contentFaults(tree, value, {
      text,
      ...options,
      regions: regionsIn(value, options),
      ownNames: ownNamesIn(value, options),
      onTarget: (url, pointer) => void targets.push({ url, position: positionOf(pointer) }),
    }),
  );
  if (found.length > 0) return { ok: false, errors: errorsOf(found) };
  const regionsPosition = findInTree(tree, '/marketplace/regions');
  return {
    ok: true,
    file: {
      ...fileOf(formOf(FileSchema, value), options),
      targets,
      ownPositions: readOwnPositions(tree, lineAndColumn),
      offerPositions: new Map([...keys.offers].map(([key, pointer]) => [key, positionOf(pointer)])),
      regionsPosition:
        regionsPosition.path === ''
          ? null
          : { ...lineAndColumn(regionsPosition.tree.offset), path: regionsPosition.path },
    },
  };
}

/** The errors of all values; if a value has several, only the most informative one. */
function contentFaults(
  tree: Tree,
  value: unknown,
  { text, ...options }: Omit<CheckOptions, 'sourceOf'> & { readonly text: string },
): TreeFault[] {
  const sourceOf = (pointer: string): string | null => {
    const { tree: scalar } = findInTree(tree, pointer);
    return scalar.kind === 'scalar' ? scalar.source : null;
  };
  const checked = [...memberFaults(writtenSchema, value, '', { ...options, sourceOf })];
  const reported = new Set<string>();
  return [
    checked.filter(({ isRelation }) => !isRelation),
    schemaFaults(value, sourceOf),
    checked.filter(({ isRelation }) => isRelation),
    [...repetitions(writtenSchema, value, '')],
  ].flatMap((faults) => {
    const added = faults.filter(({ pointer }) => !reported.has(pointer));
    for (const { pointer } of added) reported.add(pointer);
    return added.flatMap((fault) => treeFault(tree, fault, text) ?? []);
  });
}

/** null if the value could not be read, which has been reported already. */
function treeFault(
  root: Tree,
  { pointer, message, ofName = false, inText }: MemberFault,
  text: string,
): TreeFault | null {
  const { tree, path, nameOffset, exists } = findInTree(root, pointer);
  if (tree.kind === 'scalar' && tree.isPlaceholder === true) return null;
  if (inText !== undefined && tree.kind === 'scalar' && typeof tree.value === 'string') {
    return { path, ...faultInText(text, { offset: tree.offset, value: tree.value }, { inText, message }) };
  }
  const isMissing = message === 'is missing';
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  if (!isMissing) return { offset: ofName && exists ? nameOffset : tree.offset, path, message };
  // A member without a value is reported at its map, like a missing one.
  const map = exists ? findInTree(root, pointer.slice(0, pointer.lastIndexOf('/'))) : { tree, path };
  return { offset: map.tree.offset, path: memberPath(map.path, name), message };
}

/** The regions of the file's own `marketplace:` if it has one; their errors are reported elsewhere. */
function regionsIn(value: unknown, { regions = defaultSettings.regions }: ParseOptions): Regions {
  const marketplace = isMembers(value) ? value['marketplace'] : undefined;
  if (!isMembers(marketplace)) return regions;
  const stated = marketplace['regions'];
  if (stated === 'any') return 'any';
  return Array.isArray(stated) ? countries.filter((country) => stated.includes(country)) : defaultSettings.regions;
}

/** Empty without verticals: then all names but the standard ones are unknown. */
function ownNamesIn(value: unknown, { ownNames = [] }: ParseOptions): Set<string> {
  const stated = isMembers(value) && Array.isArray(value['verticals']) ? (value['verticals'] as unknown[]) : [];
  const fields = stated.flatMap((vertical) =>
    isMembers(vertical) && Array.isArray(vertical['fields']) ? (vertical['fields'] as unknown[]) : [],
  );
  const names = fields.flatMap((field) => (isMembers(field) && typeof field['name'] === 'string' ? field['name'] : []));
  return new Set([...ownNames, ...names, ...(stated.length === 0 ? [] : [VERTICAL_NAME])]);
}

function fileOf(
  { marketplace, verticals, suppliers, partners }: FileForm,
  options: ParseOptions,
): Pick<MarketplaceFile, 'marketplace' | 'verticals' | 'suppliers' | 'partners'> {
  return {
    marketplace: marketplace === undefined ? null : settingsOfForm(marketplace),
    verticals: verticals.map(verticalOfForm),
    suppliers: suppliers.map((supplier) => supplierOfForm({ ...supplier, name: supplier.name ?? supplier.key })),
    partners: partners.map(({ settings, offers, ...partner }) => ({
      buyer: buyerOfForm({ ...partner, name: partner.name ?? partner.key }),
      settings: readStatedSettings(settings, options).stated,
      offers: offers.map((offer) => offerOfForm({ ...offer, name: offer.name ?? offer.key }, partner.key)),
    })),
  };
}

/** The pointer of each offer's key, and errors for keys that an earlier entry has already. */
function checkKeys(tree: Tree): { readonly faults: TreeFault[]; readonly offers: ReadonlyMap<string, string> } {
  const partners = entriesAt(tree, '/partners');
  const faults: TreeFault[] = [];
  const unique = (pointers: readonly string[]): Map<string, string> => {
    const known = new Map<string, string>();
    for (const pointer of pointers) {
      const { tree: scalar, path, exists } = findInTree(tree, pointer);
      if (!exists || scalar.kind !== 'scalar' || typeof scalar.value !== 'string') continue;
      const key = scalar.value.trim();
      const first = known.get(key);
      if (first === undefined) known.set(key, pointer);
      else {
        const message = `"${key}" is taken: ${findInTree(tree, first).path} has it`;
        faults.push({ offset: scalar.offset, path, message });
      }
    }
    return known;
  };
  unique(entriesAt(tree, '/verticals').map((entry) => `${entry}/key`));
  unique(entriesAt(tree, '/suppliers').map((entry) => `${entry}/key`));
  unique(partners.map((entry) => `${entry}/key`));
  const offers = unique(partners.flatMap((entry) => entriesAt(tree, `${entry}/offers`)).map((entry) => `${entry}/key`));
  return { faults, offers };
}

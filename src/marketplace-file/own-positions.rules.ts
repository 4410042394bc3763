// Finds where a marketplace file states members that depend on other things, for errors that only the comparison with the current configuration finds.
import type { MarketplaceFile, Position } from './marketplace-file.ts';
import { entriesAt, findInTree, type Tree } from './yaml-tree.rules.ts';

export type OwnerKind = 'vertical' | 'supplier' | 'partner' | 'offer';
type Owner = { readonly kind: OwnerKind; readonly key: string };

/** By owner and JSON Pointer from the owner's entry. */
function ownPosition({ kind, key }: Owner, pointer: string): string {
  return `${kind} ${key} ${pointer}`;
}

/** The position of the value, or of the nearest one around it that the file states; null if the file does not state the owner. */
export function positionIn(
  { ownPositions }: Pick<MarketplaceFile, 'ownPositions'>,
  owner: Owner,
  pointer: string,
): Position | null {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const position = ownPositions.get(ownPosition(owner, at));
    if (position !== undefined || at === '') return position ?? null;
  }
}

export function readOwnPositions(
  tree: Tree,
  lineAndColumn: (offset: number) => { line: number; column: number },
): Map<string, Position> {
  const positions = new Map<string, Position>();
  const add = (kind: OwnerKind, entry: string, pointers: readonly string[]): void => {
    const { tree: scalar, path, exists } = findInTree(tree, `${entry}/key`);
    if (!exists || scalar.kind !== 'scalar' || typeof scalar.value !== 'string') return;
    const owner = { kind, key: scalar.value.trim() };
    positions.set(ownPosition(owner, ''), { ...lineAndColumn(scalar.offset), path });
    for (const pointer of pointers) {
      for (const at of pointersBelow(tree, entry + pointer)) {
        const found = findInTree(tree, at);
        const position = { ...lineAndColumn(isFieldName(at) ? found.nameOffset : found.tree.offset), path: found.path };
        positions.set(ownPosition(owner, at.slice(entry.length)), position);
      }
    }
  };
  for (const entry of entriesAt(tree, '/verticals')) add('vertical', entry, []);
  for (const entry of entriesAt(tree, '/suppliers'))
    add('supplier', entry, ['/vertical', '/verticals', '/fieldMapping', '/timeZone']);
  for (const partner of entriesAt(tree, '/partners')) {
    add('partner', partner, ['/channels', '/webhook', '/timeZone']);
    for (const entry of entriesAt(tree, `${partner}/offers`))
      add('offer', entry, ['/vertical', '/filters/fields', '/price']);
  }
  return positions;
}

/** The pointers of a value and of all that it contains; none if the file does not have it. */
function pointersBelow(root: Tree, pointer: string): string[] {
  const { tree, exists } = findInTree(root, pointer);
  if (!exists) return [];
  const names =
    tree.kind === 'map'
      ? [...tree.entries.keys()].map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'))
      : tree.kind === 'list'
        ? tree.items.keys()
        : [];
  return [pointer, ...[...names].flatMap((name) => pointersBelow(root, `${pointer}/${name}`))];
}

/** An error of a filter on a field concerns the field's name. */
function isFieldName(pointer: string): boolean {
  return /\/filters\/fields\/[^/]+$/.test(pointer);
}

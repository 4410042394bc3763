// Parses YAML text into a plain tree of values with their positions, and reports errors of the text itself.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type ParsedNode,
  type YAMLError,
  type YAMLMap,
} from 'yaml';

import { isStorable } from '../base/text.ts';

/** `offset` counts UTF-16 units of the text. */
export type MapEntry = { readonly offset: number; readonly value: Tree };
export type Tree =
  | {
      readonly kind: 'map';
      readonly offset: number;
      readonly size: number;
      readonly entries: ReadonlyMap<string, MapEntry>;
    }
  | { readonly kind: 'list'; readonly offset: number; readonly size: number; readonly items: readonly Tree[] }
  | {
      readonly kind: 'scalar';
      readonly offset: number;
      readonly size: 1;
      readonly value: string | number | boolean | null;
      /** As written, without quotes: "45.00" for the value 45. */
      readonly source: string;
      /** The value is null in place of one whose error has been reported. */
      readonly isPlaceholder?: true;
    };

export type TreeFault = { readonly offset: number; readonly path: string; readonly message: string };
/** `tree` is null if the text is not YAML or is empty. */
export type TreeReading = {
  readonly tree: Tree | null;
  readonly faults: TreeFault[];
  lineAndColumn(offset: number): { line: number; column: number };
};

/** The position of a value; for a missing member the map that it is missing from. */
export type Found = {
  readonly tree: Tree;
  readonly path: string;
  readonly nameOffset: number;
  readonly exists: boolean;
};

/** The deepest existing value on the path of a JSON Pointer. */
export function findInTree(root: Tree, pointer: string): Found {
  let found: Found = { tree: root, path: '', nameOffset: root.offset, exists: true };
  for (const part of pointer.split('/').slice(1)) {
    const { tree, path } = found;
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const item = tree.kind === 'list' ? tree.items[Number(name)] : undefined;
    const entry = tree.kind === 'map' ? tree.entries.get(name) : undefined;
    if (item !== undefined) {
      found = { tree: item, path: `${path}[${name}]`, nameOffset: item.offset, exists: true };
    } else if (entry !== undefined) {
      found = { tree: entry.value, path: memberPath(path, name), nameOffset: entry.offset, exists: true };
    } else return { ...found, exists: false };
  }
  return found;
}

/** The pointers of a list's entries; none if there is no such list. */
export function entriesAt(tree: Tree, pointer: string): string[] {
  const { tree: list, exists } = findInTree(tree, pointer);
  return exists && list.kind === 'list' ? list.items.map((_, index) => `${pointer}/${index}`) : [];
}

/** The value as plain JSON; undefined for values that could not be read. */
export function plainValue(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.isPlaceholder === true ? undefined : tree.value;
  if (tree.kind === 'list') return tree.items.map(plainValue);
  return Object.fromEntries([...tree.entries].map(([key, { value }]) => [key, plainValue(value)]));
}

type Building = {
  readonly faults: TreeFault[];
  /** The latest value of each anchor; null while it is being read, so that a value cannot contain itself. */
  readonly anchors: Map<string, Tree | null>;
  aliasedSize: number;
};

// Errors after the first few are mostly consequences of them.
const SYNTAX_FAULTS_SHOWN = 10;
// The format needs 8 levels; this leaves room for a field mapping's constants and is far from a stack overflow.
const DEPTH_MAX = 32;
// A few lines of aliases to aliases can stand for billions of values. Real use repeats some filters or hours.
const ALIASED_VALUES_MAX = 100_000;

/** Never throws. YAML 1.2 (`yes` is text); anchors, aliases and merge keys (`<<`) work, custom tags do not. */
export function readYaml(text: string): TreeReading {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    version: '1.2',
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    // Checked below: the library compares each key of a map with each other.
    uniqueKeys: false,
  });
  const lineAndColumn = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(Math.min(Math.max(offset, 0), text.length));
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const broken = syntaxFaults([...document.errors, ...document.warnings]);
  if (broken.length > 0) return { tree: null, faults: broken, lineAndColumn };
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) {
    return { tree: null, faults: [{ offset: 0, path: '', message: 'the file is empty' }], lineAndColumn };
  }
  const building: Building = { faults: [], anchors: new Map(), aliasedSize: 0 };
  const tree = build(root, { path: '', depth: 0 }, building);
  return { tree, faults: building.faults, lineAndColumn };
}

function syntaxFaults(errors: readonly YAMLError[]): TreeFault[] {
  const exhausted = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (exhausted !== undefined) return [{ offset: exhausted.pos[0], path: '', message: 'is nested too deeply' }];
  return errors.slice(0, SYNTAX_FAULTS_SHOWN).map(({ code, message, pos }) => {
    const isSecond = code === 'MULTIPLE_DOCS';
    return {
      offset: pos[0],
      path: '',
      message: isSecond ? 'begins a second document' : `is not YAML here: ${message}`,
    };
  });
}

type Position = { readonly path: string; readonly depth: number };

/** `partners[0]` and `name` → `partners[0].name`; a name that is not a word is put in brackets. */
export function memberPath(path: string, name: string): string {
  if (!/^[\w$-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

function placeholderAt(offset: number): Tree {
  return { kind: 'scalar', offset, size: 1, value: null, source: '', isPlaceholder: true };
}

function build(node: ParsedNode, position: Position, building: Building): Tree {
  const offset = node.range[0];
  if (position.depth > DEPTH_MAX) return refuse(building, offset, position.path, 'is nested too deeply');
  if (isAlias(node)) return buildAlias(node.source, { ...position, offset }, building);
  const { anchor } = node;
  if (anchor !== undefined) building.anchors.set(anchor, null);
  const tree = isMap<ParsedNode>(node)
    ? buildMap(node, position, building)
    : isSeq<ParsedNode>(node)
      ? buildList(offset, node.items, position, building)
      : buildScalar(node, position, building);
  if (anchor !== undefined) building.anchors.set(anchor, tree);
  return tree;
}

function buildScalar(node: ParsedNode, { path }: Position, building: Building): Tree {
  const offset = node.range[0];
  const value: unknown = isScalar(node) ? node.value : null;
  if (typeof value === 'string' && !isStorable(value)) {
    return refuse(building, offset, path, 'holds a character that cannot be stored (NUL or half of a surrogate pair)');
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') {
    const source = isScalar(node) ? (node.source ?? '') : '';
    return { kind: 'scalar', offset, size: 1, value, source };
  }
  return refuse(building, offset, path, 'is neither text nor a number, true, false or null');
}

function buildList(offset: number, nodes: readonly ParsedNode[], { path, depth }: Position, building: Building): Tree {
  const items = nodes.map((node, index) => build(node, { path: `${path}[${index}]`, depth: depth + 1 }, building));
  return { kind: 'list', offset, size: items.reduce((sum, item) => sum + item.size, 1), items };
}

function buildMap(node: YAMLMap.Parsed, { path, depth }: Position, building: Building): Tree {
  const offset = node.range[0];
  const own = new Map<string, MapEntry>();
  const merged: Tree[] = [];
  for (const { key: keyNode, value } of node.items) {
    const key = isScalar(keyNode) ? String(keyNode.value) : '';
    const keyOffset = keyNode.range[0];
    const entryPath = memberPath(path, key);
    const tree =
      value === null
        ? ({ kind: 'scalar', offset: keyOffset, size: 1, value: null, source: '' } as const)
        : build(value, { path: entryPath, depth: depth + 1 }, building);
    if (key === '<<' && isScalar(keyNode) && keyNode.type === 'PLAIN') {
      merged.push(...mergeSources(tree, entryPath, building));
    } else if (own.has(key)) {
      refuse(building, keyOffset, entryPath, 'stands here for the second time');
    } else if (isStorable(key)) {
      own.set(key, { offset: keyOffset, value: tree });
    } else {
      refuse(building, keyOffset, path, 'has a name with a character that cannot be stored');
    }
  }
  // Own members take precedence over merged ones, and an earlier merged map over a later one.
  for (const source of merged) {
    for (const [key, entry] of source.kind === 'map' ? source.entries : []) if (!own.has(key)) own.set(key, entry);
  }
  const size = [...own.values()].reduce((sum, { value }) => sum + value.size, 1);
  return { kind: 'map', offset, size, entries: own };
}

/** The maps that a merge key merges. */
function mergeSources(tree: Tree, path: string, building: Building): Tree[] {
  const sources = tree.kind === 'list' ? tree.items : [tree];
  if (sources.every((source) => source.kind === 'map')) return [...sources];
  refuse(building, tree.offset, path, 'must be a map, an alias of one, or a list of such');
  return [];
}

function buildAlias(name: string, { path, offset }: Position & { offset: number }, building: Building): Tree {
  const target = building.anchors.get(name);
  if (target === undefined) return refuse(building, offset, path, `there is no anchor &${name} above`);
  if (target === null) return refuse(building, offset, path, `*${name} would contain itself`);
  const before = building.aliasedSize;
  building.aliasedSize += target.size;
  if (building.aliasedSize <= ALIASED_VALUES_MAX) return target;
  // Reported once; further aliases are not expanded.
  if (before > ALIASED_VALUES_MAX) return placeholderAt(offset);
  return refuse(building, offset, path, `its aliases stand for more than ${ALIASED_VALUES_MAX} values`);
}

function refuse(building: Building, offset: number, path: string, message: string): Tree {
  building.faults.push({ offset, path, message });
  return placeholderAt(offset);
}

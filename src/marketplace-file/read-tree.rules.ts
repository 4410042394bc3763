// Reads checked values out of a tree: each reader answers a value of its type whatever it finds, and notes a fault where it is a stand-in.
import { isBlank } from '../base/blank-text.ts';
import { parseCents } from '../base/money.ts';
import { nearestName } from './nearest-name.rules.ts';
import { memberPath, type Tree, type TreeFault } from './yaml-tree.rules.ts';

/** A value of the file, and where faults in it are noted. A file with a fault is refused as a whole, so stand-ins are never used. */
export type Spot = { readonly tree: Tree; readonly path: string; readonly faults: TreeFault[] };
export type Read<Value> = (spot: Spot) => Value;

/** A map's members by name. One that is null is as if it were not there. */
export type Members = {
  readonly spot: Spot;
  readonly byName: ReadonlyMap<string, Spot>;
  /** False where there is no map at all, so that nothing in it is missing. */
  readonly isMap: boolean;
  /** Members whose values could not be read, and are not missing either. */
  readonly unreadable: ReadonlySet<string>;
};

const TEXT_LENGTH_MAX = 500;
const KEY = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function addFault(spot: Spot, message: string): void {
  if (isStandIn(spot.tree)) return;
  spot.faults.push({ offset: spot.tree.offset, path: spot.path, message });
}

/** A member that is not known here is a fault that names the one that was probably meant. */
export function readMembers(spot: Spot, known: readonly string[]): Members {
  const byName = new Map<string, Spot>();
  const unreadable = new Set<string>();
  const { tree, path, faults } = spot;
  if (tree.kind !== 'map') {
    addFault(spot, `must be a map of ${known.join(', ')}`);
    return { spot, byName, isMap: false, unreadable };
  }
  for (const { key, offset, value } of tree.entries) {
    const member: Spot = { tree: value, path: memberPath(path, key), faults };
    if (!known.includes(key)) faults.push({ offset, path: member.path, message: unknownName(key, known) });
    else if (isStandIn(value)) unreadable.add(key);
    else if (!isNull(value)) byName.set(key, member);
  }
  return { spot, byName, isMap: true, unreadable };
}

export function optional<Value, Otherwise>(
  members: Members,
  name: string,
  read: Read<Value>,
  otherwise: Otherwise,
): Value | Otherwise {
  const spot = members.byName.get(name);
  return spot === undefined ? otherwise : read(spot);
}

/** A missing member is a fault at its map. */
export function required<Value>(members: Members, name: string, read: Read<Value>): Value {
  const found = members.byName.get(name);
  if (found !== undefined) return read(found);
  const path = memberPath(members.spot.path, name);
  if (members.isMap && !members.unreadable.has(name))
    members.spot.faults.push({ offset: members.spot.tree.offset, path, message: 'is missing' });
  // The reader's own stand-in; what it says of a value that is not there is of no interest.
  return read({ tree: members.spot.tree, path, faults: [] });
}

export function readList<Value>(read: Read<Value>): Read<Value[]> {
  return (spot) => itemsOf(spot).map(read);
}

/** A list that names nothing twice and whose order means nothing: whatever it is in the file, the result is the same. */
export function readSet<Value extends string>(
  read: Read<Value>,
  order: (one: Value, other: Value) => number,
): Read<Value[]> {
  return (spot) => readDistinct(read)(spot).toSorted(order);
}

/** A list that names nothing twice, in its own order. */
export function readDistinct<Value extends string>(read: Read<Value>): Read<Value[]> {
  return (spot) => {
    const seen = new Set<Value>();
    for (const item of itemsOf(spot)) {
      const before = item.faults.length;
      const value = read(item);
      if (item.faults.length > before) continue;
      if (seen.has(value)) addFault(item, `names "${value}" for the second time`);
      seen.add(value);
    }
    return [...seen];
  };
}

export function inOrderOf<Value extends string>(known: readonly Value[]): (one: Value, other: Value) => number {
  return (one, other) => known.indexOf(one) - known.indexOf(other);
}

export function alphabetically(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export function itemsOf(spot: Spot): Spot[] {
  const { tree, path, faults } = spot;
  if (tree.kind === 'list') return tree.items.map((item, index) => ({ tree: item, path: `${path}[${index}]`, faults }));
  addFault(spot, 'must be a list, such as [one, two]');
  return [];
}

/** One line of text with something to see in it, trimmed. */
export function readText(spot: Spot): string {
  return readLine(TEXT_LENGTH_MAX)(spot);
}

/** The same with a limit of its own, in code points. */
export function readLine(lengthMax: number): Read<string> {
  return (spot) => {
    const { tree } = spot;
    if (tree.kind !== 'scalar' || typeof tree.value !== 'string') {
      const isUnquoted = tree.kind === 'scalar' && tree.value !== null;
      addFault(spot, isUnquoted ? `must be text; write it in quotes: "${tree.source}"` : 'must be text');
      return '';
    }
    const text = tree.value.trim();
    if (isBlank(text)) addFault(spot, 'must not be empty');
    else if (/\p{Cc}/u.test(text)) addFault(spot, 'must be one line without control characters');
    else if ([...text.slice(0, 2 * lengthMax + 1)].length > lengthMax) {
      addFault(spot, `must have at most ${lengthMax} characters`);
    }
    return text;
  };
}

/** Text that matches; `what` ends the sentence "must be …". */
export function readPattern(pattern: RegExp, what: string): Read<string> {
  return (spot) => {
    const before = spot.faults.length;
    const text = readText(spot);
    if (spot.faults.length === before && !pattern.test(text)) addFault(spot, `must be ${what}`);
    return text;
  };
}

export const readKey: Read<string> = readPattern(
  KEY,
  'a key: 1 to 63 lower-case letters, digits and hyphens, beginning with a letter or digit',
);

export function readOneOf<Value extends string>(known: readonly Value[]): Read<Value> {
  return (spot) => {
    const text = spot.tree.kind === 'scalar' ? spot.tree.value : null;
    const value = known.find((candidate) => candidate === text);
    if (value !== undefined) return value;
    const meant = typeof text === 'string' ? nearestName(text, known) : null;
    addFault(spot, `must be one of ${known.join(', ')}${meant === null ? '' : ` (did you mean "${meant}"?)`}`);
    return known[0] as Value;
  };
}

export function readBoolean(spot: Spot): boolean {
  const { tree } = spot;
  if (tree.kind === 'scalar' && typeof tree.value === 'boolean') return tree.value;
  addFault(spot, 'must be true or false');
  return false;
}

export function readInteger(min: number, max: number): Read<number> {
  return (spot) => {
    const value = numberOf(spot);
    if (value !== null && Number.isInteger(value) && value >= min && value <= max) return value;
    addFault(spot, `must be a whole number from ${min} to ${max}`);
    return min;
  };
}

export function readNumber(min: number, max: number): Read<number> {
  return (spot) => {
    const value = numberOf(spot);
    if (value !== null && value >= min && value <= max) return value;
    addFault(spot, `must be a number from ${min} to ${max}`);
    return min;
  };
}

/** An amount as written, e.g. 45 or 45.00, in cents. */
export function readCents(spot: Spot): number {
  const { tree } = spot;
  const cents = tree.kind === 'scalar' && typeof tree.value === 'number' ? parseCents(tree.source) : null;
  if (cents === null)
    addFault(spot, 'must be an amount such as 45.00: no quotes, at most two decimals and nine digits before them');
  return cents ?? 0;
}

/** The value as JSON would hold it, for those who check it themselves. */
export function plainValue(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'list') return tree.items.map(plainValue);
  return Object.fromEntries(tree.entries.map(({ key, value }) => [key, plainValue(value)]));
}

function numberOf({ tree }: Spot): number | null {
  // Adding 0 turns -0 into 0.
  return tree.kind === 'scalar' && typeof tree.value === 'number' && Number.isFinite(tree.value)
    ? tree.value + 0
    : null;
}

function isStandIn(tree: Tree): boolean {
  return tree.kind === 'scalar' && tree.isStandIn === true;
}

function isNull(tree: Tree): boolean {
  return tree.kind === 'scalar' && tree.value === null;
}

function unknownName(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  if (meant !== null) return `is not known here; did you mean "${meant}"?`;
  return `is not known here; known are ${known.join(', ')}`;
}

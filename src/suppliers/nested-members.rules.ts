// Reads a value by its path in a nested body, and copies the body without the mapped members (contract 3.7).
import { isMembers, newMembers, type Members } from '../base/json.ts';

/** The members to leave out of a copy: name → members to leave out below it, or null for the whole member. */
export type Taken = Map<string, Taken | null>;

/** The first element of a list whose member has the value. */
export type Selector = { readonly member: string; readonly value: string };
export type Path = ReadonlyArray<string | Selector>;

/** A path without a selector is its parts, joined by full stops. */
const SEPARATOR = /\.(?![^[\]]*\])/;
const SELECTING = /^([^[\]]*)\[([^[\]=]+)=([^[\]]*)\]$/;

/** `contact.name`, `phones.0.number`, `field_data[name=email].values.0`; null for a plain name. */
export function pathOf(name: string): Path | null {
  const parts = name.includes('[') ? name.split(SEPARATOR) : name.split('.');
  // A question that ends in a full stop is a name, not a path.
  if (parts.includes('')) return null;
  const path = parts.flatMap((part): Path => {
    const [, list = '', member = '', value = ''] = SELECTING.exec(part) ?? [];
    if (member === '') return [part];
    return [
      ...(list === '' ? [] : [list]),
      { member: member.trim(), value: value.trim().replace(/^(["'])(.*)\1$/, '$2') },
    ];
  });
  return path.length > 1 ? path : null;
}

/** A list that is selected from stays whole, like one that is read by position. */
export function markTaken(taken: Taken, path: Path): void {
  if (path.some((part) => typeof part !== 'string')) return;
  let level = taken;
  for (const [depth, part] of (path as readonly string[]).entries()) {
    const below = level.get(part);
    if (below === null) return;
    if (depth === path.length - 1) {
      level.set(part, null);
      return;
    }
    const next: Taken = below ?? new Map();
    level.set(part, next);
    level = next;
  }
}

/** The value at a path through own members and array elements; undefined if there is none. */
export function readPath(body: Members, path: Path): unknown {
  let value: unknown = body;
  for (const part of path) {
    if (typeof part !== 'string') value = Array.isArray(value) ? selected(value, part) : undefined;
    else if (Array.isArray(value)) value = elementAt(value, part);
    else if (isMembers(value) && Object.hasOwn(value, part)) value = value[part];
    else return undefined;
  }
  return value;
}

/** A copy without the taken members; an object that becomes empty is left out as well. */
export function remainder(members: Members, taken: Taken): Record<string, unknown> {
  const result = newMembers();
  for (const name of Object.keys(members)) {
    const below = taken.get(name);
    if (below === null) continue;
    const value = members[name];
    if (below === undefined) result[name] = value;
    else {
      const rest = remainderOf(value, below);
      if (rest !== undefined) result[name] = rest;
    }
  }
  return result;
}

function remainderOf(value: unknown, taken: Taken): unknown {
  if (Array.isArray(value)) {
    // A mapped array element stays, because removing it would shift the others.
    return value.map((element: unknown, position): unknown => {
      const below = taken.get(String(position));
      return below === undefined || below === null ? element : (remainderOf(element, below) ?? newMembers());
    });
  }
  if (!isMembers(value)) return value;
  const rest = remainder(value, taken);
  return Object.keys(rest).length === 0 && Object.keys(value).length > 0 ? undefined : rest;
}

function elementAt(elements: readonly unknown[], position: string): unknown {
  return /^(?:0|[1-9]\d{0,4})$/.test(position) ? elements[Number(position)] : undefined;
}

/** Numbers are compared as text. */
function selected(elements: readonly unknown[], { member, value }: Selector): unknown {
  return elements.find(
    (element) => isMembers(element) && Object.hasOwn(element, member) && isText(element[member], value),
  );
}

function isText(value: unknown, text: string): boolean {
  return (typeof value === 'string' && value.trim() === text) || (typeof value === 'number' && String(value) === text);
}

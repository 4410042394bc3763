// Reads a value by its path in a nested body, and copies the body without the mapped members (contract 3.7).
import { isMembers, newMembers, type Members } from '../base/json.ts';

/** The members to leave out of a copy: name → members to leave out below it, or null for the whole member. */
export type Taken = Map<string, Taken | null>;

export function markTaken(taken: Taken, path: readonly string[]): void {
  let level = taken;
  for (const [depth, part] of path.entries()) {
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

/** The value at a path through own members and, by position, array elements; undefined if there is none. */
export function readPath(body: Members, path: readonly string[]): unknown {
  let value: unknown = body;
  for (const part of path) {
    if (Array.isArray(value)) value = elementAt(value, part);
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

// Copies of configured values in which one member fails when it is read, for tests of what one account can do to others.

type Path = readonly string[];

/** Of all members of maps and lists, those that contain others included. `keys` of accounts are no configured values. */
export function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    KEYS.has(name) ? [] : [[...path, name], ...pathsOf(member, [...path, name])],
  );
}

const KEYS: ReadonlySet<string> = new Set(['offerKey', 'buyerKey', 'supplierKey']);

class UnusableValueError extends Error {
  constructor(path: Path) {
    super(`${path.join('.')} cannot be used`);
    this.name = 'UnusableValueError';
  }
}

export function throwingAt<Value>(value: Value, path: Path, whole: Path = path): Value {
  const [name, ...rest] = path;
  if (name === undefined || typeof value !== 'object' || value === null) return value;
  const copy: object = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
  const member = (value as Readonly<Record<string, unknown>>)[name];
  const read = rest.length > 0 ? throwingAt(member, rest, whole) : null;
  Object.defineProperty(copy, name, {
    enumerable: true,
    get: () => {
      if (rest.length === 0) throw new UnusableValueError(whole);
      return read;
    },
  });
  return copy as Value;
}

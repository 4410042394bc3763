// Objects that came out of JSON, whose member names a stranger chose: read own members only, and build without a prototype.

export type Members = Readonly<Record<string, unknown>>;

/** Whether the value is an object with named members: neither null nor an array. */
export function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An empty object on which every name, `__proto__` too, is a member like any other. */
export function newMembers(): Record<string, unknown> {
  const members: Record<string, unknown> = { __proto__: null };
  return members;
}

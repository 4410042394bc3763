// Types and checks of JSON values, and objects parsed from JSON, whose member names the sender chose.

export type Members = Readonly<Record<string, unknown>>;

/** Whether the value is an object with named members: neither null nor an array. */
export function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An empty object on which every name, even `__proto__`, is an ordinary member. */
export function newMembers(): Record<string, unknown> {
  const members: Record<string, unknown> = { __proto__: null };
  return members;
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };

/** `JsonValue` is read-only already, and a mapped type over it would recurse without end. */
export type DeepReadonly<Value> = [JsonValue] extends [Value]
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value;

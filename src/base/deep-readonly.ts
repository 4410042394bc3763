// The type of a value of which no member can be changed, however deep.
import type { JsonValue } from './json-value.ts';

/** Any JSON is read-only already, and has no end that a mapped type could come to. */
export type DeepReadonly<Value> = [JsonValue] extends [Value]
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value;

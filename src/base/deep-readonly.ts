// The type of a value of which no member can be changed, however deep.

export type DeepReadonly<Value> = Value extends readonly unknown[] | object
  ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
  : Value;

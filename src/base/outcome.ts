// The result of an operation that may be rejected: returned, never thrown, so that a rejection is not mistaken for a fault.

export type Refusal<Code extends string> = { readonly ok: false; readonly code: Code; readonly detail?: string };
export type Outcome<Value, Code extends string> = { readonly ok: true; readonly value: Value } | Refusal<Code>;

export function done<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function refuse<Code extends string>(code: Code, detail?: string): Refusal<Code> {
  return detail === undefined ? { ok: false, code } : { ok: false, code, detail };
}

// Converts the texts of a query to the types that a route declares; any other spelling is an error (contract 1.5).
import { isStorable } from '../../base/text.ts';
import type { FieldFault } from './request-fault.ts';
import { UNSTORABLE } from './text-faults.rules.ts';

/** The members of a query's JSON Schema that are used here. */
export type QuerySchema = {
  readonly properties?: Readonly<Record<string, Declared>>;
};
/** `minLength: 0`: the empty text is a value, such as the query of another route without parameters. */
type Declared = { readonly type?: unknown; readonly default?: unknown; readonly minLength?: unknown };

export type QueryReading = { readonly value: Record<string, unknown>; readonly faults: readonly FieldFault[] };

// One spelling per number: no sign for positive ones, no leading zeros, no exponent; 15 digits are exact in a double.
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;

/** Ignores undeclared parameters. The schema checks bounds, formats and required parameters later. */
export function readQuery(schema: QuerySchema, query: Readonly<Record<string, unknown>>): QueryReading {
  const value: Record<string, unknown> = {};
  const faults: FieldFault[] = [];
  for (const [field, declared] of Object.entries(schema.properties ?? {})) {
    const given = query[field];
    if (given === undefined) {
      if (declared.default !== undefined) value[field] = declared.default;
    } else if (typeof given !== 'string') {
      faults.push({ field, code: 'repeated', message: 'must be given once only' });
    } else if (given === '' && declared.minLength !== 0) {
      faults.push({ field, code: 'empty', message: 'must have a value or be left out' });
    } else {
      const read = readText(given, declared.type);
      if (read === undefined) faults.push({ field, code: 'wrong_type', message: typeMessage(declared.type) });
      else if (typeof read === 'string' && !isStorable(read)) faults.push({ field, ...UNSTORABLE });
      else value[field] = read;
    }
  }
  return { value, faults };
}

function readText(text: string, type: unknown): unknown {
  if (type === 'integer') return INTEGER.test(text) ? Number(text) : undefined;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return text;
}

function typeMessage(type: unknown): string {
  return type === 'integer' ? 'must be a whole number in plain digits' : 'must be true or false';
}

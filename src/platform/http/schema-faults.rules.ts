// Converts the schema validator's errors to field errors with stable codes, one per field (contract 1.7).
import type { FieldFault } from './request-fault.ts';

/** The members of a validator error that are used here. */
export type SchemaError = {
  readonly keyword: string;
  /** JSON pointer of the value. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
};

// Otherwise a body of unknown members would get a response several times its size.
const MOST_FAULTS = 50;

/** Errors in the order of discovery; `whole` is the field of an error of the whole value. */
export function schemaFaults(errors: readonly SchemaError[], whole: string): FieldFault[] {
  const byField = new Map<string, SchemaError>();
  for (const error of errors) {
    const field = fieldOf(error) || whole;
    const known = byField.get(field);
    if (known === undefined ? byField.size < MOST_FAULTS : weight(error) > weight(known)) byField.set(field, error);
  }
  return [...byField].map(([field, error]) => ({ field, ...describe(error) }));
}

/** The errors for a route that takes an empty body: every member is unknown. */
export function faultsOfEmptyBody(body: unknown): FieldFault[] {
  const errors = Object.keys(body ?? {}).map((member) => ({
    keyword: 'additionalProperties',
    instancePath: '',
    params: { additionalProperty: member },
  }));
  return schemaFaults(errors, 'body');
}

function fieldOf({ keyword, instancePath, params }: SchemaError): string {
  // JSON pointer escapes: ~1 is a slash, ~0 a tilde.
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const member =
    keyword === 'required'
      ? params['missingProperty']
      : (params['additionalProperty'] ?? params['unevaluatedProperty']);
  if (typeof member === 'string') parts.push(member);
  return parts.join('.');
}

/** Every branch of a union (`text or null`) reports an error; the error of the closest branch says most. */
function weight({ keyword }: SchemaError): number {
  if (keyword === 'anyOf' || keyword === 'oneOf') return 0;
  if (keyword === 'type') return 1;
  return keyword === 'const' || keyword === 'enum' ? 2 : 3;
}

function describe({ keyword, params }: SchemaError): { code: string; message: string } {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'required':
      return { code: 'required', message: 'is required' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return { code: 'unknown_field', message: 'is not known here' };
    case 'type':
      return { code: 'wrong_type', message: `must be ${[params['type']].flat().map(typeName).join(' or ')}` };
    case 'maxLength':
      return { code: 'too_long', message: `must have at most ${limit} characters` };
    case 'minLength':
      return { code: 'too_short', message: `must have at least ${limit} characters` };
    case 'maxItems':
    case 'maxProperties':
      return { code: 'too_long', message: `must have at most ${limit} items` };
    case 'minItems':
    case 'minProperties':
      return { code: 'too_short', message: `must have at least ${limit} items` };
    case 'uniqueItems':
      return { code: 'not_unique', message: 'must not hold an item twice' };
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
      return { code: 'out_of_range', message: `must be ${String(params['comparison'])} ${limit}` };
    case 'multipleOf':
      return { code: 'out_of_range', message: `must be a multiple of ${String(params['multipleOf'])}` };
    case 'format':
      return { code: 'invalid_format', message: `must be a valid ${String(params['format'])}` };
    case 'pattern':
      return { code: 'invalid_format', message: 'does not have the form expected' };
    case 'enum':
      return { code: 'not_allowed_value', message: `must be one of ${[params['allowedValues']].flat().join(', ')}` };
    case 'const':
      return { code: 'not_allowed_value', message: `must be ${String(params['allowedValue'])}` };
    default:
      return { code: 'not_allowed_value', message: 'is not allowed' };
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function typeName(type: unknown): string {
  return TYPE_NAMES[String(type)] ?? String(type);
}

// Checks requests against the schemas of their routes: bodies exactly as sent, queries by their own strict reading (contract 1).
import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaValidationError } from 'fastify';

import { readQuery, type QuerySchema } from './read-query.rules.ts';
import { type FieldFault, RequestFault } from './request-fault.ts';
import { schemaFaults } from './schema-faults.rules.ts';

type Shared = Readonly<Record<string, object>>;
type Compilable = { readonly schema: unknown; readonly httpPart?: string };
/** Fastify's validator protocol: false with `errors`, or an object that replaces the value or holds the error. */
type Validator = {
  (value: unknown): boolean | { value: unknown } | { error: Error };
  errors?: ErrorObject[] | null;
};

/** For Fastify's `buildValidator`: called once per set of shared schemas, then per schema of a route. */
export function buildValidator(shared: Shared): (route: Compilable) => Validator {
  const ajv = new Ajv({
    // No coercion, no removal, no defaults: a body means what it says.
    allErrors: true,
    strict: true,
    // Unions such as text or null are how schemas here say "may be cleared".
    allowUnionTypes: true,
    strictRequired: false,
    // Members that only documentation reads.
    keywords: ['example', 'x-examples'],
  });
  addFormats.default(ajv, ['date', 'date-time', 'email', 'uri', 'uuid']);
  for (const schema of Object.values(shared)) ajv.addSchema(schema);
  return ({ schema, httpPart }) => {
    const check = ajv.compile(schema as object);
    return httpPart === 'querystring'
      ? queryValidator(schema as QuerySchema, check as Validator)
      : (check as Validator);
  };
}

function queryValidator(schema: QuerySchema, check: Validator): Validator {
  return (query) => {
    const { value, faults } = readQuery(schema, query as Record<string, unknown>);
    const unread = new Set(faults.map(({ field }) => field));
    const valid = check(value) === true;
    // A parameter that could not be read is missing from `value`; that it is missing is then no fault of its own.
    const further = valid ? [] : schemaFaults(check.errors ?? [], 'query').filter(({ field }) => !unread.has(field));
    const all = [...faults, ...further];
    return all.length === 0 ? { value } : { error: invalidQuery(all) };
  };
}

/** For parameters that a schema alone cannot check, such as `from` after `to`. */
export function invalidQuery(errors: readonly FieldFault[]): RequestFault {
  return new RequestFault({ status: 400, code: 'invalid_query', errors });
}

function validationFailed(errors: readonly FieldFault[]): RequestFault {
  return new RequestFault({ status: 422, code: 'validation_failed', errors });
}

/** For Fastify's `schemaErrorFormatter`. A path parameter of another form names nothing that exists. */
export function invalidInput(errors: FastifySchemaValidationError[], part: string): RequestFault {
  if (part === 'body') return validationFailed(schemaFaults(errors, 'body'));
  if (part === 'params') return new RequestFault({ status: 404, code: 'not_found' });
  return new RequestFault({ status: 400, code: 'bad_request', errors: schemaFaults(errors, part) });
}

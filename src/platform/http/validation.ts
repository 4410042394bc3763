// Validates requests against the schemas of their routes: bodies exactly as sent, queries after strict conversion, and no text that cannot
// be stored (contract 1.6).
import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaValidationError } from 'fastify';

import { parseRfc3339 } from '../../base/rfc3339.ts';
import { startOfUtcDay } from '../../base/time.ts';
import { readQuery, type QuerySchema } from './read-query.rules.ts';
import { type FieldFault, RequestFault, NOT_FOUND } from './request-fault.ts';
import { keptByText } from './kept-by-text.ts';
import { DOCUMENTED_ENUM, TEXTS_AS_SENT } from './keywords.schema.ts';
import { schemaFaults } from './schema-faults.rules.ts';
import { textFaults } from './text-faults.rules.ts';

type Shared = Readonly<Record<string, object>>;
type Compilable = { readonly schema: unknown; readonly httpPart?: string };
/** Fastify's validator protocol: false with `errors`, or an object that replaces the value or holds the error. */
type Validator = {
  (value: unknown): boolean | { value: unknown } | { error: Error };
  errors?: ErrorObject[] | null;
};

/**
 * For Fastify's `buildValidator`: called once per set of shared schemas, then once per schema of a route. Compiles on first use, and equal
 * schemas once: an Ajv takes tens of milliseconds to check the shared schemas by its own, and a compiled schema about one.
 */
export function buildValidator(shared: Shared): (route: Compilable) => Validator {
  let compile: ((schema: object) => Validator) | undefined;
  return ({ schema, httpPart }) => {
    const check = compiledWhenUsed(() => (compile ??= compilerOf(shared))(schema as object));
    if (httpPart === 'querystring') return queryValidator(schema as QuerySchema, check);
    if (httpPart === 'params') return parameterValidator(check);
    const isAsSent = Object.hasOwn(schema as object, TEXTS_AS_SENT);
    return httpPart === 'body' && !isAsSent ? bodyValidator(check) : check;
  };
}

const compilerOf = keptByText((shared: Shared) => {
  const ajv = openAjv(shared);
  return keptByText((schema: object) => ajv.compile(schema) as Validator);
});

function openAjv(shared: Shared): Ajv {
  const ajv = new Ajv({
    // No coercion, no removal, no defaults: a body is taken literally.
    allErrors: true,
    strict: true,
    // Schemas use unions such as text or null for members that may be cleared.
    allowUnionTypes: true,
    strictRequired: false,
    // Keywords that only the documentation uses.
    keywords: ['example', 'x-examples', TEXTS_AS_SENT, DOCUMENTED_ENUM],
  });
  addFormats.default(ajv, ['email', 'uri', 'uuid']);
  // The same parsers as in the routes, so that a day that does not exist is rejected here and not by the database.
  ajv.addFormat('date', (text) => startOfUtcDay(text) !== null);
  ajv.addFormat('date-time', (text) => parseRfc3339(text) !== null);
  for (const schema of Object.values(shared)) ajv.addSchema(schema);
  return ajv;
}

/** Compiles on first use: most routes get no request in a process's first seconds, or in a test. */
function compiledWhenUsed(compile: () => Validator): Validator {
  let compiled: Validator | undefined;
  const validate: Validator = (value) => {
    compiled ??= compile();
    const outcome = compiled(value);
    validate.errors = compiled.errors ?? null;
    return outcome;
  };
  return validate;
}

/** For routes that check bodies by their own rules: only checks that the texts can be stored. */
export function textValidator({ httpPart }: Compilable): Validator {
  return httpPart === 'body' ? bodyValidator(() => true) : () => true;
}

function bodyValidator(check: Validator): Validator {
  const validate: Validator = (body) => {
    const faults = textFaults(body);
    const isValid = check(body) === true;
    validate.errors = isValid ? null : (check.errors ?? null);
    if (faults.length === 0) return isValid;
    const unstorable = new Set(faults.map(({ field }) => field));
    const further = schemaFaults(validate.errors ?? [], 'body').filter(({ field }) => !unstorable.has(field));
    return { error: validationFailed([...faults, ...further]) };
  };
  return validate;
}

/** Responds with 404 to an invalid parameter, because nothing has such a name. */
function parameterValidator(check: Validator): Validator {
  return (params) => {
    const isKnown = textFaults(params).length === 0 && check(params) === true;
    return isKnown ? true : { error: new RequestFault(NOT_FOUND) };
  };
}

const withoutShared = buildValidator({});

/** For a route's `validatorCompiler` where the rules of the route read the body, and its schema is documentation. */
export function checkAllButBody(route: Compilable): Validator {
  return route.httpPart === 'body' ? bodyValidator(() => true) : withoutShared(route);
}

function queryValidator(schema: QuerySchema, check: Validator): Validator {
  return (query) => {
    const { value, faults } = readQuery(schema, query as Record<string, unknown>);
    const unread = new Set(faults.map(({ field }) => field));
    const valid = check(value) === true;
    // A parameter that could not be converted is missing from `value`; that must not be reported as a second error.
    const further = valid ? [] : schemaFaults(check.errors ?? [], 'query').filter(({ field }) => !unread.has(field));
    const all = [...faults, ...further];
    return all.length === 0 ? { value } : { error: invalidQuery(all) };
  };
}

/** For parameters that a schema alone cannot check, such as `from` after `to`. */
export function invalidQuery(errors: readonly FieldFault[]): RequestFault {
  return new RequestFault({ status: 400, code: 'invalid_query', errors });
}

/** Reads a parameter with the `next` of an earlier response; null without the parameter. */
export function readCursor<Cursor>(
  field: 'after' | 'before',
  text: string | undefined,
  read: (text: string) => Cursor | null,
): Cursor | null {
  const cursor = text === undefined ? null : read(text);
  if (text === undefined || cursor !== null) return cursor;
  throw invalidQuery([{ field, code: 'invalid_format', message: 'must be the `next` of an answer' }]);
}

function validationFailed(errors: readonly FieldFault[]): RequestFault {
  return new RequestFault({ status: 422, code: 'validation_failed', errors });
}

/** For Fastify's `schemaErrorFormatter`. */
export function invalidInput(errors: FastifySchemaValidationError[], part: string): RequestFault {
  if (part === 'body') return validationFailed(schemaFaults(errors, 'body'));
  return new RequestFault({ status: 400, code: 'bad_request', errors: schemaFaults(errors, part) });
}

// Checks values against the schemas of an OpenAPI 3.1 document by their JSON pointers, formats included.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import type { Json } from '../scope-app.ts';

/** What is wrong with a value by the schema at a pointer, in words; [] where nothing is. */
export type SchemaChecker = (pointer: string, value: unknown) => string[];

export function schemaChecker(document: Json): SchemaChecker {
  const ajv = new Ajv2020({
    allErrors: true,
    // A format or keyword that is not known would be a check that does not happen.
    strict: true,
    strictTypes: false,
    strictRequired: false,
    // Cents are no exact fractions of two.
    multipleOfPrecision: 6,
    keywords: ['example', 'openapi', 'info', 'servers', 'tags', 'paths', 'webhooks', 'components'],
  });
  addFormats.default(ajv);
  // As a whole it is no schema; its parts are reached by reference.
  ajv.addSchema(document, 'api');
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, value) => {
    let check = compiled.get(pointer);
    if (check === undefined) compiled.set(pointer, (check = ajv.compile({ $ref: `api#${pointer}` })));
    return check(value)
      ? []
      : (check.errors ?? []).map(
          ({ instancePath, message = 'is not valid', params }) =>
            `${instancePath === '' ? 'it' : instancePath} ${message} ${JSON.stringify(params)}`,
        );
  };
}

/** The parts of a JSON pointer, as a fragment of a URL. */
export function pointerTo(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}

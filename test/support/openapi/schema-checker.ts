// Checks values against the schemas of an OpenAPI 3.1 document by their JSON pointers, formats included.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import type { Json } from '../scope-app.ts';

/** The errors of a value by the schema at a pointer, in words; [] if there are none. */
export type SchemaChecker = (pointer: string, value: unknown) => string[];

export function schemaChecker(document: Json): SchemaChecker {
  const ajv = new Ajv2020({
    allErrors: true,
    // An unknown format or keyword would be a check that does not run.
    strict: true,
    strictTypes: false,
    strictRequired: false,
    // Cents are no exact fractions of two.
    multipleOfPrecision: 6,
    keywords: ['example', 'openapi', 'info', 'servers', 'tags', 'paths', 'webhooks', 'components'],
  });
  addFormats.default(ajv);
  // The whole document is not a schema; its parts are reached by reference.
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

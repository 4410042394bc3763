// Makes the OpenAPI document stricter for tests: an object has no members but the documented ones, because clients cannot rely on an
// undocumented member, and it may be a leak.
import type { Json } from '../scope-app.ts';

const OPEN = '#/components/openSchemas/';
const CLOSED = '#/components/schemas/';

/** Schemas that say `additionalProperties` themselves stay as they are. Parts of an `allOf` are closed together, not each for itself. */
export function closedDocument(document: Json): Json {
  const schemas: Record<string, Json> = document.components?.schemas ?? {};
  const components = {
    ...document.components,
    schemas: mapped(schemas, (schema) => close(schema, false)),
    openSchemas: mapped(schemas, (schema) => close(schema, true)),
  };
  return {
    ...document,
    components,
    paths: closeSchemasIn(document.paths),
    webhooks: closeSchemasIn(document.webhooks ?? {}),
  };
}

/** Everything below a member named `schema`. */
function closeSchemasIn(node: Json): Json {
  if (Array.isArray(node)) return node.map(closeSchemasIn);
  if (!isObject(node)) return node;
  return mapped(node, (child, name) => (name === 'schema' ? close(child, false) : closeSchemasIn(child)));
}

function close(schema: Json, isPart: boolean): Json {
  if (!isObject(schema)) return schema;
  const { properties, items, additionalProperties, allOf, anyOf, oneOf, $ref, ...rest } = schema;
  const isOpen = isPart || additionalProperties !== undefined || (properties === undefined && allOf === undefined);
  return {
    ...rest,
    ...($ref === undefined ? {} : { $ref: isPart ? $ref.replace(CLOSED, OPEN) : $ref }),
    ...(properties === undefined ? {} : { properties: mapped(properties, (member) => close(member, false)) }),
    ...(items === undefined ? {} : { items: close(items, false) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: close(additionalProperties, false) }),
    ...(allOf === undefined ? {} : { allOf: allOf.map((part: Json) => close(part, true)) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((part: Json) => close(part, isPart)) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map((part: Json) => close(part, isPart)) }),
    ...(isOpen ? {} : { unevaluatedProperties: false }),
  };
}

function mapped(record: Record<string, Json>, make: (value: Json, name: string) => Json): Record<string, Json> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value, name)]));
}

function isObject(value: Json): value is Record<string, Json> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

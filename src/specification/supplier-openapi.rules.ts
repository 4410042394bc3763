// Narrows the OpenAPI document to what one supplier can use, with the members of its own submissions (contract 14.5).
import { isMembers, type Members } from '../base/json.ts';
import type { Specification, SpecifiedField } from './make-specification.ts';

const TAG = 'Supplier';
const SUBMISSION = 'LeadSubmission';
const REFERENCE = '#/components/schemas/';

/** `document` is the whole OpenAPI document; it is not changed. `callbacks`: names of the webhooks that suppliers get. */
export function supplierOpenapi(document: Members, spec: Specification, callbacks: ReadonlySet<string>): Members {
  const paths = Object.fromEntries(
    Object.entries(membersOf(document['paths'])).filter(([, operations]) => isForSuppliers(operations)),
  );
  const webhooks = Object.fromEntries(
    Object.entries(membersOf(document['webhooks'])).filter(([name]) => callbacks.has(name)),
  );
  const tags = Array.isArray(document['tags']) ? document['tags'] : [];
  const components = membersOf(document['components']);
  const schemas = { ...membersOf(components['schemas']), [SUBMISSION]: submissionSchema(spec) };
  const used = reachable(schemas, { paths, webhooks });
  return {
    ...document,
    info: { ...membersOf(document['info']), title: `${spec.marketplace}: API for ${spec.name}` },
    tags: tags.filter((tag) => isMembers(tag) && tag['name'] === TAG),
    paths,
    webhooks,
    components: {
      ...components,
      schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name))),
    },
  };
}

function isForSuppliers(operations: unknown): boolean {
  return Object.values(membersOf(operations)).some((operation) => {
    const tags = membersOf(operation)['tags'];
    return Array.isArray(tags) && tags.includes(TAG);
  });
}

/** Everything but the fields that every lead needs is optional, and further members are stored with the lead. */
function submissionSchema(spec: Specification): Members {
  const stated = new Map<string, StatedProperty[]>();
  for (const field of spec.fields) addProperty(stated, field, 'every lead');
  for (const { key, fields } of spec.verticals) for (const field of fields) addProperty(stated, field, key);
  const properties: Record<string, unknown> = Object.fromEntries(
    [...stated].map(([name, schemas]) => [name, unionOf(schemas)] as const),
  );
  if (spec.verticals.length > 0 && !Object.hasOwn(properties, 'vertical'))
    properties['vertical'] = verticalSchema(spec);
  const [only, ...others] = spec.verticals;
  const required = only?.isDefault === true && others.length === 0 ? requiredNames(only.fields, only.required) : [];
  const examples = [spec.example, ...spec.verticals.filter((one) => !one.isDefault).map(({ example }) => example)];
  return {
    type: 'object',
    description: `A lead in the form in which you send it. Needed: ${spec.needed.join(' ')}`,
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: true,
    examples: examples.flatMap((example) => (example === null ? [] : [JSON.parse(example.body) as unknown])),
  };
}

function verticalSchema({ verticals }: Specification): Members {
  const byDefault = verticals.find(({ isDefault }) => isDefault);
  return {
    type: 'string',
    enum: verticals.map(({ key }) => key),
    description: `The vertical of the lead.${byDefault === undefined ? '' : ` Without it: ${byDefault.key}.`}`,
  };
}

/** A member as one vertical has it. Without a type any value fits. */
type PropertySchema = {
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly description: string;
  readonly examples?: readonly unknown[];
};
type StatedProperty = { readonly of: string; readonly schema: PropertySchema };

/** A name with a full stop leads into an object, or by position into a list, whose members are described by their examples alone. */
function addProperty(stated: Map<string, StatedProperty[]>, field: SpecifiedField, of: string): void {
  for (const { name, treatment } of field.names) {
    const [top = name, ...below] = name.split('.');
    const isPath = below.length > 0 && below.every((part) => part !== '');
    const schema = isPath
      ? { description: 'Further fields of the lead; the example shows which.' }
      : propertySchema(field, treatment);
    const key = isPath ? top : name;
    stated.set(key, [...(stated.get(key) ?? []), { of, schema }]);
  }
}

/** Verticals may have different fields of one name: the schema takes what any of them takes, and says what each one means by it. */
function unionOf(stated: readonly StatedProperty[]): PropertySchema {
  const different = new Map(stated.map((one) => [JSON.stringify(one.schema), one]));
  const [first, ...others] = different.values();
  if (first === undefined || others.length === 0) return first?.schema ?? { description: '' };
  const schemas = [first, ...others].map(({ schema }) => schema);
  const types = schemas.map(({ type }) => (type === undefined ? null : [type].flat()));
  const isAny = types.includes(null);
  const lengths = schemas
    .filter(({ type }) => [type ?? 'string'].flat().includes('string'))
    .map(({ maxLength }) => maxLength ?? Infinity);
  const maxLength = Math.max(0, ...lengths);
  const owners = (schema: PropertySchema): string =>
    stated
      .filter((one) => JSON.stringify(one.schema) === JSON.stringify(schema))
      .map(({ of }) => of)
      .join(', ');
  return {
    ...(isAny ? {} : { type: [...new Set(types.flatMap((some) => some ?? []))] }),
    ...(isAny || maxLength === 0 || maxLength === Infinity ? {} : { maxLength }),
    description: schemas.map((schema) => `Of ${owners(schema)}: ${schema.description}`).join(' '),
    examples: [
      ...new Map(schemas.flatMap(({ examples = [] }) => examples).map((one) => [JSON.stringify(one), one])).values(),
    ],
  };
}

function propertySchema(
  { field, type, meaning, format, lengthMax, sample }: SpecifiedField,
  treatment: string | null,
): PropertySchema {
  const description = [field, ': ', [meaning, treatment ?? format ?? []].flat().join(' ')].join('');
  const example = sample === null ? [] : [JSON.parse(sample) as unknown];
  if (treatment !== null) return { description, examples: example };
  return { ...typeSchema(type, lengthMax), description, examples: example };
}

function typeSchema(type: string, lengthMax: number | null): Pick<PropertySchema, 'type' | 'maxLength'> {
  if (type === 'true or false') return { type: 'boolean' };
  if (type === 'amount' || type === 'number' || type === 'whole number') return { type: ['string', 'number'] };
  return { type: 'string', ...(lengthMax === null ? {} : { maxLength: lengthMax }) };
}

/** Only fields that are sent under a single name of the body itself; the others cannot be required by a schema. */
function requiredNames(fields: readonly SpecifiedField[], required: readonly string[]): string[] {
  return fields.flatMap(({ field, names }) => {
    const [name, ...others] = names;
    return required.includes(field) && name !== undefined && others.length === 0 && !name.name.includes('.')
      ? [name.name]
      : [];
  });
}

/** Names of the schemas that are used directly or by others. */
function reachable(schemas: Members, root: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const pending = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of referencesIn(next)) {
      if (found.has(name) || !Object.hasOwn(schemas, name)) continue;
      found.add(name);
      pending.push(schemas[name]);
    }
  }
  return found;
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isMembers(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === '$ref' && typeof inner === 'string' && inner.startsWith(REFERENCE)
      ? [inner.slice(REFERENCE.length)]
      : referencesIn(inner),
  );
}

function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

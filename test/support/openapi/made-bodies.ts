// Generates request bodies from the schemas of the OpenAPI document, like a generator of test data without other knowledge.
import fc from 'fast-check';

import type { Json } from '../scope-app.ts';
import { pointerTo } from './schema-checker.ts';

// The same bodies in every run: the document is tested.
const SEED = 20_261_122;
const LIST_MAX = 4;
const TEXT_MAX = 60;

/** This many bodies of a component such as `LeadSubmission`. */
export function bodiesMadeFrom(document: Json, name: string, count: number): Json[] {
  const arbitrary = valueOf(document, { $ref: `#${pointerTo('components', 'schemas', name)}` });
  return fc.sample(arbitrary, { numRuns: count, seed: SEED }) as Json[];
}

function valueOf(document: Json, schema: Json): fc.Arbitrary<unknown> {
  const { $ref, anyOf, enum: values, type } = schema;
  if ($ref !== undefined) return valueOf(document, document.components.schemas[$ref.split('/').at(-1)]);
  if (values !== undefined) return fc.constantFrom(...(values as unknown[]));
  if (anyOf !== undefined && type === undefined) return fc.oneof(...anyOf.map((one: Json) => valueOf(document, one)));
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'number':
      return numberOf(schema);
    case 'array':
      return fc.uniqueArray(valueOf(document, schema.items), {
        maxLength: Math.min(schema.maxItems ?? LIST_MAX, LIST_MAX),
      });
    case 'object':
      return objectOf(document, schema);
    case 'string':
      return textOf(schema);
    default:
      throw new Error(`nothing is made of ${JSON.stringify(schema)}`);
  }
}

function numberOf({ minimum = 0, maximum = 1_000_000, multipleOf = 1 }: Json): fc.Arbitrary<number> {
  const steps = Math.round(1 / multipleOf);
  return fc
    .integer({ min: minimum * steps, max: Math.min(maximum * steps, 2 ** 31 - 1) })
    .map((whole) => whole / steps);
}

/** A pattern defines the form of a value, not the allowed values: the examples do. */
function textOf({ pattern, format, maxLength = TEXT_MAX, examples = [] }: Json): fc.Arbitrary<string> {
  if (pattern !== undefined && examples.length > 0) return fc.constantFrom(...(examples as string[]));
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  if (format === 'email') return fc.emailAddress().filter((text) => text.length <= maxLength);
  if (format === 'date-time') {
    const span = { min: new Date('2001-01-01T00:00:00.000Z'), max: new Date('2026-11-01T00:00:00.000Z') };
    return fc.date({ ...span, noInvalidDate: true }).map((at) => at.toISOString());
  }
  if (format !== undefined) throw new Error(`nothing is made of the format ${format}`);
  return fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, TEXT_MAX) });
}

/** Each `anyOf` within `allOf` requires some more members, of which one choice is taken. */
function objectOf(document: Json, { properties, required = [], allOf = [] }: Json): fc.Arbitrary<object> {
  const choices = (allOf as Json[]).map(({ anyOf }) => fc.constantFrom(...(anyOf as Json[])));
  return fc.tuple(...choices).chain((chosen) => {
    const narrowed = Object.assign({}, ...chosen.map((choice) => choice.properties)) as Record<string, Json>;
    const needed: string[] = [...required, ...chosen.flatMap((choice) => choice.required as string[])];
    const members = mapped(properties, (member, name) => {
      // For a nullable member, the choice requires one of the texts.
      const isText = narrowed[name]?.type === 'string';
      const options = (isText ? member.anyOf?.filter(({ type }: Json) => type === 'string') : undefined) ?? [member];
      const made = fc.oneof(...options.map((one: Json) => valueOf(document, one)));
      return isText ? made.filter((text) => new RegExp(narrowed[name]?.pattern ?? '', 'u').test(String(text))) : made;
    });
    return fc.record(members, { requiredKeys: needed });
  });
}

function mapped<Value>(
  record: Record<string, Json>,
  make: (value: Json, name: string) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value, name)]));
}

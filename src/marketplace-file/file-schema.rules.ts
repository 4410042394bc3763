// Builds the JSON Schemas of the marketplace file: for the parser, and for completion and validation in editors.
import type { MemberSchema } from '../marketplace/configured-form.rules.ts';
import { FileSchema } from './file.schema.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

// Functions check these completely, with better messages than a schema.
const CHECKED_AS_A_WHOLE: ReadonlySet<string | undefined> = new Set(['fieldMapping', 'fieldFilters', 'settings']);

/** Keywords for the parser's functions, unknown to editors. */
const NOTES = ['check', 'optional', 'single', 'ordered', 'upper', 'nullable', 'operatorOnly'];

/** The schema of a file as written. */
export const writtenSchema: MemberSchema = asWritten(FileSchema, (schema) => schema);

/** The same without the parts that only functions check. */
export const checkedSchema: MemberSchema = asWritten(FileSchema, (schema) =>
  CHECKED_AS_A_WHOLE.has(schema.check) ? {} : schema,
);

/** The schema for editors; null selects the default. */
export function publishedSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Marketplace file',
    description: 'The whole configuration: "leadmarket apply" applies it, "leadmarket export-config" writes it.',
    ...published(writtenSchema),
  };
}

/** Only members without a default are required, and a single entry may be written without a list. */
function asWritten(schema: MemberSchema, change: (schema: MemberSchema) => MemberSchema): MemberSchema {
  const { anyOf, items, properties, ...rest } = change(schema);
  if (anyOf !== undefined) {
    const branches = anyOf.map((branch) => asWritten(branch, change));
    return { ...rest, anyOf: branches.flatMap((branch) => (branch.single === true ? (branch.anyOf ?? []) : [branch])) };
  }
  if (items !== undefined) {
    const entry = asWritten(items, change);
    return rest.single === true
      ? {
          single: true,
          ...labelOf(rest),
          ...('default' in rest ? { default: rest.default } : {}),
          anyOf: [{ ...rest, items: entry }, entry],
        }
      : { ...rest, items: entry };
  }
  if (properties === undefined) return rest;
  const entries = Object.entries(properties).map(([name, member]) => [name, asWritten(member, change)] as const);
  const required = entries.filter(([, member]) => !('default' in member) && member.optional !== true);
  return { ...rest, properties: Object.fromEntries(entries), required: required.map(([name]) => name) };
}

function labelOf({ title, description }: MemberSchema): MemberSchema {
  return { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

function published({ anyOf, items, properties, ...schema }: MemberSchema): JsonSchema {
  const required = schema.required ?? [];
  const own = Object.entries(schema).filter(([name]) => !NOTES.includes(name));
  return {
    ...Object.fromEntries(own),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(published) }),
    ...(items === undefined ? {} : { items: published(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, member]) => [
              name,
              required.includes(name) ? published(member) : orNull(published(member)),
            ]),
          ),
        }),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { title, description, default: byDefault, ...rest } = schema;
  const label = Object.fromEntries(
    Object.entries({ title, description, default: byDefault }).filter(([, value]) => value !== undefined),
  );
  const branches = (schema['anyOf'] as readonly JsonSchema[] | undefined) ?? [rest];
  const { anyOf: _branches, ...notes } = schema['anyOf'] === undefined ? { anyOf: null } : rest;
  const isNullable = branches.some(({ type }) => type === 'null');
  return { ...label, ...notes, anyOf: isNullable ? branches : [...branches, { type: 'null' }] };
}

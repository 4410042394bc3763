// Normalizes configured values by their schemas: order of members and lists, defaults, and schemas without bounds for responses.
import type { Static, TSchema } from 'typebox';

import { isMembers, type Members } from '../base/json.ts';
import { canonicalTimeZone } from '../base/time-zone.rules.ts';
import type { MemberNotes } from './configured.schema.ts';

/** The parts of a schema that these functions read, as plain data. */
export type MemberSchema = MemberNotes & {
  readonly type?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly uniqueItems?: boolean;
  readonly items?: MemberSchema;
  readonly properties?: Readonly<Record<string, MemberSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly MemberSchema[];
};

/** The schema itself, or the branch of its union for values of this type; the first one if several fit. */
export function branchFor(schema: MemberSchema, value: unknown): MemberSchema | undefined {
  if (schema.anyOf === undefined) return fits(schema, value) ? schema : undefined;
  for (const branch of schema.anyOf) {
    const found = branchFor(branch, value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fits({ type, enum: names }: MemberSchema, value: unknown): boolean {
  if (type === undefined && names === undefined) return true;
  if (value === null) return type === 'null';
  if (Array.isArray(value)) return type === 'array';
  if (typeof value === 'object') return type === 'object';
  if (typeof value === 'number') return type === 'number' || type === 'integer';
  return typeof value === (type ?? 'string');
}

/**
 * The value with its members in the schema's order and unordered lists sorted, so that equal things have forms that are equal as JSON
 * text. A single entry becomes a list of one. The value must fit the schema.
 */
export function formOf<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  return formed(schema, value) as Static<Schema>;
}

function formed(schema: MemberSchema, value: unknown): unknown {
  const list = isMembers(value) ? schema.anyOf?.find(({ single }) => single === true) : undefined;
  const branch = list ?? (schema.single === true ? schema : branchFor(schema, value));
  if (branch?.items !== undefined) return formedList(branch, branch.items, Array.isArray(value) ? value : [value]);
  if (branch?.properties === undefined || !isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(branch.properties).flatMap(([name, member]) =>
      value[name] === undefined ? [] : [[name, formed(member, value[name])]],
    ),
  );
}

function formedList({ uniqueItems, ordered }: MemberSchema, items: MemberSchema, list: readonly unknown[]): unknown[] {
  const entries = list.map((entry) => formed(items, entry));
  if (uniqueItems !== true || ordered === true) return entries;
  const names = items.enum;
  if (names !== undefined) return names.filter((name) => entries.includes(name));
  return (entries as string[]).toSorted();
}

const SHAPE: ReadonlySet<string> = new Set(['type', 'const', 'enum', 'patternProperties']);

/** The schema for responses: without bounds, so that a value stored before a bound was tightened can still be shown. */
export function shown<Schema extends TSchema>(schema: Schema): Schema {
  return shapeOf(schema) as Schema;
}

function shapeOf({ anyOf, items, properties, ...schema }: MemberSchema): MemberSchema {
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([name]) => SHAPE.has(name))),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(shapeOf) }),
    ...(items === undefined ? {} : { items: shapeOf(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, shapeOf(one)])),
          required: Object.keys(properties),
        }),
  };
}

/** The value with defaults for missing and null members, and with texts trimmed and names of time zones canonical. Validates nothing. */
export function withDefaults(schema: MemberSchema, value: unknown): unknown {
  const branch = branchFor(schema, value);
  if (branch === undefined) return value;
  if (typeof value === 'string') return branch.enum === undefined ? textOf(branch, value) : value;
  // Turns -0 into 0.
  if (typeof value === 'number') return value + 0;
  const { items } = branch;
  if (Array.isArray(value)) return items === undefined ? value : value.map((entry) => withDefaults(items, entry));
  if (branch.properties === undefined || !isMembers(value)) return value;
  return { ...membersOf(branch.properties, value), ...defaultsOf(branch.properties, value) };
}

function textOf({ upper = false, type, const: constant, check }: MemberSchema, text: string): string {
  if (type !== 'string' || constant !== undefined) return text;
  const trimmed = text.trim();
  if (check === 'timeZone') return canonicalTimeZone(trimmed) ?? trimmed;
  return upper ? trimmed.toUpperCase() : trimmed;
}

function membersOf(properties: Readonly<Record<string, MemberSchema>>, value: Members): Members {
  const stated = Object.entries(value).flatMap(([name, member]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) return [[name, member] as const];
    return isLeftOut(schema, member) ? [] : [[name, withDefaults(schema, member)] as const];
  });
  return Object.fromEntries(stated);
}

function defaultsOf(properties: Readonly<Record<string, MemberSchema>>, value: Members): Members {
  const missing = Object.entries(properties).flatMap(([name, schema]) =>
    'default' in schema && isLeftOut(schema, Object.hasOwn(value, name) ? value[name] : undefined)
      ? [[name, withDefaults(schema, schema.default)] as const]
      : [],
  );
  return Object.fromEntries(missing);
}

function isLeftOut(schema: MemberSchema, member: unknown): boolean {
  return member === undefined || (member === null && schema.nullable !== true && branchFor(schema, null) === undefined);
}

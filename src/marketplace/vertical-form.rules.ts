// Converts a vertical from and to its form in the marketplace file, whole or without members that have their defaults (contract 7.6).
import type { JsonValue } from '../base/json.ts';
import { parseRfc3339 } from '../base/rfc3339.ts';
import { formOf, type MemberSchema } from './configured-form.rules.ts';
import { type VerticalForm, VerticalSchema } from './vertical.schema.ts';
import type { OwnField, Vertical } from './verticals.ts';

type Unlabelled = Omit<VerticalForm['fields'][number], 'label'> & { readonly label?: string };
/** A vertical with all defaults filled in but names and labels. */
export type WrittenVertical = Omit<VerticalForm, 'name' | 'fields'> & {
  readonly name?: string;
  readonly fields: readonly Unlabelled[];
};

export function verticalOfForm({ name, fields, ...form }: WrittenVertical): Vertical {
  return verticalForm({
    ...form,
    name: name ?? form.key,
    fields: fields.map((field) => ({
      ...field,
      label: field.label ?? field.name,
      min: field.min === null ? null : normalBound(field.min),
      max: field.max === null ? null : normalBound(field.max),
    })),
  });
}

/** Trimmed; an instant in UTC with milliseconds, as leads store it, so that texts of instants are in the order of time. */
export function normalBound(value: string | number): string | number {
  if (typeof value === 'number') return value + 0;
  const at = parseRfc3339(value.trim());
  return at === null ? value.trim() : new Date(at).toISOString();
}

/** Members in the order of the file, so that equal verticals have forms that are equal as JSON text. */
export function verticalForm(vertical: Vertical): VerticalForm {
  return formOf(VerticalSchema, vertical);
}

/** As in an exported file: without members that have their defaults. */
export function statedVertical({ key, name, status, fields }: Vertical): Readonly<Record<string, JsonValue>> {
  return {
    key,
    name,
    ...(status === 'active' ? {} : { status }),
    ...(fields.length === 0 ? {} : { fields: fields.map(statedField) }),
  };
}

/** For the comparison of two: one member per field, and the order of the fields. */
export function comparedVertical({ name, status, fields }: Vertical): Readonly<Record<string, JsonValue>> {
  return {
    name,
    status,
    ...(fields.length < 2 ? {} : { fieldOrder: fields.map((field) => field.name) }),
    ...Object.fromEntries(fields.map((field) => [`fields.${field.name}`, statedField(field)])),
  };
}

const FIELD_MEMBERS: Readonly<Record<string, MemberSchema>> = VerticalSchema.properties.fields.items.properties;

function statedField(field: OwnField): Readonly<Record<string, JsonValue>> {
  const members: ReadonlyArray<readonly [string, JsonValue]> = Object.entries(field);
  const stated = members.filter(([name, value]) => {
    if (name === 'label') return value !== field.name;
    return JSON.stringify(value) !== JSON.stringify(FIELD_MEMBERS[name]?.default);
  });
  return Object.fromEntries(stated);
}

// Lists a supplier's field mapping as rows: incoming name, field, and the treatment of the value in words (contract 3.7).
import type { FieldMapping, MappingConstant } from '../suppliers/field-mapping.rules.ts';
import type { TransformName, TransformOptions } from '../suppliers/field-transforms.rules.ts';

/** How a value is converted. */
export type Conversion = { readonly transform: TransformName | null } & TransformOptions;

export type MappedField = Conversion & {
  /** As sent by the supplier; a full stop leads into a nested object. */
  readonly name: string;
  /** A standard name, `vertical`, or the name of an own field. */
  readonly field: string;
  /** How the value is read, in words; null if it is read unchanged. */
  readonly treatment: string | null;
  /** Read only if the earlier names for the same field have no value. */
  readonly isAlternative: boolean;
};

export type MappedFields = {
  /** In the order in which they are read. */
  readonly fields: readonly MappedField[];
  /** Override any sent value. */
  readonly constants: ReadonlyArray<{ readonly field: string; readonly value: MappingConstant }>;
};

const TREATMENTS: Readonly<Record<TransformName, string | ((options: TransformOptions) => string)>> = {
  trim: 'White space around it is dropped.',
  upper: 'It is read in capitals.',
  lower: 'It is read in small letters.',
  digits: 'Only its digits are read.',
  us_phone: 'US numbers may be written as people do: (555) 555-0123 or 1-555-555-0123.',
  state_name: 'Names of states are read, too: California.',
  money: 'Amounts may be written as people do: $12,345.67.',
  epoch_s: 'Seconds since 1970, a number or digits.',
  epoch_ms: 'Milliseconds since 1970, a number or digits.',
  time: ({ format, timeZone = 'UTC' }) =>
    format === undefined
      ? `A time such as 2026-11-20 17:03:11, with an offset or in the zone ${timeZone}, or a day such as 2026-11-20.`
      : `A time written as ${format}, in the zone ${timeZone} unless it names an offset.`,
  date: ({ format }) =>
    format === undefined ? 'A day such as 2026-11-20; a time is dropped.' : `A day written as ${format}.`,
  boolean: 'Yes or no, on or off, 1 or 0, or true or false as text.',
  public_ip: 'The first public address of a list is read, without its port: 10.0.0.1, 203.0.113.9:443.',
};

const LEFT_OUT = 'A value that cannot be read is left out.';

function treatmentOf({ transform, ...options }: Conversion, orNothing: boolean): string | null {
  const how = transform === null ? null : TREATMENTS[transform];
  const words = [typeof how === 'function' ? how(options) : (how ?? []), orNothing ? LEFT_OUT : []].flat();
  return words.length === 0 ? null : words.join(' ');
}

/** The mapping must be a checked one. */
export function mappedFields(mapping: FieldMapping): MappedFields {
  const fields: MappedField[] = [];
  const constants: Array<{ field: string; value: MappingConstant }> = [];
  const targets = new Set<string>();
  for (const [name, entry] of Object.entries(mapping)) {
    if (typeof entry !== 'string' && !('to' in entry)) {
      for (const [field, value] of Object.entries(entry)) constants.push({ field, value });
      continue;
    }
    const { to, transform = null, orNothing = false, ...options } = typeof entry === 'string' ? { to: entry } : entry;
    const conversion = { transform, ...options };
    fields.push({
      ...conversion,
      name,
      field: to,
      treatment: treatmentOf(conversion, orNothing),
      isAlternative: targets.has(to),
    });
    targets.add(to);
  }
  // A constant overrides any value sent for its field.
  const set = new Set(constants.map(({ field }) => field));
  return { fields: fields.filter(({ field }) => !set.has(field)), constants };
}

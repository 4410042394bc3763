// Lists a supplier's field mapping as rows: incoming name, field, and the treatment of the value in words (contract 3.7).
import type { FieldMapping, MappingConstant } from '../suppliers/field-mapping.rules.ts';
import type { TransformName } from '../suppliers/field-transforms.rules.ts';

export type MappedField = {
  /** As sent by the supplier; a full stop leads into a nested object. */
  readonly name: string;
  /** A standard name, `vertical`, or the name of an own field. */
  readonly field: string;
  readonly transform: TransformName | null;
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

const TREATMENTS: Readonly<Record<TransformName, string>> = {
  trim: 'White space around it is dropped.',
  upper: 'It is read in capitals.',
  lower: 'It is read in small letters.',
  digits: 'Only its digits are read.',
  us_phone: 'US numbers may be written as people do: (555) 555-0123 or 1-555-555-0123.',
  state_name: 'Names of states are read, too: California.',
  money: 'Amounts may be written as people do: $12,345.67.',
  epoch_s: 'Seconds since 1970, a number or digits.',
  epoch_ms: 'Milliseconds since 1970, a number or digits.',
};

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
    const { to, transform = null } = typeof entry === 'string' ? { to: entry } : entry;
    fields.push({
      name,
      field: to,
      transform,
      treatment: transform === null ? null : TREATMENTS[transform],
      isAlternative: targets.has(to),
    });
    targets.add(to);
  }
  // A constant overrides any value sent for its field.
  const set = new Set(constants.map(({ field }) => field));
  return { fields: fields.filter(({ field }) => !set.has(field)), constants };
}

// Finds the texts of a request that cannot be stored, member names included, so that every route rejects them alike (contract 1.6).
import { isStorable } from '../../base/text.ts';
import type { FieldFault } from './request-fault.ts';

// The same limit as for schema errors.
const MOST_FAULTS = 50;

export const UNSTORABLE = {
  code: 'invalid_format',
  message: 'must be well-formed Unicode without NUL',
} as const satisfies Omit<FieldFault, 'field'>;

/** In the order of the members. The body parser bounds the depth. */
export function textFaults(value: unknown): FieldFault[] {
  const faults: FieldFault[] = [];
  collect(value, [], faults);
  return faults;
}

function collect(value: unknown, path: readonly string[], faults: FieldFault[]): void {
  if (faults.length >= MOST_FAULTS) return;
  if (typeof value === 'string') {
    if (!isStorable(value)) faults.push({ field: path.join('.'), ...UNSTORABLE });
  } else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value) as Array<[string, unknown]>) {
      if (!isStorable(name)) collect(name, [...path, name], faults);
      else if (member !== null && (typeof member === 'string' || typeof member === 'object')) {
        collect(member, [...path, name], faults);
      }
    }
  }
}

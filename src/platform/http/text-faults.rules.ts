// Finds the texts of a request that cannot be stored, member names included, so that every route refuses them alike (contract 1.6).
import { isStorable } from '../../base/storable-text.ts';
import type { FieldFault } from './request-fault.ts';

// As many as a schema reports.
const MOST_FAULTS = 50;

export const UNSTORABLE = {
  code: 'invalid_format',
  message: 'must be well-formed Unicode without NUL',
} as const satisfies Omit<FieldFault, 'field'>;

/** In the order of the members. The depth is bounded by the reader of bodies. */
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

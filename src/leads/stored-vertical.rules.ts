// Finds the vertical of stored leads in the text of their fields.
import { fieldMark } from './field-marks.rules.ts';
import type { LeadFields } from './lead-fields.ts';

/** Part of the stored fields of the leads of the vertical alone, in the text before `extra`. */
export function verticalMark(verticalKey: string | null): string | null {
  return fieldMark('vertical', verticalKey);
}

/** The key of the vertical; null for a lead that belongs to none, and for one without fields. */
export function storedVertical(fields: string | null): string | null {
  return fields === null ? null : ((JSON.parse(fields) as LeadFields).vertical ?? null);
}

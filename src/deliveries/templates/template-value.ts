// The values that templates handle, and their text.

export type TemplateValue = string | number | boolean | null;

/** Null is the empty text. */
export function textOfValue(value: TemplateValue): string {
  return value === null ? '' : String(value);
}

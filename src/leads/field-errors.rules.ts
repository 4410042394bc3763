// Error texts of rejected submissions, and how they are joined into one reason (contract 3.3).

export const CONTACT_MISSING = 'email or phone required';
export const NAME_MISSING = 'name required';

/** Separates the errors of one submission. No error contains it, because errors name fields and never values. */
export const ERROR_SEPARATOR = '; ';

export function invalidError(field: string): string {
  return `${field} invalid`;
}

export function requiredError(field: string): string {
  return `${field} required`;
}

export function tooLongError(field: string): string {
  return `${field} too long`;
}

/** The errors that the `reason` of a rejected submission consists of. */
export function splitReason(reason: string): string[] {
  return reason.split(ERROR_SEPARATOR);
}

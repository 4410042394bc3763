// The words in which a submission is told what is wrong with it, each apart and all together (contract 3.3).

export const CONTACT_MISSING = 'email or phone required';
export const NAME_MISSING = 'name required';

/** Between the faults of one submission. No fault holds it, because faults name fields and never their values. */
export const FAULTS_JOINED_BY = '; ';

export function invalidFault(field: string): string {
  return `${field} invalid`;
}

export function lengthFault(field: string): string {
  return `${field} too long`;
}

/** What `reason` of a refused submission was joined from. */
export function faultsOf(reason: string): string[] {
  return reason.split(FAULTS_JOINED_BY);
}

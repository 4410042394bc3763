// What buyers mostly decide by, and which of it a lead does not have. It says nothing of any one buyer: only of the lead.
import type { StandardName } from '../suppliers/field-mapping.rules.ts';
import type { LeadFields } from './lead-fields.ts';

/** By its name in a submission, and where a stored lead has it. */
export const wantedFields = {
  phone: 'phone',
  email: 'email',
  state: 'state',
  debt_amount: 'debtAmountCents',
  consent_timestamp: 'consentTimestamp',
  source_form_url: 'sourceFormUrl',
} as const satisfies Partial<Record<StandardName, keyof LeadFields>>;

export function lackingOf(fields: LeadFields): string[] {
  return Object.entries(wantedFields).flatMap(([name, stored]) => (fields[stored] === null ? [name] : []));
}

// Finds certificates of consent under the names that the certificates' own scripts give to hidden fields of a form (contract 3.2).
import type { Members } from '../base/json.ts';
import type { LeadFields } from './lead-fields.ts';
import { isGiven, readText, readUrl, type Reading } from './lead-text.rules.ts';

/** By the standard name that they stand for. */
export const scriptNames: Readonly<Record<string, readonly string[]>> = {
  trustedform_cert_url: ['xxTrustedFormCertUrl'],
  jornaya_lead_id: ['universal_leadid', 'leadid_token'],
};

/** The name that has a value; null for none. */
export function scriptNameIn(members: Members, field: string): string | null {
  return scriptNames[field]?.find((name) => isGiven({ body: members, errors: [] }, name)) ?? null;
}

/** Certificates that the lead does not have under their standard names. An unreadable value remains a further member, as it always was. */
export function certificatesIn(lead: LeadFields): Partial<Pick<LeadFields, 'trustedformCertUrl' | 'jornayaLeadId'>> {
  const read = (field: string, reader: (reading: Reading, name: string) => string | null): string | null => {
    const name = scriptNameIn(lead.extra, field);
    return name === null ? null : reader({ body: lead.extra, errors: [] }, name);
  };
  const url = lead.trustedformCertUrl === null ? read('trustedform_cert_url', readUrl) : null;
  const id = lead.jornayaLeadId === null ? read('jornaya_lead_id', readText) : null;
  return {
    ...(url === null ? {} : { trustedformCertUrl: url }),
    ...(id === null ? {} : { jornayaLeadId: id }),
  };
}

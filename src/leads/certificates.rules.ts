// Finds certificates of consent under the names that the certificates' own scripts give to hidden fields of a form (contract 3.2).
import type { Members } from '../base/json.ts';
import type { ValidLead } from './lead-fields.ts';
import { isGiven, readText, readUrl, type Reading } from './lead-text.rules.ts';

/** By the standard name that they stand for. */
const scriptNames: Readonly<Record<string, readonly string[]>> = {
  trustedform_cert_url: ['xxTrustedFormCertUrl'],
  jornaya_lead_id: ['universal_leadid', 'leadid_token'],
};

/** The name that has a value; null for none. */
export function scriptNameIn(members: Members, field: string): string | null {
  return scriptNames[field]?.find((name) => isGiven({ body: members, errors: [] }, name)) ?? null;
}

const NAMES = Object.values(scriptNames).flat();

/**
 * The lead with the certificates that it does not have under their standard names. An unreadable value remains a further member, as it always
 * was. Changes the lead in place: most have no such member.
 */
export function withCertificates(lead: ValidLead): ValidLead {
  const { extra } = lead;
  if (!NAMES.some((name) => Object.hasOwn(extra, name))) return lead;
  const read = (field: string, reader: (reading: Reading, name: string) => string | null): string | null => {
    const name = scriptNameIn(extra, field);
    return name === null ? null : reader({ body: extra, errors: [] }, name);
  };
  const trustedformCertUrl = lead.trustedformCertUrl ?? read('trustedform_cert_url', readUrl);
  const jornayaLeadId = lead.jornayaLeadId ?? read('jornaya_lead_id', readText);
  return Object.assign(lead, { trustedformCertUrl, jornayaLeadId });
}

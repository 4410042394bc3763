// The proof of consent: what of a lead is kept beyond it, so that a call can be justified when the person is long erased (decision 021).
import type { LeadFields } from './lead-fields.ts';
import { withoutPerson } from './person-mask.rules.ts';

export type ConsentProof = Pick<
  LeadFields,
  | 'tcpaConsent'
  | 'consentTimestamp'
  | 'consentVersion'
  | 'consentText'
  | 'sourceFormUrl'
  | 'leadIp'
  | 'trustedformCertUrl'
  | 'jornayaLeadId'
>;

/** What stays to be read with a delivery when its lead is erased: that and when the person agreed, and to which wording (decision 026). */
export type ConsentFacts = Pick<LeadFields, 'tcpaConsent' | 'consentTimestamp' | 'consentVersion'>;

/** JSON of ConsentFacts. A version that names the person is left out. */
export function consentFactsText(fields: LeadFields): string {
  const { tcpaConsent, consentTimestamp, consentVersion } = fields;
  const isNameless = consentVersion !== null && withoutPerson(consentVersion, fields) === consentVersion;
  const facts: ConsentFacts = { tcpaConsent, consentTimestamp, consentVersion: isNameless ? consentVersion : null };
  return JSON.stringify(facts);
}

/** JSON; of every accepted lead, because that nobody agreed is to be proved, too. */
export function proofText(fields: LeadFields): string {
  const { tcpaConsent, consentTimestamp, consentVersion, consentText } = fields;
  const { sourceFormUrl, leadIp, trustedformCertUrl, jornayaLeadId } = fields;
  const proof: ConsentProof = {
    tcpaConsent,
    consentTimestamp,
    consentVersion,
    consentText,
    sourceFormUrl,
    leadIp,
    trustedformCertUrl,
    jornayaLeadId,
  };
  return JSON.stringify(proof);
}

/** The proof with the person taken out of its texts: a wording may name who agrees, and the address of a form what was filled in. */
export function proofWithoutPerson(text: string, person: LeadFields): string {
  const proof = JSON.parse(text) as ConsentProof;
  const masked = Object.entries(proof).map(([name, value]) => [
    name,
    typeof value === 'string' && name !== 'leadIp' && name !== 'consentTimestamp'
      ? withoutPerson(value, person)
      : value,
  ]);
  return JSON.stringify(Object.fromEntries(masked));
}

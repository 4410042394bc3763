// The consent proof of a lead, which is kept longer than the lead to justify calls (decision 021).
import type { LeadFields } from './lead-fields.ts';
import { maskIdentity } from './mask-identity.rules.ts';

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

/** Consent data that a delivery still shows after its lead was erased: whether, when and to which version (decision 026). */
export type ConsentFacts = Pick<LeadFields, 'tcpaConsent' | 'consentTimestamp' | 'consentVersion'>;

/** JSON of ConsentFacts. Omits a version that contains data of the person. */
export function consentFactsText(fields: LeadFields): string {
  const { tcpaConsent, consentTimestamp, consentVersion } = fields;
  const isAnonymous = consentVersion !== null && maskIdentity(consentVersion, fields) === consentVersion;
  const facts: ConsentFacts = { tcpaConsent, consentTimestamp, consentVersion: isAnonymous ? consentVersion : null };
  return JSON.stringify(facts);
}

/** JSON of ConsentProof. Stored for every accepted lead, because missing consent must be provable as well. */
export function consentProofText(fields: LeadFields): string {
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

/** Masks the person in the texts of a proof: the wording may contain a name, the form URL any input. */
export function maskProof(text: string, person: LeadFields): string {
  const proof = JSON.parse(text) as ConsentProof;
  const masked = Object.entries(proof).map(([name, value]) => [
    name,
    typeof value === 'string' && name !== 'leadIp' && name !== 'consentTimestamp' ? maskIdentity(value, person) : value,
  ]);
  return JSON.stringify(Object.fromEntries(masked));
}

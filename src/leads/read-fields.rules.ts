// Parses the fields of a stored lead; an erased lead has placeholder fields (decision 021).
import type { ConsentFacts } from './consent-proof.rules.ts';
import type { LeadFields } from './lead-fields.ts';
import { ERASED } from './mask-identity.rules.ts';

/** The fields of an erased lead, as partners see them. */
export const erasedFields: LeadFields = {
  fullName: ERASED,
  email: null,
  phone: null,
  businessName: null,
  state: null,
  debtAmountCents: null,
  source: null,
  consentTimestamp: null,
  sourceFormUrl: null,
  tcpaConsent: false,
  consentVersion: null,
  consentText: null,
  leadIp: null,
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  trustedformCertUrl: null,
  jornayaLeadId: null,
  appointmentAt: null,
  extra: {},
};

/** `text` is stored JSON, or null for an erased lead. `erasedConsent` is JSON of ConsentFacts, stored for an erased lead that was delivered. */
export function readFields(text: string | null, erasedConsent: string | null): LeadFields {
  if (text !== null) return JSON.parse(text) as LeadFields;
  return erasedConsent === null ? erasedFields : { ...erasedFields, ...(JSON.parse(erasedConsent) as ConsentFacts) };
}

// What a checked lead consists of; every later stage reads these names (contract 3.1, 3.2).
import type { JsonValue } from '../base/json-value.ts';

/**
 * The standard fields of a lead, trimmed and in one form each; null is "not given". Instants are ISO 8601 UTC with milliseconds and `Z`.
 */
export type LeadFields = {
  /** `full_name`, or the given ones of `first_name` and `last_name` joined by a space. */
  readonly fullName: string;
  readonly email: string | null;
  /** E.164. */
  readonly phone: string | null;
  readonly businessName: string | null;
  /** Two capitals: one of the regions that were taken when the lead came. */
  readonly state: string | null;
  readonly debtAmountCents: number | null;
  readonly source: string | null;
  readonly consentTimestamp: string | null;
  readonly sourceFormUrl: string | null;
  /** As given, else whether a `consentTimestamp` came. */
  readonly tcpaConsent: boolean;
  readonly consentVersion: string | null;
  readonly consentText: string | null;
  /** IPv4 or IPv6 text as sent; never the address of the supplier's server. */
  readonly leadIp: string | null;
  /** As given, else from the query of `sourceFormUrl`, else `source`. */
  readonly utmSource: string | null;
  readonly utmMedium: string | null;
  readonly utmCampaign: string | null;
  readonly utmTerm: string | null;
  readonly utmContent: string | null;
  readonly trustedformCertUrl: string | null;
  readonly jornayaLeadId: string | null;
  /** The wished slot of a booking. */
  readonly appointmentAt: string | null;
  /**
   * Every other member as received, in an object without prototype. It may hold any JSON, also NUL and lone surrogates in texts and names, so it
   * is stored as JSON text, never as `jsonb`. Who reads the body bounds its nesting: JSON.stringify fails from some 4,000 levels on.
   */
  readonly extra: Readonly<Record<string, JsonValue>>;
};

export type ValidLead = LeadFields & {
  readonly externalId: string | null;
  readonly test: boolean;
};

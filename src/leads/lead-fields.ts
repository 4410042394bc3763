// The fields of a validated lead (contract 3.1, 3.2).
import type { JsonValue } from '../base/json.ts';
import type { FieldType } from '../marketplace/vertical.schema.ts';

/** The value of an own field, with what the field was when the lead was posted. */
export type OwnValue = {
  readonly type: FieldType;
  /** As on the wire: an amount in units of the currency, a day `YYYY-MM-DD`, an instant in UTC, a phone number E.164. */
  readonly value: string | number | boolean;
  /** Absent if it is the name. */
  readonly label?: string;
  /** Not delivered to buyers. */
  readonly hidden?: true;
  readonly personal?: true;
};

/** By name, in the order of the vertical's fields. */
export type OwnFields = Readonly<Record<string, OwnValue>>;

/** The parts of the name that the supplier sent apart, with or without `full_name`; absent if it was not sent. */
export type NameParts = {
  readonly firstName?: string;
  readonly middleName?: string;
  readonly lastName?: string;
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
};

/**
 * The standard fields of a lead, trimmed and normalised; null if not given. Instants are ISO 8601 UTC with milliseconds and `Z`.
 */
export type LeadFields = NameParts & {
  /** `full_name`, or `first_name` and `last_name` joined by a space. */
  readonly fullName: string;
  readonly email: string | null;
  /** E.164. */
  readonly phone: string | null;
  readonly businessName: string | null;
  /** Two capitals: a region that was accepted at the time. */
  readonly state: string | null;
  readonly debtAmountCents: number | null;
  readonly source: string | null;
  readonly consentTimestamp: string | null;
  readonly sourceFormUrl: string | null;
  /** As given, else whether there is a `consentTimestamp`. */
  readonly tcpaConsent: boolean;
  readonly consentVersion: string | null;
  readonly consentText: string | null;
  /** IPv4 or IPv6 text as sent; never taken from the connection. */
  readonly leadIp: string | null;
  /** As given, else from the query of `sourceFormUrl`, else `source`. */
  readonly utmSource: string | null;
  readonly utmMedium: string | null;
  readonly utmCampaign: string | null;
  readonly utmTerm: string | null;
  readonly utmContent: string | null;
  readonly trustedformCertUrl: string | null;
  readonly jornayaLeadId: string | null;
  /** The requested slot of a booking. */
  readonly appointmentAt: string | null;
  /** The key of its vertical; absent for a lead that belongs to none. */
  readonly vertical?: string;
  /** Absent if its vertical has no fields. */
  readonly own?: OwnFields;
  /**
   * All other members as received, in an object without prototype. Names and texts may contain NUL, and those of earlier releases lone
   * surrogates, so it is stored as JSON text, never as `jsonb`. The HTTP server limits the nesting: JSON.stringify fails from some 4,000 levels on.
   */
  readonly extra: Readonly<Record<string, JsonValue>>;
};

export type ValidLead = LeadFields & {
  readonly externalId: string | null;
  readonly test: boolean;
  /** Present if the submission itself names its vertical. */
  readonly namesVertical?: boolean;
};

// How a submission was read: which of its own names became which field, with which value, and what was wrong with it (contract 3.1 to
// 3.3, 3.7).
import { isMembers, type Members } from '../base/members.ts';
import { formatCents } from '../base/money.ts';
import {
  applyFieldMapping,
  type CompiledFieldMapping,
  sourceOf,
  type StandardName,
  standardNames,
} from '../suppliers/field-mapping.rules.ts';
import { faultsOf, invalidFault, lengthFault } from './faults.rules.ts';
import type { LeadFields } from './lead-fields.ts';

export type ReadField = {
  readonly field: StandardName;
  /** The incoming name that it was taken from; null where it was not sent, or where the body is not kept whole. */
  readonly from: string | null;
  /** A constant of the mapping, whatever was sent. */
  readonly isConstant: boolean;
  /** The value as sent, as JSON text; null where there was none. */
  readonly sent: string | null;
  /** The value that the lead has; null where it has none, and for a submission that was refused. */
  readonly read: string | null;
  /** In the words of the answer. */
  readonly fault: string | null;
};

export type SubmissionReading = {
  /** Fields that something was sent for, or that have a value, or a fault. */
  readonly fields: ReadField[];
  /** Members that are kept with the lead and mean nothing to the service, by name. */
  readonly extra: string[];
};

export type SubmissionToRead = {
  /** The body as received, or its beginning; null where nothing of it is kept. */
  readonly rawBody: string | null;
  /** Null for a submission that was refused. */
  readonly fields: LeadFields | null;
  readonly externalId: string | null;
  readonly isTest: boolean;
  /** What it was refused for; null where it was accepted. */
  readonly refusal: string | null;
};

/** By the mapping that is in force now, which may be another than that of the day. */
export function readSubmission(submission: SubmissionToRead, mapping: CompiledFieldMapping): SubmissionReading {
  const body = membersOf(submission.rawBody);
  const mapped = body === null ? {} : applyFieldMapping(mapping, body);
  const constants = new Map(mapping.constants);
  const faults = new Set(submission.refusal === null ? [] : faultsOf(submission.refusal));
  const fields = standardNames.map((field): ReadField => {
    const isConstant = constants.has(field);
    const source = body === null || isConstant ? null : (sourceOf(mapping, field, body) ?? ownSource(field, mapped));
    const sent = isConstant ? constants.get(field) : source?.value;
    return {
      field,
      from: source?.name ?? null,
      isConstant: body !== null && isConstant,
      sent: body === null || sent === undefined ? null : JSON.stringify(sent),
      read: valueOf(field, submission),
      fault: [invalidFault(field), lengthFault(field)].find((fault) => faults.has(fault)) ?? null,
    };
  });
  const names: ReadonlySet<string> = new Set(standardNames);
  return {
    fields: fields.filter(({ sent, read, fault }) => sent !== null || read !== null || fault !== null),
    extra: Object.keys(mapped).filter((name) => !names.has(name)),
  };
}

/** Null for what is not there, and for the beginning of a body, which is no JSON; one that is kept whole is a JSON object. */
function membersOf(rawBody: string | null): Members | null {
  if (rawBody === null) return null;
  try {
    const body: unknown = JSON.parse(rawBody);
    return isMembers(body) ? body : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Under the standard name itself, where the mapping leaves that alone. */
function ownSource(field: StandardName, mapped: Members): { name: string; value: unknown } | null {
  return Object.hasOwn(mapped, field) ? { name: field, value: mapped[field] } : null;
}

/** Where each field is found in a stored lead. The parts of a name are in it as one. */
const STORED: Readonly<Record<Exclude<StandardName, 'external_id' | 'test' | 'debt_amount'>, keyof LeadFields | null>> =
  {
    full_name: 'fullName',
    first_name: null,
    last_name: null,
    email: 'email',
    phone: 'phone',
    business_name: 'businessName',
    state: 'state',
    source: 'source',
    consent_timestamp: 'consentTimestamp',
    source_form_url: 'sourceFormUrl',
    tcpa_consent: 'tcpaConsent',
    consent_version: 'consentVersion',
    consent_text: 'consentText',
    lead_ip: 'leadIp',
    utm_source: 'utmSource',
    utm_medium: 'utmMedium',
    utm_campaign: 'utmCampaign',
    utm_term: 'utmTerm',
    utm_content: 'utmContent',
    trustedform_cert_url: 'trustedformCertUrl',
    jornaya_lead_id: 'jornayaLeadId',
    appointment_at: 'appointmentAt',
  };

function valueOf(field: StandardName, { fields, externalId, isTest }: SubmissionToRead): string | null {
  if (field === 'external_id') return externalId;
  if (field === 'test') return isTest ? 'true' : null;
  if (fields === null) return null;
  if (field === 'debt_amount') return fields.debtAmountCents === null ? null : formatCents(fields.debtAmountCents);
  const name = STORED[field];
  const value = name === null ? null : fields[name];
  return value === null || typeof value === 'object' ? null : String(value);
}

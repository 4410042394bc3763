// Explains how a submission was read: the incoming member, value and error of each field (contract 3.1 to 3.3, 3.7).
import { isMembers, type Members } from '../base/json.ts';
import { withVisibleMarks } from '../base/text.ts';
import { formatCents } from '../base/money.ts';
import {
  applyFieldMapping,
  type CompiledFieldMapping,
  sourceOf,
  type StandardName,
  standardNames,
} from '../suppliers/field-mapping.rules.ts';
import {
  CONTACT_MISSING,
  invalidError,
  NAME_MISSING,
  requiredError,
  splitReason,
  tooLongError,
} from './field-errors.rules.ts';
import { scriptNameIn } from './certificates.rules.ts';
import type { LeadFields } from './lead-fields.ts';
import { VERTICAL_NAME } from './supplier-verticals.rules.ts';

export type ReadField = {
  /** A standard name, `vertical`, or the name of an own field. */
  readonly field: string;
  /** The incoming name of the field; null if it was not sent or the body is not stored in full. */
  readonly from: string | null;
  /** Set to a constant by the mapping. */
  readonly isConstant: boolean;
  /** The value as sent, as JSON text, with an error also with its invisible characters as `[U+202A]`; null if there was none. */
  readonly sent: string | null;
  /** The value of the lead; null if it has none, and for a rejected submission. */
  readonly read: string | null;
  /** As in the response. */
  readonly fault: string | null;
  /** Present if the value could not be read and counts as not sent, as the mapping says. */
  readonly isLeftOut?: true;
};

export type SubmissionReading = {
  /** Fields with a sent value, a value or an error. */
  readonly fields: ReadField[];
  /** Names of further members, which are stored with the lead. */
  readonly extra: string[];
};

export type SubmissionToRead = {
  /** The body as received, or its beginning; null if it is not stored. */
  readonly rawBody: string | null;
  /** Null for a rejected submission. */
  readonly fields: LeadFields | null;
  readonly externalId: string | null;
  readonly isTest: boolean;
  /** The reason of a rejection; null if accepted. */
  readonly refusal: string | null;
};

/** Uses the current mapping, which may differ from the one at the time. */
export function readSubmission(submission: SubmissionToRead, mapping: CompiledFieldMapping): SubmissionReading {
  const body = membersOf(submission.rawBody);
  const mapped = body === null ? {} : applyFieldMapping(mapping, body);
  const constants = new Map(mapping.constants);
  const errors = new Set(submission.refusal === null ? [] : splitReason(submission.refusal));
  const names = [...standardNames, ...ownNamesIn(submission)];
  const fields = names.map((field): ReadField => {
    const isConstant = constants.has(field);
    const source = body === null || isConstant ? null : (sourceOf(mapping, field, body) ?? ownSource(field, mapped));
    const sent = isConstant ? constants.get(field) : source?.value;
    const text = body === null || sent === undefined ? null : JSON.stringify(sent);
    const [read, fault] = [valueOf(field, submission), faultOf(field, errors)];
    const isUnread = submission.fields !== null && read === null && fault === null && sent !== undefined;
    return {
      field,
      from: source?.name ?? null,
      isConstant: body !== null && isConstant,
      sent: text === null || fault === null ? text : withVisibleMarks(text),
      ...{ read, fault, ...(isUnread && mapping.orNothing.has(field) ? { isLeftOut: true } : {}) },
    };
  });
  const known = new Set([...names, ...fields.flatMap(({ from }) => from ?? [])]);
  return {
    fields: fields.filter(({ sent, read, fault }) => sent !== null || read !== null || fault !== null),
    extra: Object.keys(mapped).filter((name) => !known.has(name)),
  };
}

/** `name required` and its like are errors of several fields together, and stand at the first of them. */
function faultOf(field: string, errors: ReadonlySet<string>): string | null {
  const own = [requiredError(field), invalidError(field), tooLongError(field), ...(OF_SEVERAL.get(field) ?? [])];
  return own.find((error) => errors.has(error)) ?? null;
}

const OF_SEVERAL: ReadonlyMap<string, readonly string[]> = new Map([
  ['full_name', [NAME_MISSING]],
  ['phone', [CONTACT_MISSING]],
]);

/** Those of a stored lead, or those that the reason of a rejection names: only the lead itself knows what its vertical was at the time. */
function ownNamesIn({ fields, refusal }: SubmissionToRead): string[] {
  const standard: ReadonlySet<string> = new Set(standardNames);
  const named = splitReason(refusal ?? '').flatMap((error) => OWN_ERROR.exec(error)?.[1] ?? []);
  const stored = fields?.vertical === undefined ? [] : [VERTICAL_NAME, ...Object.keys(fields.own ?? {})];
  return [...new Set([...stored, ...named])].filter((name) => !standard.has(name) && !GROUPS.has(name));
}

// `name required` is the error of several fields together.
const GROUPS: ReadonlySet<string> = new Set(['name']);
const OWN_ERROR = /^([a-z][a-z0-9_]*) (?:required|invalid|too long)$/;

/** The members of a body that is stored in full; null for none, and for the beginning of one, which is not JSON. */
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

/** The member with the standard name itself, or with that of a certificate's script, unless the mapping uses it. */
function ownSource(field: string, mapped: Members): { name: string; value: unknown } | null {
  const name = Object.hasOwn(mapped, field) ? field : scriptNameIn(mapped, field);
  return name === null ? null : { name, value: mapped[name] };
}

/** The member of a stored lead for each field. */
const STORED: Readonly<Record<Exclude<StandardName, 'external_id' | 'test' | 'debt_amount'>, keyof LeadFields>> = {
  full_name: 'fullName',
  first_name: 'firstName',
  last_name: 'lastName',
  middle_name: 'middleName',
  name_prefix: 'namePrefix',
  name_suffix: 'nameSuffix',
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

function isStored(field: string): field is keyof typeof STORED {
  return Object.hasOwn(STORED, field);
}

function valueOf(field: string, { fields, externalId, isTest }: SubmissionToRead): string | null {
  if (field === 'external_id') return externalId;
  if (field === 'test') return isTest ? 'true' : null;
  if (fields === null) return null;
  if (field === 'debt_amount') return fields.debtAmountCents === null ? null : formatCents(fields.debtAmountCents);
  if (field === VERTICAL_NAME) return fields.vertical ?? null;
  const own = fields.own?.[field];
  if (own !== undefined) return String(own.value);
  const name = isStored(field) ? STORED[field] : null;
  const value = name === null ? null : (fields[name] ?? null);
  return value === null || typeof value === 'object' ? null : String(value);
}

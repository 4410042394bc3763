// Validates and normalises a submission; a rejection reports all errors at once (contract 3.1 to 3.3).
import { isBlank, isWellFormedJson, plainText } from '../base/text.ts';
import { type JsonValue, newMembers, type Members } from '../base/json.ts';
import { centsOfNumber, parseCents } from '../base/money.ts';
import { parseInstant } from '../base/rfc3339.ts';
import { readRegion, type Regions } from '../base/regions.ts';
import { standardNames } from '../suppliers/field-mapping.rules.ts';
import type { Vertical } from '../marketplace/verticals.ts';
import { CONTACT_MISSING, ERROR_SEPARATOR, invalidError, NAME_MISSING } from './field-errors.rules.ts';
import type { LeadFields, NameParts, ValidLead } from './lead-fields.ts';
import {
  isGiven,
  isIpAddress,
  isLonger,
  readBoolean,
  readParsed,
  readPhoneNumber,
  readText,
  readUrl,
  TEXT_LENGTH_MAX,
  type Reading,
} from './lead-text.rules.ts';
import { readOwnFields } from './own-fields.rules.ts';
import { type SupplierVerticals, VERTICAL_NAME } from './supplier-verticals.rules.ts';
import { isEmail } from '../platform/contact/email.rules.ts';

export type LeadVerdict =
  | { readonly ok: true; readonly lead: ValidLead }
  | {
      readonly ok: false;
      /** The errors joined by `"; "`; they name fields, never values. */
      readonly reason: string;
      readonly externalId: string | null;
      readonly test: boolean;
    };

const STANDARD_NAMES: ReadonlySet<string> = new Set(standardNames);
const EARLIEST_MS = Date.UTC(2000, 0, 1);
// Tolerates a supplier's clock in another time zone or slightly ahead.
const CONSENT_AHEAD_MS = 24 * 60 * 60 * 1000;
// The length of an address is checked with its format, so that the error is `email invalid`.
const EMAIL_FORM = { lengthMax: Infinity, plain: plainText };
// Routing chooses a free slot near the requested one, so any instant of this century is valid.
const LATEST_APPOINTMENT_MS = Date.UTC(2100, 0, 1) - 1;

/** What a submission is checked by besides the fixed rules. */
export type PostingRules = {
  readonly regions: Regions;
  /** Null, the default, where the marketplace has no verticals. */
  readonly verticals?: SupplierVerticals | null;
};

/** `body` is the submission after the field mapping. Never throws for any JSON. */
export function validateLead(body: Members, { regions, verticals = null }: PostingRules, now: Date): LeadVerdict {
  const reading: Reading = { body, errors: [] };
  const externalId = readText(reading, 'external_id');
  const vertical = verticals === null ? NO_VERTICAL : findVertical(body, verticals);
  const fields = readFields(reading, { regions, vertical }, now);
  const test = readBoolean(reading, 'test') ?? false;
  const own = vertical.vertical === null ? null : readOwnFields(vertical.vertical, body);
  reading.errors.push(...(vertical.isValid ? (own?.errors ?? []) : [invalidError(VERTICAL_NAME)]));
  // Parts of a name are fields and further members.
  for (const error of illFormedMembers(fields.extra).map(invalidError))
    if (!reading.errors.includes(error)) reading.errors.push(error);

  const missing: string[] = [];
  if (!isGiven(reading, 'email') && !isGiven(reading, 'phone')) missing.push(CONTACT_MISSING);
  if (!isNameGiven(reading)) missing.push(NAME_MISSING);
  if (missing.length + reading.errors.length > 0) {
    return { ok: false, reason: [...missing, ...reading.errors].join(ERROR_SEPARATOR), externalId, test };
  }
  // The fields are new and not shared yet, and extending them is cheaper than copying.
  const lead: ValidLead = Object.assign(fields, { externalId, test });
  addFurther(lead, reading.further);
  if (vertical.vertical === null || own === null) return { ok: true, lead };
  addFurther(lead, own.further);
  const { key, fields: known } = vertical.vertical;
  const ofVertical = known.length === 0 ? { vertical: key } : { vertical: key, own: own.own };
  return { ok: true, lead: Object.assign(lead, ofVertical, vertical.isNamed ? { namesVertical: true } : {}) };
}

/** Members of the same name that the supplier sends stay. The extra members are new and not shared yet. */
function addFurther({ extra }: LeadFields, further: Reading['further']): void {
  if (further === undefined) return;
  const members = extra as Record<string, JsonValue>;
  for (const [name, value] of Object.entries(further)) if (!Object.hasOwn(members, name)) members[name] = value;
}

/** Reads in the order in which errors are reported. */
function readFields(
  reading: Reading,
  { regions, vertical }: { readonly regions: Regions; readonly vertical: FoundVertical },
  now: Date,
): LeadFields {
  const latestConsentMs = now.getTime() + CONSENT_AHEAD_MS;
  const { fullName, parts } = readName(reading);
  const email = readParsed(reading, 'email', (text) => (isEmail(text) ? text : null), EMAIL_FORM);
  const phone = readPhoneNumber(reading, 'phone');
  const businessName = readText(reading, 'business_name');
  const state = readParsed(reading, 'state', (text) => readRegion(text, regions));
  const debtAmountCents = readDebtAmount(reading);
  const source = readText(reading, 'source');
  const consentTimestamp = readParsed(reading, 'consent_timestamp', (text) => isoUntil(text, latestConsentMs));
  const sourceFormUrl = readUrl(reading, 'source_form_url');
  const fields: LeadFields = {
    fullName,
    email,
    phone,
    businessName,
    state,
    debtAmountCents,
    source,
    consentTimestamp,
    sourceFormUrl,
    tcpaConsent: readBoolean(reading, 'tcpa_consent') ?? consentTimestamp !== null,
    consentVersion: readText(reading, 'consent_version'),
    consentText: readText(reading, 'consent_text'),
    leadIp: readParsed(reading, 'lead_ip', (text) => (isIpAddress(text) ? text : null)),
    utmSource: readText(reading, 'utm_source') ?? utmSourceInUrl(sourceFormUrl) ?? source,
    utmMedium: readText(reading, 'utm_medium'),
    utmCampaign: readText(reading, 'utm_campaign'),
    utmTerm: readText(reading, 'utm_term'),
    utmContent: readText(reading, 'utm_content'),
    trustedformCertUrl: readUrl(reading, 'trustedform_cert_url'),
    jornayaLeadId: readText(reading, 'jornaya_lead_id'),
    appointmentAt: readParsed(reading, 'appointment_at', (text) => isoUntil(text, LATEST_APPOINTMENT_MS)),
    extra: extraMembers(reading, vertical.vertical),
  };
  return parts === null ? fields : Object.assign(fields, parts);
}

type FoundVertical = {
  /** Null if the lead belongs to none, or names an invalid one. */
  readonly vertical: Vertical | null;
  readonly isValid: boolean;
  /** Whether the submission names it, instead of the supplier's default. */
  readonly isNamed: boolean;
};

const NO_VERTICAL: FoundVertical = { vertical: null, isValid: true, isNamed: false };

/** The vertical that the body names, else the supplier's default, which may be closed (contract 14.2). */
function findVertical(body: Members, { byDefault, open }: SupplierVerticals): FoundVertical {
  const reading: Reading = { body, errors: [] };
  const isNamed = isGiven(reading, VERTICAL_NAME);
  const key = isNamed ? readText(reading, VERTICAL_NAME) : byDefault;
  if (!isNamed && key === null) return NO_VERTICAL;
  const vertical = (key === null ? undefined : open.get(key)) ?? null;
  return { vertical, isValid: vertical !== null, isNamed };
}

function isOwn(name: string, vertical: Vertical | null): boolean {
  if (vertical === null) return false;
  return name === VERTICAL_NAME || namesOf(vertical).has(name);
}

const names = new WeakMap<Vertical, ReadonlySet<string>>();

function namesOf(vertical: Vertical): ReadonlySet<string> {
  let found = names.get(vertical);
  if (found === undefined) names.set(vertical, (found = new Set(vertical.fields.map(({ name }) => name))));
  return found;
}

/** The length limit applies to each part, not to the joined name. `parts` is null if none was sent, which is the case for most leads. */
function readName(reading: Reading): { readonly fullName: string; readonly parts: NameParts | null } {
  const full = readText(reading, 'full_name');
  const first = readText(reading, 'first_name');
  const last = readText(reading, 'last_name');
  const middle = readText(reading, 'middle_name');
  const prefix = readText(reading, 'name_prefix');
  const suffix = readText(reading, 'name_suffix');
  const fullName = full ?? (first === null || last === null ? (first ?? last ?? '') : `${first} ${last}`);
  if (first === null && last === null && middle === null && prefix === null && suffix === null) {
    return { fullName, parts: null };
  }
  const parts = {
    ...(first === null ? {} : { firstName: first }),
    ...(middle === null ? {} : { middleName: middle }),
    ...(last === null ? {} : { lastName: last }),
    ...(prefix === null ? {} : { namePrefix: prefix }),
    ...(suffix === null ? {} : { nameSuffix: suffix }),
  };
  return { fullName, parts };
}

function isNameGiven(reading: Reading): boolean {
  return isGiven(reading, 'full_name') || isGiven(reading, 'first_name') || isGiven(reading, 'last_name');
}

/** In cents. Text in the strict format of amounts, or a number with the same value. */
function readDebtAmount(reading: Reading): number | null {
  const value = Object.hasOwn(reading.body, 'debt_amount') ? reading.body['debt_amount'] : null;
  if (typeof value === 'number') {
    const cents = centsOfNumber(value);
    // Adding 0 turns JSON's -0 into 0.
    if (cents !== null && cents >= 0) return cents + 0;
  }
  return readParsed(reading, 'debt_amount', parseCents);
}

function isoUntil(text: string, latestMs: number): string | null {
  const at = parseInstant(text);
  return at === null || at < EARLIEST_MS || at > latestMs ? null : new Date(at).toISOString();
}

/** The `utm_source` in the query of a URL. An invalid one is ignored, because the supplier did not send it as a field. */
function utmSourceInUrl(url: string | null): string | null {
  const query = url === null ? -1 : url.indexOf('?');
  if (url === null || query === -1) return null;
  // Most queries do not contain it, literally or percent-encoded.
  if (!url.includes('utm_source', query) && !url.includes('%', query)) return null;
  const value = new URL(url).searchParams.get('utm_source');
  if (value === null || value.includes('\0')) return null;
  const text = value.trim();
  return isBlank(text) || isLonger(text, TEXT_LENGTH_MAX) ? null : text;
}

/** All members that are neither standard nor own fields, as received; with `full_name`, also `first_name` and `last_name`. */
function extraMembers(reading: Reading, vertical: Vertical | null): LeadFields['extra'] {
  const { body } = reading;
  const extra = newMembers();
  for (const name of Object.keys(body)) {
    if (!STANDARD_NAMES.has(name) && !isOwn(name, vertical)) extra[name] = body[name];
  }
  if (isGiven(reading, 'full_name')) {
    for (const name of ['first_name', 'last_name']) {
      if (isGiven(reading, name)) extra[name] = body[name];
    }
  }
  // The body was parsed from JSON.
  return extra as LeadFields['extra'];
}

const SHOWN_MAX = 20;
const SHOWN_LENGTH_MAX = 100;

/**
 * Names of further members that hold text which is not well-formed Unicode, at any depth, or are named by such text (contract 1.6). A name is
 * escaped as in JSON, and so is the semicolon, which separates errors.
 */
function illFormedMembers(extra: LeadFields['extra']): string[] {
  const found: string[] = [];
  for (const name in extra) {
    if (name.isWellFormed() && isWellFormedJson(extra[name])) continue;
    found.push(
      JSON.stringify(name.slice(0, SHOWN_LENGTH_MAX))
        .slice(1, -1)
        .replaceAll(';', String.raw`\u003b`),
    );
    if (found.length === SHOWN_MAX) break;
  }
  return found;
}

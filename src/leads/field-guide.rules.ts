// Meaning, format and maximum length of each field of a submission, for the documentation, rejected suppliers and the posting specification
// (contract 3.1 to 3.3). A test compares all of it with the validation.
import { type Country, regionNames, type Regions } from '../base/regions.ts';
import type { StandardName } from '../suppliers/field-mapping.rules.ts';
import { EMAIL_LENGTH_MAX } from '../platform/contact/email.rules.ts';
import { invalidError, tooLongError } from './field-errors.rules.ts';
import { TEXT_LENGTH_MAX, URL_LENGTH_MAX } from './lead-text.rules.ts';
import type { LeadFields } from './lead-fields.ts';

export type FieldGuide = {
  readonly meaning: string;
  readonly type: 'text' | 'URL' | 'time' | 'amount' | 'true or false';
  /** How to write a valid value, as an instruction. */
  readonly format: string;
  /** In characters; null if it is not a text. */
  readonly lengthMax: number | null;
  /** A valid value, before any mapping. Times are placeholders. */
  readonly example: string | boolean;
};

export const ANY_TEXT = 'Send text without NUL characters.';
const URL_FORMAT = 'Send a whole URL that begins with http:// or https://, without spaces or backslashes.';
const BOOLEAN_FORMAT = 'Send the JSON value true or false, without quotes.';

const text = (meaning: string, example: string, format: string = ANY_TEXT): FieldGuide => ({
  ...{ meaning, format, example },
  type: 'text',
  lengthMax: TEXT_LENGTH_MAX,
});
const url = (meaning: string, example: string): FieldGuide => ({
  ...{ meaning, example },
  type: 'URL',
  format: URL_FORMAT,
  lengthMax: URL_LENGTH_MAX,
});
const time = (meaning: string, format: string): FieldGuide => ({
  ...{ meaning, format },
  type: 'time',
  lengthMax: TEXT_LENGTH_MAX,
  example: '2026-11-20T17:03:11Z',
});
const flag = (meaning: string): FieldGuide => ({
  meaning,
  type: 'true or false',
  format: BOOLEAN_FORMAT,
  lengthMax: null,
  example: true,
});

export const fieldGuide: Readonly<Record<StandardName, FieldGuide>> = {
  external_id: text(
    'Your own identifier of the lead. A repeated submission with the same identifier and content is the same lead.',
    'A-1001',
  ),
  full_name: text('A name is required: this, or first_name and last_name.', 'Jordan Rivera'),
  first_name: text('Delivered as sent. With last_name it is the name if full_name is missing.', 'Jordan'),
  last_name: text('Delivered as sent. With first_name it is the name if full_name is missing.', 'Rivera'),
  middle_name: text('Delivered as sent, beside first_name and last_name.', 'Ann'),
  name_prefix: text('A title, delivered as sent.', 'Dr.'),
  name_suffix: text('What follows the last name, delivered as sent.', 'Jr.'),
  email: {
    ...text(
      'Email or phone is required.',
      'jordan.rivera@example.com',
      'Send one address in plain ASCII, such as name@example.com: at most 64 characters before the @, no dot at either end or beside another, and a domain with a dot in it.',
    ),
    lengthMax: EMAIL_LENGTH_MAX,
  },
  phone: text(
    'International format with leading +.',
    '+15555550123',
    'Send + and the country code, then 7 to 15 digits in all, such as +15555550123. Spaces, - . ( ) are allowed between digits, and an extension such as x4 behind them.',
  ),
  business_name: text('Name of the business, if any.', 'Rivera Tiling'),
  state: text(
    'Two-letter code of a US state or territory, or of a Canadian province or territory, unless the marketplace accepts other regions.',
    'CA',
    'Send two letters of the regions that your posting specification names.',
  ),
  debt_amount: {
    meaning: 'Numeric text with at most two decimals, or a number.',
    type: 'amount',
    format:
      'Send digits only, with a point and one or two decimals at most: 24500 or 24500.50. No currency, no commas.',
    lengthMax: TEXT_LENGTH_MAX,
    example: '24500',
  },
  source: text('Campaign or source label.', 'search-debt-west'),
  consent_timestamp: time(
    'RFC 3339 with seconds and offset.',
    'Send date, time with seconds, and Z or an offset: 2026-11-20T17:03:11Z. Not before 2000, at most a day ahead.',
  ),
  source_form_url: url(
    'URL of the form where the lead was captured.',
    'https://forms.example.com/debt?utm_source=search',
  ),
  tcpa_consent: flag(
    'Whether the person consented to be called. If it is missing, a consent_timestamp implies consent.',
  ),
  consent_version: text('Version of the consent wording.', 'v3'),
  consent_text: text('The consent wording itself.', 'I agree to be called about debt relief.'),
  lead_ip: text(
    "The person's IP address.",
    '203.0.113.20',
    'Send one IPv4 address of four decimal numbers, or one IPv6 address without a zone.',
  ),
  utm_source: text('Campaign parameter.', 'search'),
  utm_medium: text('Campaign parameter.', 'cpc'),
  utm_campaign: text('Campaign parameter.', 'west-autumn'),
  utm_term: text('Campaign parameter.', 'debt relief'),
  utm_content: text('Campaign parameter.', 'banner-a'),
  trustedform_cert_url: url(
    'TrustedForm certificate. Also read under xxTrustedFormCertUrl, as its script names it.',
    'https://cert.trustedform.com/0123456789abcdef',
  ),
  jornaya_lead_id: text(
    'Jornaya LeadiD. Also read under universal_leadid and leadid_token, as its script names it.',
    '01234567-89AB-CDEF-0123-456789ABCDEF',
  ),
  appointment_at: time(
    'Requested start of the appointment of a booked call, RFC 3339.',
    'Send date, time with seconds, and Z or an offset: 2026-11-24T18:30:00Z. From 2000 to 2099.',
  ),
  test: flag('Marks a test lead: it is validated and scored, and its routing is simulated. It is never sold.'),
};

const REGION_PHRASES: Readonly<Record<Country, string>> = {
  US: 'of a US state, of DC, of a territory (AS GU MP PR VI) or of AA AE AP',
  CA: `of a Canadian province or territory (${Object.keys(regionNames(['CA'])).join(' ')})`,
};

/** The guide to `state` for the accepted regions. */
export function stateGuide(regions: Regions): FieldGuide {
  const format =
    regions === 'any'
      ? 'Send the two letters of a region; any two are taken.'
      : `Send the two letters ${regions.map((country) => REGION_PHRASES[country]).join(', or ')}.`;
  const meaning =
    regions === 'any' ? 'Two-letter region code.' : 'Two-letter code of the region where the person lives.';
  return { ...fieldGuide.state, meaning, format };
}

/** The errors that a field can have, as in the response. */
export function possibleErrors(name: StandardName): string[] {
  const hasLengthError = fieldGuide[name].lengthMax !== null && name !== 'email';
  return hasLengthError ? [invalidError(name), tooLongError(name)] : [invalidError(name)];
}

/** Required fields: one of each group must be given. */
export const neededFields: ReadonlyArray<{ readonly oneOf: readonly StandardName[]; readonly words: string }> = [
  { oneOf: ['email', 'phone'], words: 'An email address or a phone number.' },
  { oneOf: ['full_name', 'first_name', 'last_name'], words: 'A name.' },
];

/** Fields that most buyers filter on: name in a submission, and member of a stored lead. */
export const keyFields = {
  phone: 'phone',
  email: 'email',
  state: 'state',
  debt_amount: 'debtAmountCents',
  consent_timestamp: 'consentTimestamp',
  source_form_url: 'sourceFormUrl',
} as const satisfies Partial<Record<StandardName, keyof LeadFields>>;

/** Names of the key fields that a lead does not have. */
export function missingKeyFields(fields: LeadFields): string[] {
  return Object.entries(keyFields).flatMap(([name, stored]) => (fields[stored] === null ? [name] : []));
}

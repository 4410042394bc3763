// Masks personal data in responses to operators whose role may not read it (decision 030).

/** The placeholder, so that "masked" and "missing" differ. */
export const MASK = '•••';

/** Members with personal data, masked at any depth and with any value. */
const PERSONAL: ReadonlySet<string> = new Set([
  ...[
    'fullName',
    'firstName',
    'middleName',
    'lastName',
    'namePrefix',
    'nameSuffix',
    'businessName',
    'email',
    'phone',
    'leadIp',
    'ip',
  ],
  ...['rawBody', 'extra', 'consentText', 'sourceFormUrl', 'trustedformCertUrl', 'jornayaLeadId'],
  ...['evidenceUrl', 'responseSnippet', 'buyerReference', 'notificationEmail', 'ccEmails', 'smsNumber'],
]);

/** Free-text members, in which the names that the same response contains are masked. */
const SENTENCES: ReadonlySet<string> = new Set([
  'statement',
  'note',
  'detail',
  'error',
  'reason',
  'message',
  'description',
]);

/** Texts of suppliers about where a lead comes from, in which some put its contact: masked are names of the same response, and numbers. */
const TAGS: ReadonlySet<string> = new Set([
  ...['externalId', 'source', 'campaign'],
  ...['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'],
]);

const EMAIL = /[^\s"'<>()[\]:;,=/?&]{1,64}@[^\s"'<>()[\]:;,=/?&]{1,255}/gu;
/** With a plus, or in a North American format; dates and amounts do not match. */
const PHONE = /\+\d[\d ().-]{6,20}\d|(?<![\w-])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?!\w)/g;
/** Digits alone: a North American number in a tag, where other ids stand as well, and any run of so many in a sentence. */
const BARE_NUMBER = /(?<!\d)1?[2-9]\d{2}[2-9]\d{6}(?!\d)/g;
const BARE_DIGITS = /(?<!\d)\d{10,15}(?!\d)/g;
const IPV4 = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g;
const IPV6 =
  /(?<![\w:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|[0-9a-f]{0,4}(?::[0-9a-f]{1,4}){0,6}::[0-9a-f:]{0,34})(?![\w:])/gi;
/** Matching shorter parts of a name would mask half of a sentence. */
const SHORTEST_NAME = 3;

/** Returns a masked copy of a parsed JSON value. `further` names additional members with personal data in this response. */
export function maskPersonalData(value: unknown, further: readonly string[] = []): unknown {
  const personal = new Set([...PERSONAL, ...further]);
  const names = namePattern(valuesUnder(value, personal));
  return maskCopy(value, '', { personal, names });
}

type Masking = {
  readonly personal: ReadonlySet<string>;
  /** Anywhere in a text, and as whole words. */
  readonly names: { readonly anywhere: RegExp; readonly words: RegExp } | null;
};

function maskCopy(value: unknown, member: string, masking: Masking): unknown {
  if (masking.personal.has(member)) return maskedValue(value);
  if (typeof value === 'string') return maskText(value, member, masking);
  if (Array.isArray(value)) return value.map((item) => maskCopy(item, member, masking));
  if (value === null || typeof value !== 'object') return value;
  // An own field of a lead says itself whether it is personal.
  const isPersonal = 'personal' in value && value.personal === true;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isPersonal && name === 'value' ? maskedOwn(inner) : maskCopy(inner, name, masking),
    ]),
  );
}

/** In the trace an own value has no type of its own. */
function maskedOwn(value: unknown): unknown {
  return value === null ? null : MASK;
}

/** Of the same type as the value, so that the response still fits its schema. */
function maskedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedValue);
  if (typeof value === 'string') return MASK;
  if (typeof value === 'number') return 0;
  return value === null || typeof value !== 'object' ? value : {};
}

function maskText(text: string, member: string, { names }: Masking): string {
  const plain = text.replace(EMAIL, MASK).replace(PHONE, MASK).replace(IPV4, MASK).replace(IPV6, MASK);
  if (TAGS.has(member)) {
    const numberless = plain.replace(BARE_NUMBER, MASK);
    return names === null ? numberless : numberless.replace(names.words, MASK);
  }
  if (!SENTENCES.has(member)) return plain;
  const numberless = plain.replace(BARE_DIGITS, MASK);
  return names === null ? numberless : numberless.replace(names.anywhere, MASK);
}

function valuesUnder(value: unknown, personal: ReadonlySet<string>, isInside = false): string[] {
  if (typeof value === 'string') return isInside ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    valuesUnder(inner, personal, isInside || (personal.has(name) && name !== 'rawBody')),
  );
}

function namePattern(values: readonly string[]): Masking['names'] {
  const words = values
    .flatMap((value) => [value, ...value.split(/[\s,;]+/)])
    .filter((word) => word.length >= SHORTEST_NAME && word.length <= 200);
  if (words.length === 0) return null;
  // The longest first, because replacing a part of a name first would leave the rest.
  const unique = [...new Set(words)].toSorted((one, other) => other.length - one.length).slice(0, 500);
  const any = unique.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('|');
  return {
    anywhere: new RegExp(any, 'giu'),
    words: new RegExp(String.raw`(?<!\p{L})(?:${any})(?!\p{L})`, 'giu'),
  };
}

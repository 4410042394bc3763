// Takes persons out of an answer for operators whose role does not let them see any (decision 030).

/** Stands where something was, so that "masked" and "not there" differ. */
export const MASK = '•••';

/** What a lead says of its person, wherever it stands and whatever it holds. */
const PERSONAL: ReadonlySet<string> = new Set([
  ...['fullName', 'firstName', 'lastName', 'businessName', 'email', 'phone', 'leadIp', 'ip'],
  ...['rawBody', 'extra', 'consentText', 'sourceFormUrl', 'trustedformCertUrl', 'jornayaLeadId'],
  ...['evidenceUrl', 'responseSnippet', 'notificationEmail', 'ccEmails', 'smsNumber'],
]);

/** What people write in sentences: the names that the same answer holds are taken out of it. */
const SENTENCES: ReadonlySet<string> = new Set([
  'statement',
  'note',
  'detail',
  'error',
  'reason',
  'message',
  'description',
]);

const EMAIL = /[^\s"'<>()[\]:;,=/?&]{1,64}@[^\s"'<>()[\]:;,=/?&]{1,255}/gu;
/** With a plus, or as it is written in North America; a date and an amount are neither. */
const PHONE = /\+\d[\d ().-]{6,20}\d|(?<![\w-])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?!\w)/g;
const IPV4 = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g;
const IPV6 =
  /(?<![\w:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|[0-9a-f]{0,4}(?::[0-9a-f]{1,4}){0,6}::[0-9a-f:]{0,34})(?![\w:])/gi;
/** A search for shorter parts of a name would take out half of a sentence. */
const SHORTEST_NAME = 3;

/** A copy of a parsed JSON value. `further` names members that hold a name in this answer alone. */
export function maskPersonalData(value: unknown, further: readonly string[] = []): unknown {
  const personal = new Set([...PERSONAL, ...further]);
  const names = namePattern(valuesUnder(value, personal));
  return copy(value, '', { personal, names });
}

type Masking = { readonly personal: ReadonlySet<string>; readonly names: RegExp | null };

function copy(value: unknown, member: string, masking: Masking): unknown {
  if (masking.personal.has(member)) return masked(value);
  if (typeof value === 'string') return textWithout(value, member, masking);
  if (Array.isArray(value)) return value.map((item) => copy(item, member, masking));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copy(inner, name, masking)]));
}

/** Of the same type, so that whoever reads the answer still can. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value === 'string') return MASK;
  if (typeof value === 'number') return 0;
  return value === null || typeof value !== 'object' ? value : {};
}

function textWithout(text: string, member: string, { names }: Masking): string {
  const plain = text.replace(EMAIL, MASK).replace(PHONE, MASK).replace(IPV4, MASK).replace(IPV6, MASK);
  return names !== null && SENTENCES.has(member) ? plain.replace(names, MASK) : plain;
}

function valuesUnder(value: unknown, personal: ReadonlySet<string>, isInside = false): string[] {
  if (typeof value === 'string') return isInside ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    valuesUnder(inner, personal, isInside || (personal.has(name) && name !== 'rawBody')),
  );
}

function namePattern(values: readonly string[]): RegExp | null {
  const words = values
    .flatMap((value) => [value, ...value.split(/[\s,;]+/)])
    .filter((word) => word.length >= SHORTEST_NAME && word.length <= 200);
  if (words.length === 0) return null;
  // The longest first, or a part of a name would leave the rest behind.
  const unique = [...new Set(words)].toSorted((one, other) => other.length - one.length).slice(0, 500);
  return new RegExp(unique.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('|'), 'giu');
}

// Reads an e-mail address or a phone number as ingest does (contract 3.3, 6).
import parsePhoneNumber from 'libphonenumber-js/max';

// The address syntax of HTML forms with at least one dot in the domain: ASCII, and each label as DNS has it.
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;
// Plus, 7 to 15 ASCII digits, no leading 0, and nothing but these marks between two digits.
const WRITTEN_PHONE = /^\+[1-9](?:[ \-.()]*\d){6,14}$/;
const E164 = /^\+[1-9]\d{6,14}$/;

/** ASCII, one `@`, a dot in the domain. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** Trimmed text → E.164 where the number is possible for its country; null for anything else. */
export function readPhone(text: string): string | null {
  if (!WRITTEN_PHONE.test(text)) return null;
  const parsed = parsePhoneNumber(`+${text.replaceAll(/[^0-9]/g, '')}`);
  // A trunk prefix after the country code has been dropped by now, so the length is checked once more.
  return parsed?.isPossible() === true && E164.test(parsed.number) ? parsed.number : null;
}

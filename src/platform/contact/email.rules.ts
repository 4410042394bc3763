// Checks the form of an email address: the strict one for new data, and a loose one for stored data (contract 3.3).

export const EMAIL_LENGTH_MAX = 254;
const LOCAL_LENGTH_MAX = 64;
// RFC 5322 calls these characters atext; a local part is words of them with single dots between, and no quotes or comments.
const DOT_ATOM = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
// A last label of digits alone would be the end of an IP address.
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`);

/** ASCII: a dot-atom of at most 64 characters, `@`, a domain of two or more labels; at most 254 characters in all. */
export function isEmail(text: string): boolean {
  if (text.length > EMAIL_LENGTH_MAX) return false;
  const at = text.indexOf('@');
  if (at < 1 || at > LOCAL_LENGTH_MAX) return false;
  return DOT_ATOM.test(text.slice(0, at)) && DOMAIN.test(text.slice(at + 1));
}

/** Any text with one `@` inside and no white space: leads stored under an older rule and rejected submissions have such addresses. */
export function resemblesEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/u.test(text);
}

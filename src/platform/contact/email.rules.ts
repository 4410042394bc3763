// Whether a text is an e-mail address as the service takes them (contract 3.3).

// The address syntax of HTML forms with at least one dot in the domain: ASCII, and each label as DNS has it.
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;

/** ASCII, one `@`, a dot in the domain. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

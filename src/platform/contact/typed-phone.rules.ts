// Parses phone numbers as operators type them in a search: with or without a country code, with any marks between the digits.
import { readPhone } from './phone.rules.ts';

const TYPED = /^(?=\D*\d)[\d\s()+.\-–—/]+$/;
/** With this many digits or more a leading zero is a dialling prefix; shorter input is the end of a number. */
const WHOLE = 9;
const NATIONAL = 10;

/** Whether the text has only digits and the marks that separate them. */
export function isTypedNumber(text: string): boolean {
  return TYPED.test(text);
}

/** The digits without a national or international dialling prefix. */
export function dialledDigits(text: string): string {
  const all = text.replaceAll(/\D+/g, '');
  const isDialled = !text.startsWith('+') && all.length >= WHOLE;
  return isDialled ? all.replace(/^(?:011(?=\d{11})|0+)/, '') : all;
}

/**
 * `(312) 554-0166`, `312.554.0166`, `1 312 554 0166`, `011 44 20 7946 0958` → E.164. Ten digits are a North American number. Null when the
 * text cannot be a number, or begins with a single zero: that is a national number whose country is unknown.
 */
export function readTypedPhone(text: string): string | null {
  const typed = text.normalize('NFKC').trim();
  if (!isTypedNumber(typed)) return null;
  if (typed.lastIndexOf('+') > 0) return null;
  const digits = dialledDigits(typed);
  if (typed.startsWith('+')) return readPhone(`+${digits}`);
  const all = typed.replaceAll(/\D+/g, '');
  if (all.startsWith('0') && !all.startsWith('00') && all === `0${digits}`) return null;
  return readPhone(digits.length === NATIONAL ? `+1${digits}` : `+${digits}`);
}

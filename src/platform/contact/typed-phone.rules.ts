// Phone numbers as people type them when they look for somebody: with or without their country, with any marks between the digits.
import { readPhone } from './phone.rules.ts';

const TYPED = /^(?=\D*\d)[\d\s()+.\-–—/]+$/;
/** From so many digits on, a leading zero is one that is dialled; fewer are the end of a number. */
const WHOLE = 9;
const NATIONAL = 10;

/** Whether the text is nothing but digits and what stands between them. */
export function isTypedNumber(text: string): boolean {
  return TYPED.test(text);
}

/** The digits without what is dialled before a whole number, from within its country or from another one: that is no part of it. */
export function dialledDigits(text: string): string {
  const all = text.replaceAll(/\D+/g, '');
  const isDialled = !text.startsWith('+') && all.length >= WHOLE;
  return isDialled ? all.replace(/^(?:011(?=\d{11})|0+)/, '') : all;
}

/**
 * `(312) 554-0166`, `312.554.0166`, `1 312 554 0166`, `011 44 20 7946 0958` → E.164. Ten digits are a number of North America; one that begins with a
 * single zero is dialled within a country that is not known, and null, as is whatever cannot be a number.
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

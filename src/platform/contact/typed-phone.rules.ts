// Recognises phone numbers, whole or in part, as people type them in a search box, with any marks between the digits.

const TYPED = /^(?=\D*\d)[\d\s()+.\-–—/]+$/;
/** With this many digits or more a leading zero is a dialling prefix; shorter input is the end of a number. */
const WHOLE = 9;

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

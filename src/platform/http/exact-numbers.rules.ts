// Preserves JSON numbers that a double cannot hold, so that they are stored and compared as sent (contract 3.1, 3.6): ids of 19 digits are
// common, and two of them may round to the same double.

/** Methods of JSON that TypeScript does not declare yet. */
type JsonWithSource = {
  parse(
    text: string,
    revive: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  /** Returns an object that JSON.stringify writes as this exact text. */
  rawJSON(number: string): object;
};
const json = JSON as unknown as JsonWithSource;

// A number with 16 digits or an exponent; up to 15 digits are always exact. A match inside a string only costs time.
const SUSPICIOUS = /[:,[\s]-?(?:[\d.]{16}|\d[\d.]*[eE])/;

/** Whether `withExactNumbers` could change anything; false for nearly every text. */
export function mayHoldInexactNumbers(text: string): boolean {
  return SUSPICIOUS.test(text);
}

/**
 * Parses a JSON text, with an object in place of each number that a double would change; JSON.stringify writes it as sent. The text must be
 * valid, without infinite numbers, and nested so little that recursion is safe.
 */
export function withExactNumbers(text: string): unknown {
  return json.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && canonical(source) !== canonical(String(value))
      ? json.rawJSON(source)
      : value,
  );
}

/** `-12.50e3` → `-|125|2`: sign, digits without zeros at either end, power of ten. Equal for equal numbers only. */
function canonical(number: string): string {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + part).replace(/^0+/, '');
  const kept = digits.slice(0, lengthWithoutZeros(digits));
  if (kept === '') return '0';
  return `${sign}|${kept}|${Number(power) - part.length + digits.length - kept.length}`;
}

/** Counts from the end: a pattern such as 0+$ would start again at every zero in a long number. */
function lengthWithoutZeros(digits: string): number {
  let length = digits.length;
  while (length > 0 && digits[length - 1] === '0') length -= 1;
  return length;
}

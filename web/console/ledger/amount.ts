// Parses typed amounts and adds amounts exactly. Pure.

/** Parses `1,234.5`, `-12` or `$ 40.00` with at most two decimals; null for anything else. */
export function readAmount(text: string): number | null {
  const plain = text
    .trim()
    .replace(/^([+-]?)\s*\$\s*/, '$1')
    .replace('−', '-');
  if (!/^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{1,2})?$/.test(plain)) return null;
  const amount = Number(plain.replaceAll(',', ''));
  return Math.abs(amount) < 1e9 ? amount : null;
}

/** Exact for amounts with two decimals. */
export function sumOf(one: number, other: number): number {
  return (Math.round(one * 100) + Math.round(other * 100)) / 100;
}

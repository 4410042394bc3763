// Converts money between whole cents, used inside, and numbers with at most two decimals on the wire (contract 1.2). No decision uses float
// arithmetic.

/** Text of up to nine whole digits and two decimals → cents; null for anything else. */
export function parseCents(text: string): number | null {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text);
  if (match === null) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

/** Text with an optional sign → cents; null for anything else. For amounts that an operator types. */
export function parseSignedCents(text: string): number | null {
  const negative = text.startsWith('-');
  const cents = parseCents(negative ? text.slice(1) : text);
  // Avoids JavaScript's -0.
  return cents === null ? null : negative ? 0 - cents : cents;
}

/** A JSON or YAML number with at most two decimals → cents; null when it has more decimals or is too large. */
export function centsOfNumber(amount: number): number | null {
  if (!Number.isFinite(amount) || Math.abs(amount) >= 1e9) return null;
  const cents = Math.round(amount * 100) + 0;
  // Only the nearest double of cents/100 can stand for two decimals.
  return cents / 100 === amount ? cents : null;
}

/** A checked amount → cents. */
export function centsOf(amount: number): number {
  return Math.round(amount * 100);
}

/** Cents → the wire's number, e.g. 4500 → 45, 4550 → 45.5. Division by 100 gives the nearest double of the decimal. */
export function wireAmount(cents: number): number {
  return cents / 100;
}

/** Cents → text with two decimals, e.g. -4550 → "-45.50". */
export function formatCents(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100);
  const part = String(Math.abs(cents) % 100).padStart(2, '0');
  return `${cents < 0 ? '-' : ''}${whole}.${part}`;
}

/** Cents → text for display, e.g. 450000 in USD → "$4,500.00". */
export function formatMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(wireAmount(cents));
}

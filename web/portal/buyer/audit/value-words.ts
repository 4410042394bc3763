// Values of the partner's audit log in words: amounts with their currency, and reasons of claims as the form names them. Pure.
import { formatMoney } from '../../../ui/formats.ts';
import { reasonWords } from '../claims/claim-words.ts';

/** The last member of the path of each field that is an amount. */
const AMOUNTS = new Set([
  'amount',
  'amountDue',
  'balance',
  'credit',
  'creditLimit',
  'currentBalance',
  'payout',
  'total',
]);

const REASONS: Readonly<Record<string, string>> = reasonWords;

/** Null for values that the page shows as every audit log does. */
export function auditValueInWords(field: string, value: unknown, currency: string): string | null {
  const name = field.split('.').at(-1) ?? field;
  if (typeof value === 'number' && AMOUNTS.has(name)) return formatMoney(value, currency);
  return name === 'reason' && typeof value === 'string' ? (REASONS[value] ?? null) : null;
}

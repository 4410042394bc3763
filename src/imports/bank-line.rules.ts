// Reads a line of a bank's CSV file: amount and date as banks write them, the invoice that the text names, and the line's identity (contract 7.11).
import { createHash } from 'node:crypto';

import type { BankColumns } from './bank-columns.rules.ts';

export type BankLine = {
  /** In the file, from 1. */
  readonly line: number;
  /** As in the file. */
  readonly date: string;
  /** Above 0 for money that came in. */
  readonly amountCents: number;
  readonly text: string;
  readonly name: string;
  /** Equal for the same payment in another file of the bank; two equal lines in one file have it both. */
  readonly identity: string;
};

export type BankFault = { readonly column: number; readonly message: string };
export type ReadBankLine =
  | { readonly ok: true; readonly value: BankLine }
  | { readonly ok: false; readonly faults: readonly BankFault[] };

const TEXT_LENGTH_MAX = 2000;

/** `cells` has as many cells as the header. */
export function readBankLine(
  { line, cells }: { readonly line: number; readonly cells: readonly string[] },
  columns: BankColumns,
  currency: string,
): ReadBankLine {
  const cell = (at: number | null): string => (at === null ? '' : (cells[at] ?? '').trim().replaceAll(/\s+/g, ' '));
  const faults: BankFault[] = [];
  const fault = (at: number, message: string): void => void faults.push({ column: at + 1, message });
  const date = cell(columns.date);
  if (!isDate(date)) fault(columns.date, 'must be a date such as 2026-11-30, 30.11.2026 or 11/30/2026');
  const written = cell(columns.amount);
  // Files with a column for money that came in leave it empty in other lines.
  const amountCents = written === '' ? 0 : readBankAmount(written);
  if (amountCents === null) fault(columns.amount, AMOUNT_MESSAGE);
  const stated = cell(columns.currency).toUpperCase();
  if (stated !== '' && stated !== currency && columns.currency !== null) {
    fault(columns.currency, `must be ${currency}, the currency of the marketplace`);
  }
  const text = columns.text
    .map(cell)
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, TEXT_LENGTH_MAX);
  const name = cell(columns.name).slice(0, TEXT_LENGTH_MAX);
  if (faults.length > 0 || amountCents === null) return { ok: false, faults };
  const id = cell(columns.id);
  const identity = identityOf(id === '' ? [date, amountCents, text, name] : [id, amountCents]);
  return { ok: true, value: { line, date, amountCents, text, name, identity } };
}

/** The key of a payment: the `count`-th line with this identity in its file, from 1. */
export function bankKey(identity: string, count: number): string {
  return `bank:${identity}:${count}`;
}

function identityOf(parts: ReadonlyArray<string | number>): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
}

const AMOUNT_MESSAGE =
  'must be an amount such as 1250.00, 1,250.00, 1.250,00 or -80,50; with three digits behind a single separator it is ambiguous';

/**
 * With a decimal point or comma, separators of thousands, a sign before or behind, and a currency. Null for anything else, also for `1.250`: it
 * is one thousand two hundred and fifty at one bank, and one and a quarter at another.
 */
export function readBankAmount(text: string): number | null {
  const match = /^(?:[A-Z]{3}|[$€£])?\s?([+-]?)(?:[$€£])?([\d.,'\s]+?)([+-]?)\s?(?:[A-Z]{3}|[$€£])?$/u.exec(text);
  const [, before = '', digits = '', behind = ''] = match ?? [];
  if (match === null || (before !== '' && behind !== '')) return null;
  const parts = /^(\d{1,3}(?:([.,'\s])\d{3}(?:\2\d{3})*)?|\d+)(?:([.,])(\d{1,2}))?$/u.exec(digits.trim());
  if (parts === null) return null;
  const [, whole = '', thousands, point, cents = ''] = parts;
  if (thousands !== undefined && thousands === point) return null;
  // A single separator with three digits behind it may be either.
  if (point === undefined && /^\d{1,3}[.,]\d{3}$/.test(whole)) return null;
  const plain = whole.replaceAll(/\D/g, '');
  if (plain.length > 9) return null;
  const amount = Number(plain) * 100 + Number(cents.padEnd(2, '0'));
  return before === '-' || behind === '-' ? 0 - amount : amount;
}

function isDate(text: string): boolean {
  // A time may follow.
  const [day = ''] = text.split(/[ T]/);
  return /^(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4}))$/.test(day);
}

// Banks change hyphens to blanks, or drop them.
const NUMBER = /(?<![A-Z])INV[-\s./_]?(\d{4})[-\s./_]?(\d{6,9})(?!\d)/g;

/** The different invoice numbers that a text names, as they are printed. */
export function invoiceNumbersIn(text: string): string[] {
  const found = [...text.toUpperCase().matchAll(NUMBER)].map(([, year = '', count = '']) => `INV-${year}-${count}`);
  return [...new Set(found)];
}

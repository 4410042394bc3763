// Reads a line of a bank's CSV file: day, amount and direction, the invoice that the text names, and the line's identity (contract 7.11).
import { createHash } from 'node:crypto';

import { isCurrency, readAmountText } from '../base/amount-text.ts';
import { readBankDay, spellingsOf } from './bank-day.rules.ts';
import { type CellFault, readDirection, readState } from './bank-direction.rules.ts';
import type { BankLayout } from './bank-layout.rules.ts';
import { type Direction, directionAlone } from './bank-words.rules.ts';

export type BankLine = {
  /** In the file, from 1. */
  readonly line: number;
  /** As in the file. */
  readonly date: string;
  /** As in 2026-11-30. */
  readonly day: string;
  /** Above 0 for money that came in. */
  readonly amountCents: number;
  /** False if it is pending, or was reversed, returned or rejected. */
  readonly isBooked: boolean;
  readonly text: string;
  readonly name: string;
  /** Equal for the same payment in another file of the bank; two equal lines in one file have it both. */
  readonly identity: string;
  /** The bank's own number of the transaction; '' without one. */
  readonly id: string;
};

export type BankFault = { readonly column: number; readonly message: string };
export type ReadBankLine =
  | { readonly ok: true; readonly value: BankLine }
  | { readonly ok: false; readonly faults: readonly BankFault[] };

const TEXT_LENGTH_MAX = 2000;

/** `cells` has as many cells as the header. */
export function readBankLine(
  { line, cells }: { readonly line: number; readonly cells: readonly string[] },
  layout: BankLayout,
  currency: string,
): ReadBankLine {
  const { columns } = layout;
  const cell = (at: number | null): string => (at === null ? '' : (cells[at] ?? '').trim().replaceAll(/\s+/g, ' '));
  const faults: CellFault[] = [];
  const date = cell(columns.date);
  const day = readBankDay(date, layout.dayOrder);
  if (!day.ok) faults.push({ at: columns.date, message: DAY_MESSAGES[day.why] });
  const money = readMoney(cell, layout, currency);
  if (!money.ok) faults.push(money.fault);
  for (const at of layout.currency) {
    const stated = cell(at);
    if (stated === '' || isCurrency(stated, currency)) continue;
    faults.push({ at, message: `must be ${currency}, the currency of the marketplace` });
  }
  const isAmount = (text: string): boolean => {
    const read = readAmountText(text, { currency, separators: 'either', decimals: 'exact' });
    return money.ok && read.ok && read.cents > 0 && read.cents === money.cents;
  };
  const direction = readDirection({ cell, said: money.ok ? money.said : null, isAmount }, layout);
  if (money.ok && money.cents > 0 && !direction.ok) faults.push(...direction.faults);
  const isIn = direction.ok && direction.direction === 'in';
  const state = readState(cell, layout);
  if (isIn && !state.ok) faults.push(state.fault);
  const id = cell(columns.id);
  if (columns.id !== null && /^\d(?:[.,]\d+)?e\+\d+$/i.test(id)) faults.push({ at: columns.id, message: ID_MESSAGE });
  if (faults.length > 0 || !money.ok || !day.ok) {
    return { ok: false, faults: faults.map(({ at, message }) => ({ column: at + 1, message })) };
  }
  const text = columns.text
    .map(cell)
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, TEXT_LENGTH_MAX);
  const name = cell(columns.name).slice(0, TEXT_LENGTH_MAX);
  const amountCents = isIn ? money.cents : 0 - money.cents;
  const values = { day: day.day, amountCents, text, name, id };
  const isBooked = state.ok && state.isBooked;
  return { ok: true, value: { line, date, ...values, isBooked, identity: identityOfValues(values) } };
}

type Money = { readonly ok: true; readonly cents: number; readonly said: Direction | null };

/** From the amount, or from the columns for money in and out, or from all of them where the file has both. */
function readMoney(
  cell: (at: number | null) => string,
  { columns }: BankLayout,
  currency: string,
): Money | { readonly ok: false; readonly fault: CellFault } {
  const form = { currency, separators: 'either', decimals: 'exact' } as const;
  const sides: Array<{ readonly at: number; readonly cents: number; readonly said: Direction | null }> = [];
  for (const [at, side] of [
    [columns.amount, null] as const,
    [columns.credit, 'in'] as const,
    [columns.debit, 'out'] as const,
  ]) {
    const text = cell(at);
    // Files with columns for money in and out leave one of them empty.
    if (at === null || text === '' || (side !== null && /^[-\u2013\u2014]$/.test(text))) continue;
    const read = readAmountText(text, form);
    const marked = read.ok && read.mark !== '' ? directionAlone(read.mark) : null;
    if (!read.ok || (read.mark !== '' && (marked === null || (read.sign !== '' && side === null)))) {
      const isOther = !read.ok && read.why === 'other_currency';
      return { ok: false, fault: { at, message: isOther ? `must be in ${currency}` : AMOUNT_MESSAGE } };
    }
    if (read.cents === 0) continue;
    const signed = marked ?? (read.sign === '-' ? 'out' : read.sign === '+' ? 'in' : null);
    // What is taken off again on the side of money that came in went out; banks write a minus on the other side for good measure.
    sides.push({ at, cents: read.cents, said: side === 'out' ? 'out' : signed === 'out' ? 'out' : (side ?? signed) });
  }
  const [first] = sides;
  if (first === undefined) return { ok: true, cents: 0, said: null };
  const other = sides.find(({ cents }) => cents !== first.cents);
  const said = new Set(sides.flatMap((one) => one.said ?? []));
  if (other === undefined && said.size < 2) return { ok: true, cents: first.cents, said: [...said][0] ?? null };
  return { ok: false, fault: { at: (other ?? sides[1] ?? first).at, message: SIDES_MESSAGE } };
}

type Values = Pick<BankLine, 'day' | 'amountCents' | 'text' | 'name' | 'id'>;

/** Made of values and not of spellings: banks and spreadsheets write the same day, number and text in several ways. */
function identityOfValues({ day, amountCents, text, name, id }: Values): string {
  // A spreadsheet takes zeros off the front of a number.
  const number = sameText(id).replace(/^0+(?=\d+$)/, '');
  return identityOf(
    id === '' ? ['values', day, amountCents, sameText(text), sameText(name)] : ['id', number, amountCents],
  );
}

function sameText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cf}]+/gu, '');
}

/**
 * The identities of a time when dates and texts counted as they were written: as in this file, and as the file may have been before a
 * spreadsheet changed it.
 */
export function earlierIdentities({ date, day, amountCents, text, name, id }: BankLine): {
  readonly written: string;
  readonly others: readonly string[];
} {
  const asWritten = (spelling: string): string =>
    identityOf(id === '' ? [spelling, amountCents, text, name] : [id, amountCents]);
  const written = asWritten(date);
  const others = id === '' ? spellingsOf(day).map((spelling) => asWritten(spelling)) : [];
  return { written, others: others.filter((other) => other !== written) };
}

/** The key of a payment: the `count`-th line with this identity in its file, from 1, with its day. */
export function bankKey({ day, identity }: Pick<BankLine, 'day' | 'identity'>, count: number): string {
  return `bank:${day}:${identity}:${count}`;
}

/** As payments were posted before their keys had the day. */
export function earlierBankKey(identity: string, count: number): string {
  return `bank:${identity}:${count}`;
}

function identityOf(parts: ReadonlyArray<string | number>): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
}

const DAY_MESSAGES = {
  form: 'must be a date such as 2026-11-30, 30.11.2026 or 11/30/2026',
  order:
    'may begin with the day or with the month, and no date of the file says which: choose day-first or month-first',
  other_order: 'does not have day and month in the order of the file',
} as const;
const AMOUNT_MESSAGE =
  'must be an amount such as 1250.00, 1,250.00, 1.250,00, -80,50 or 80.50 DR; with three digits behind a single separator it is ambiguous';
const SIDES_MESSAGE = 'does not agree with another amount of the line';
const ID_MESSAGE = 'is a number that a spreadsheet has shortened; use the file as the bank offers it';

// Banks change hyphens to blanks, or drop them.
const NUMBER = /(?<![A-Z])INV[-\s./_]?(\d{4})[-\s./_]?(\d{6,9})(?!\d)/g;

/** The different invoice numbers that a text names, as they are printed. */
export function invoiceNumbersIn(text: string): string[] {
  const found = [...text.toUpperCase().matchAll(NUMBER)].map(([, year = '', count = '']) => `INV-${year}-${count}`);
  return [...new Set(found)];
}

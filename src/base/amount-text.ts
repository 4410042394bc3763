// Reads an amount as banks, partners and spreadsheets write it into whole cents, exactly, as decimal text (contract 7.11, 13.5).

/** `-` also for an amount in parentheses. */
export type WrittenSign = '-' | '+' | '';
export type WrittenAmount = {
  /** 0 or more; the sign is beside it. */
  readonly cents: number;
  readonly sign: WrittenSign;
  /** What stands beside the digits and is neither sign nor currency, in lower case, such as `cr`. */
  readonly mark: string;
};
export type AmountFault = 'unreadable' | 'ambiguous' | 'other_currency';
export type ReadAmount = ({ readonly ok: true } & WrittenAmount) | { readonly ok: false; readonly why: AmountFault };

export type AmountForm = {
  /** The code of the only currency that may stand beside the digits. */
  readonly currency: string;
  /**
   * `either`: a point or a comma may be before the decimals, so that three digits behind a single one are ambiguous. `english`: behind a
   * single comma three digits are thousands, and behind a point decimals.
   */
  readonly separators: 'either' | 'english';
  /** More decimals than two: `exact` allows further zeros only, `half_up` rounds. */
  readonly decimals: 'exact' | 'half_up';
};

/** Longer texts are no amounts, and a pattern could take long. */
const TEXT_LENGTH_MAX = 100;
const WHOLE_DIGITS_MAX = 9;
const MINUS = /[\u2010-\u2015\u2212\ufe63\uff0d]/g;
const INVISIBLE = /\p{Cf}/gu;

export function readAmountText(text: string, form: AmountForm): ReadAmount {
  if (text.length > TEXT_LENGTH_MAX) return { ok: false, why: 'unreadable' };
  const plain = text.replaceAll(INVISIBLE, '').replaceAll(MINUS, '-').normalize('NFKC').replaceAll(/\s+/g, ' ').trim();
  const match = /^(\D*?)((?:(?<!\p{L})[.,])?\d[\d.,' \u2019]*?)([^\d.,']*)$/u.exec(plain);
  if (match === null) return { ok: false, why: 'unreadable' };
  const [, before = '', core = '', behind = ''] = match;
  const beside = readBeside(before, behind, form.currency);
  if (!beside.ok) return beside;
  const cents = centsOfDigits(core.replaceAll('\u2019', "'"), form);
  return typeof cents === 'string' ? { ok: false, why: cents } : { ...beside, cents };
}

type Beside = { readonly ok: true; readonly sign: WrittenSign; readonly mark: string };

/** Signs, parentheses, a currency and at most one mark, in any order around the digits. */
function readBeside(before: string, behind: string, currency: string): Beside | Extract<ReadAmount, { ok: false }> {
  const unreadable = { ok: false, why: 'unreadable' } as const;
  const isInside = before.includes('(') || behind.includes(')');
  if (isInside && !(/^[^()]*\([^()]*$/.test(before) && /^[^()]*\)[^()]*$/.test(behind))) return unreadable;
  const around = `${before} ${behind}`.replaceAll(/[()]/g, ' ');
  const signs = around.match(/[+-]/g) ?? [];
  if (signs.length + (isInside ? 1 : 0) > 1) return unreadable;
  const words = around
    .replaceAll(/[+-]/g, ' ')
    .split(' ')
    .map((word) => word.replace(/\.$/, ''))
    .filter((word) => word !== '');
  const own = words.filter((word) => isCurrency(word, currency));
  const others = words.filter((word) => !isCurrency(word, currency));
  if (own.length > 1 || others.length > 1) return unreadable;
  const [mark = ''] = others;
  if (isSomeCurrency(mark)) return { ok: false, why: 'other_currency' };
  return { ok: true, sign: isInside || signs[0] === '-' ? '-' : signs[0] === '+' ? '+' : '', mark: mark.toLowerCase() };
}

/** The code, or a sign of it as in `$`, `US$` and `zł`. */
export function isCurrency(text: string, currency: string): boolean {
  let known = SPELLINGS.get(currency);
  if (known === undefined) SPELLINGS.set(currency, (known = spellingsOf(currency)));
  return known.has(text.toLowerCase());
}

/** By code; finding out takes long. A service has one currency, and a few when it changes. */
const SPELLINGS = new Map<string, ReadonlySet<string>>();

function spellingsOf(currency: string): ReadonlySet<string> {
  const signs = (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) => signOf(currency, currencyDisplay));
  const known = [currency, ...signs, ...(signs.includes('$') ? [`${currency.slice(0, 2)}$`] : [])];
  return new Set(known.map((one) => one.toLowerCase()));
}

/** A currency code, or anything that ends with a currency sign. */
export function isSomeCurrency(text: string): boolean {
  return /\p{Sc}$/u.test(text) || CODES.has(text.toUpperCase());
}

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

function signOf(currency: string, currencyDisplay: 'symbol' | 'narrowSymbol'): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay });
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
}

// Groups of three under one separator, or as in India, or no separator at all; then a point or comma before decimals.
const DIGITS = /^(|[1-9]\d{0,2}(?:([.,' ])\d{3}(?:\2\d{3})*)|[1-9]\d?(?:(,)\d{2})+,\d{3}|\d+)(?:([.,])(\d+))?$/;

function centsOfDigits(core: string, { separators, decimals }: AmountForm): number | AmountFault {
  const digits = core.trim();
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)) {
    if (separators === 'either') return 'ambiguous';
    if (digits.includes('.')) return centsOfParts(digits.slice(0, -4), digits.slice(-3), decimals);
  }
  const [match, whole = '', group, indian, point, part = ''] = DIGITS.exec(digits) ?? [];
  if (match === undefined || (whole === '' && part === '')) return 'unreadable';
  if (point !== undefined && point === (group ?? indian)) return 'unreadable';
  return centsOfParts(whole.replaceAll(/\D/g, ''), part, decimals);
}

function centsOfParts(whole: string, part: string, decimals: AmountForm['decimals']): number | AmountFault {
  const more = part.slice(2);
  if (whole.length > WHOLE_DIGITS_MAX || (decimals === 'exact' && /[1-9]/.test(more))) return 'unreadable';
  const cents = Number(whole) * 100 + Number(part.slice(0, 2).padEnd(2, '0'));
  return decimals === 'half_up' && more >= '5' ? cents + 1 : cents;
}

// The transforms of templates: a closed list of pure functions on one value (contract 13.1).
import { createHash } from 'node:crypto';

import { dateFormatter } from '../../base/date-format.rules.ts';
import { isTimeZone, storedTimeZone } from '../../base/time-zone.rules.ts';
import { splitName } from '../../leads/person-name.rules.ts';
import { readWrittenPhone } from '../../platform/contact/written-phone.rules.ts';
import type { Argument, Step } from './expression.rules.ts';
import { textOfValue, type TemplateValue } from './template-value.ts';

export type Transform = (value: TemplateValue) => TemplateValue;
/** The transform with its arguments, or the message of what is wrong with them. */
type Bound = Transform | string;
type Bind = (args: readonly Argument[]) => Bound;

/** A message, or the function for a step of an expression. */
export function bindTransform({ transform, args }: Pick<Step, 'transform' | 'args'>): Bound {
  const bind = Object.hasOwn(TRANSFORMS, transform) ? TRANSFORMS[transform as keyof typeof TRANSFORMS] : undefined;
  if (bind === undefined) return `there is no transform ${transform}: the transforms are ${transformNames.join(', ')}`;
  return bind(args);
}

/** For functions of the text: null stays null. */
const ofText =
  (change: (text: string) => TemplateValue): Transform =>
  (value) =>
    value === null ? null : change(String(value));

const withoutArguments =
  (transform: Transform): Bind =>
  (args) =>
    args.length === 0 ? transform : 'it takes no arguments';

/** Transforms with a fixed number of arguments without names. */
const withArguments =
  (least: number, most: number, bind: (values: readonly TemplateValue[]) => Bound): Bind =>
  (args) => {
    const unnamed = args.every(({ name }) => name === null);
    if (unnamed && args.length >= least && args.length <= most) return bind(args.map(({ value }) => value));
    return `it takes ${least === most ? least : `${least} to ${most}`} argument${most === 1 ? '' : 's'} without names`;
  };

const DIGITS_MAX = 10;
const TEXT_MAX = 10_000;

const isCount = (value: TemplateValue | undefined, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;

/** Null for what is no number; amounts keep all their decimals. */
function numberOf(value: TemplateValue): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,10})?$/.test(value.trim()) ? Number(value) : null;
}

/** Half away from zero, by the decimals as written: 1.005 to two is 1.01. */
function rounded(value: number, digits: number): number {
  const shifted = Number(`${Math.abs(value)}e${digits}`);
  // An exponent in the text, as of 1e-7, is no number with a second one.
  if (!Number.isFinite(shifted)) return Number(value.toFixed(digits));
  return Math.sign(value) * Number(`${Math.round(shifted)}e-${digits}`) + 0;
}

function numberFormat(digits: number, separator: string): Transform {
  return (value) => {
    const number = numberOf(value);
    if (number === null) return value;
    const text = rounded(number, digits).toFixed(digits);
    return separator === '' ? text : text.replaceAll(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, separator);
  };
}

const NORTH_AMERICAN = /^\+1(\d{3})(\d{3})(\d{4})$/;
const E164 = /^\+\d+$/;

const PHONE_FORMATS: Readonly<Record<string, (area: string, exchange: string, line: string) => string>> = {
  e164: (area, exchange, line) => `+1${area}${exchange}${line}`,
  digits: (area, exchange, line) => `1${area}${exchange}${line}`,
  ten: (area, exchange, line) => `${area}${exchange}${line}`,
  dashes: (area, exchange, line) => `${area}-${exchange}-${line}`,
  dots: (area, exchange, line) => `${area}.${exchange}.${line}`,
  national: (area, exchange, line) => `(${area}) ${exchange}-${line}`,
  area: (area) => area,
};

/** Numbers of other countries stay as they are, for `digits` without the plus. Leads have E.164; texts of own fields any spelling. */
function phoneFormat(name: string): Transform {
  return ofText((text) => {
    const number = E164.test(text) ? text : (readWrittenPhone(text)?.number ?? text);
    const match = NORTH_AMERICAN.exec(number);
    if (match === null) return name === 'digits' ? number.replaceAll(/\D/g, '') : name === 'area' ? null : text;
    const [, area = '', exchange = '', line = ''] = match;
    return PHONE_FORMATS[name]?.(area, exchange, line) ?? text;
  });
}

const HASHES: readonly string[] = ['md5', 'sha1', 'sha256', 'sha512'];

const NAME_PARTS = ['prefix', 'first', 'middle', 'last', 'suffix'] as const;

/** Pairs of a text and what it becomes; a value without a pair stays as it is, or becomes that of `else`. */
function mapOf(args: readonly Argument[]): Bound {
  if (args.length === 0 || args.some(({ name }) => name === null)) {
    return 'it takes pairs such as "CA": "California", and may end with else: "other"';
  }
  const pairs = new Map(
    args.flatMap(({ name, value }) => (name?.isElse === false ? [[name.text, value] as const] : [])),
  );
  const fallback = args.find(({ name }) => name?.isElse === true);
  return (value) => {
    const found = pairs.get(textOfValue(value));
    if (found !== undefined) return found;
    return fallback === undefined ? value : fallback.value;
  };
}

const oneOfTexts = (names: readonly string[], bind: (name: string) => Transform, byDefault?: string): Bind =>
  withArguments(byDefault === undefined ? 1 : 0, 1, ([name = byDefault ?? '']) =>
    typeof name === 'string' && names.includes(name)
      ? bind(name)
      : `its argument must be one of ${names.map((known) => `"${known}"`).join(', ')}`,
  );

const TRANSFORMS = {
  upper: withoutArguments(ofText((text) => text.toUpperCase())),
  lower: withoutArguments(ofText((text) => text.toLowerCase())),
  title: withoutArguments(
    ofText((text) =>
      text.toLowerCase().replaceAll(/(?<![\p{L}\p{M}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase()),
    ),
  ),
  trim: withoutArguments(ofText((text) => text.trim())),
  one_line: withoutArguments(ofText((text) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())),
  digits: withoutArguments(ofText((text) => text.replaceAll(/\D/g, ''))),
  text: withoutArguments(textOfValue),
  base64: withoutArguments(ofText((text) => Buffer.from(text, 'utf8').toString('base64'))),
  cents: withoutArguments((value) => {
    const number = numberOf(value);
    return number === null ? null : rounded(number * 100, 0);
  }),
  truncate: withArguments(1, 1, ([most]) =>
    isCount(most, TEXT_MAX)
      ? ofText((text) => [...text.slice(0, 2 * most)].slice(0, most).join(''))
      : `its argument must be a number of characters up to ${TEXT_MAX}`,
  ),
  replace: withArguments(2, 2, ([from, to]) =>
    typeof from === 'string' && from !== '' && typeof to === 'string'
      ? ofText((text) => text.replaceAll(from, () => to))
      : 'its arguments must be two texts, the first not empty',
  ),
  default: withArguments(
    1,
    1,
    ([other = null]) =>
      (value) =>
        value === null || value === '' ? other : value,
  ),
  round: withArguments(0, 1, ([digits = 0]) =>
    isCount(digits, DIGITS_MAX)
      ? (value) => {
          const number = numberOf(value);
          return number === null ? value : rounded(number, digits);
        }
      : `its argument must be a number of decimals up to ${DIGITS_MAX}`,
  ),
  number: withArguments(0, 2, ([digits = 2, separator = '']) =>
    isCount(digits, DIGITS_MAX) && typeof separator === 'string' && separator.length <= 1
      ? numberFormat(digits, separator)
      : `its arguments must be a number of decimals up to ${DIGITS_MAX} and the character between thousands`,
  ),
  date: withArguments(1, 2, ([format, zone = 'UTC']) => {
    if (typeof format !== 'string' || format === '') return 'its first argument must be a format such as "MM/DD/YYYY"';
    // Templates are compiled as they were saved, and earlier releases took abbreviations.
    const known = typeof zone === 'string' ? storedTimeZone(zone) : '';
    if (!isTimeZone(known)) return 'its second argument must be an IANA time zone such as "America/New_York"';
    return ofText(dateFormatter(format, known));
  }),
  phone: oneOfTexts(Object.keys(PHONE_FORMATS), phoneFormat),
  split_name: oneOfTexts(NAME_PARTS, (part) => ofText((text) => splitName(text)[part as (typeof NAME_PARTS)[number]])),
  hash: oneOfTexts(HASHES, (name) => ofText((text) => createHash(name).update(text, 'utf8').digest('hex')), 'sha256'),
  map: mapOf,
} as const satisfies Record<string, Bind>;

const transformNames = Object.keys(TRANSFORMS).toSorted();

// Building blocks of the schemas of marketplace, suppliers, partners and offers (contract 7.6).
import { type TNull, type TProperties, type TSchema, type TUnion, Type } from 'typebox';

/** Checks that a schema cannot express; each is a function in marketplace-file/member-checks.rules.ts. */
export type MemberCheck =
  | 'amount'
  | 'offer'
  | 'creditLimit'
  | 'day'
  | 'email'
  | 'disjointHours'
  | 'fieldFilters'
  | 'fieldMapping'
  | 'hours'
  | 'line'
  | 'ownField'
  | 'ownFields'
  | 'logo'
  | 'pay'
  | 'percent'
  | 'range'
  | 'settings'
  | 'slots'
  | 'state'
  | 'target'
  | 'time'
  | 'timeZone'
  | 'webhookFormat'
  | 'weights';

/**
 * `title` is the member's label on the console, `default` its value if the file leaves it out. A member without a default is required in
 * the file unless it is `optional`.
 */
export type MemberNotes<Value = unknown> = {
  readonly title?: string;
  readonly description?: string;
  readonly default?: Value;
  /** Replaces the error message made from bounds and pattern; editors show it as well. */
  readonly errorMessage?: string;
  readonly check?: MemberCheck;
  readonly optional?: boolean;
  /** null is a value of its own, different from a missing member. */
  readonly nullable?: boolean;
  /** For a list: a single entry may be written without a list. */
  readonly single?: boolean;
  /** For a list of unique entries: its order matters. By default it does not. */
  readonly ordered?: boolean;
  /** For a text: it is converted to upper case. */
  readonly upper?: boolean;
  /** For a member of an offer: it is hidden from the partner. */
  readonly operatorOnly?: boolean;
};

export const eventTypes = ['Lead Sale', 'Calendar Assigned'] as const;
export type EventType = (typeof eventTypes)[number];

const TEXT_LENGTH_MAX = 500;
const KEY_PATTERN = '^[a-z0-9][a-z0-9-]{0,62}$';
// More than nine whole digits are a typing error, and this keeps cents far below the largest safe integer.
const AMOUNT_MAX = 999_999_999.99;
const REQUESTS_MAX = 1_000_000;

export const keyOf = (title: string) =>
  Type.String({
    title,
    pattern: KEY_PATTERN,
    errorMessage: 'must be a key: 1 to 63 lower-case letters, digits and hyphens, beginning with a letter or digit',
    check: 'line' satisfies MemberCheck,
  });

/** One line of text that is not blank. */
export const line = (notes: MemberNotes & { readonly maxLength?: number; readonly pattern?: string } = {}) =>
  Type.String({ minLength: 1, maxLength: TEXT_LENGTH_MAX, check: 'line' satisfies MemberCheck, ...notes });

// As many lines as an invoice has room for.
const ADDRESS_LINES_MAX = 6;

/** Lines of a postal address, in order; none by default. */
export const addressOf = (title: string) =>
  listOf(line({ maxLength: 100 }), {
    title,
    description: 'As printed on invoices, one entry per line.',
    maxItems: ADDRESS_LINES_MAX,
    default: [],
    errorMessage: `must have at most ${ADDRESS_LINES_MAX} lines`,
  });

/** As printed on invoices; null for none. */
export const taxIdOf = (title: string) => orUnset(line({ maxLength: 50 }), { title });

/** Defaults to the key. */
export const nameMember = line({ title: 'Name', optional: true });

export const oneOf = <const Value extends string>(values: readonly Value[], notes: MemberNotes<Value> = {}) =>
  Type.Enum([...values] as Value[], notes);

export const listOf = <Item extends TSchema>(
  items: Item,
  notes: MemberNotes & { readonly minItems?: number; readonly maxItems?: number; readonly uniqueItems?: boolean } = {},
) => Type.Array(items, notes);

/** A list of unique entries, empty by default. */
export const setOf = <Item extends TSchema>(items: Item, notes: MemberNotes = {}) =>
  Type.Array(items, { uniqueItems: true, default: [], ...notes });

export const wholeNumber = (minimum: number, maximum: number, notes: MemberNotes<number> = {}) =>
  Type.Integer({ minimum, maximum, ...notes });

export const numberFrom = (minimum: number, maximum: number, notes: MemberNotes<number> = {}) =>
  Type.Number({ minimum, maximum, ...notes });

/** In the marketplace's currency, with at most two decimals. */
export const amount = (notes: MemberNotes & { readonly minimum?: number } = {}) =>
  Type.Number({
    minimum: 0,
    maximum: AMOUNT_MAX,
    check: 'amount' satisfies MemberCheck,
    errorMessage: 'must be an amount such as 45.00: no quotes, at most two decimals and nine digits before them',
    ...notes,
  });

/** Percent of an amount, with at most two decimals. */
export const percent = (notes: MemberNotes<number> = {}) =>
  Type.Number({
    minimum: 0,
    maximum: 100,
    check: 'percent' satisfies MemberCheck,
    errorMessage: 'must be a percentage such as 60 or 37.5: from 0 to 100, at most two decimals',
    ...notes,
  });

/** Two letters each, of the marketplace's regions. */
export const stateList = (title: string) =>
  setOf(Type.String({ pattern: '^[A-Za-z]{2}$', check: 'state' satisfies MemberCheck, upper: true }), { title });

/** Null by default. */
export const orUnset = <Schema extends TSchema>(schema: Schema, notes: MemberNotes = {}): TUnion<[Schema, TNull]> =>
  Type.Union([schema, Type.Null()], { default: null, ...notes });

export const members = <const Members extends TProperties>(properties: Members, notes: MemberNotes = {}) =>
  Type.Object(properties, { additionalProperties: false, ...notes });

/** Requests per second that refill a bucket of `burst` requests. */
export const rateLimitOf = ({ perSecond, burst }: { readonly perSecond: number; readonly burst: number }) =>
  members(
    {
      // A bucket that never refills would lock its owner out permanently; a status does that.
      perSecond: Type.Number({
        exclusiveMinimum: 0,
        maximum: REQUESTS_MAX,
        title: 'Requests per second',
        default: perSecond,
      }),
      burst: wholeNumber(1, REQUESTS_MAX, { title: 'Burst of requests', default: burst }),
    },
    { default: {} },
  );

// The parts that the schemas of the marketplace, suppliers, partners and offers are made of (contract 7.6).
import { type TNull, type TProperties, type TSchema, type TUnion, Type } from 'typebox';

/** What only a function can decide about a value; each is in marketplace-file/member-checks.rules.ts. */
export type MemberCheck =
  | 'amount'
  | 'bookingOfEvent'
  | 'creditLimit'
  | 'day'
  | 'disjointHours'
  | 'fieldMapping'
  | 'hours'
  | 'line'
  | 'range'
  | 'settings'
  | 'slots'
  | 'state'
  | 'target'
  | 'time'
  | 'timeZone'
  | 'weights';

/**
 * `title` is the member's label on the console, `default` the value where the file leaves it out. A member without a default is required
 * in the file unless it is `optional`.
 */
export type MemberNotes<Value = unknown> = {
  readonly title?: string;
  readonly description?: string;
  readonly default?: Value;
  /** Says what the value must be, where its bounds and pattern do not say it well; editors show it, too. */
  readonly errorMessage?: string;
  readonly check?: MemberCheck;
  readonly optional?: boolean;
  /** null is a statement of its own, and not the same as a member that is left out. */
  readonly nullable?: boolean;
  /** Of a list: one entry may stand without a list around it. */
  readonly single?: boolean;
  /** Of a list that names nothing twice: its order counts. Without it the order means nothing. */
  readonly ordered?: boolean;
  /** Of a text: its letters are read as capitals. */
  readonly upper?: boolean;
  /** Of an offer's member: its partner must not learn of it. */
  readonly operatorOnly?: boolean;
};

const TEXT_LENGTH_MAX = 500;
const KEY_PATTERN = '^[a-z0-9][a-z0-9-]{0,62}$';
// More whole digits than nine are a slip of the hand, and cents stay far from the end of safe integers.
const AMOUNT_MAX = 999_999_999.99;
const REQUESTS_MAX = 1_000_000;

export const keyOf = (title: string) =>
  Type.String({
    title,
    pattern: KEY_PATTERN,
    errorMessage: 'must be a key: 1 to 63 lower-case letters, digits and hyphens, beginning with a letter or digit',
    check: 'line' satisfies MemberCheck,
  });

/** One line of text with something to see in it. */
export const line = (notes: MemberNotes & { readonly maxLength?: number; readonly pattern?: string } = {}) =>
  Type.String({ minLength: 1, maxLength: TEXT_LENGTH_MAX, check: 'line' satisfies MemberCheck, ...notes });

/** The key where the file leaves it out. */
export const nameMember = line({ title: 'Name', optional: true });

export const oneOf = <const Value extends string>(values: readonly Value[], notes: MemberNotes<Value> = {}) =>
  Type.Enum([...values] as Value[], notes);

export const listOf = <Item extends TSchema>(
  items: Item,
  notes: MemberNotes & { readonly minItems?: number; readonly maxItems?: number; readonly uniqueItems?: boolean } = {},
) => Type.Array(items, notes);

/** A list that names nothing twice, empty where the file leaves it out. */
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

/** null where the file leaves it out. */
export const orUnset = <Schema extends TSchema>(schema: Schema, notes: MemberNotes = {}): TUnion<[Schema, TNull]> =>
  Type.Union([schema, Type.Null()], { default: null, ...notes });

export const members = <const Members extends TProperties>(properties: Members, notes: MemberNotes = {}) =>
  Type.Object(properties, { additionalProperties: false, ...notes });

/** Requests per second that refill a bucket of `burst` requests. */
export const rateLimitOf = ({ perSecond, burst }: { readonly perSecond: number; readonly burst: number }) =>
  members(
    {
      // A bucket that never refills would shut its owner out for good; that is what a status is for.
      perSecond: Type.Number({
        exclusiveMinimum: 0,
        maximum: REQUESTS_MAX,
        title: 'Requests per second',
        default: perSecond,
      }),
      burst: wholeNumber(1, REQUESTS_MAX, { title: 'Requests at once', default: burst }),
    },
    { default: {} },
  );

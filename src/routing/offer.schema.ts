// An offer as the marketplace file and the console write it: members, bounds, defaults and labels (contract 4.2, 7.6).
import { type Static, Type } from 'typebox';

import {
  amount,
  eventTypes,
  keyOf,
  line,
  listOf,
  type MemberCheck,
  members,
  nameMember,
  numberFrom,
  oneOf,
  orUnset,
  setOf,
  stateList,
  wholeNumber,
} from '../marketplace/configured.schema.ts';
import { RESPONSES_MAX } from '../marketplace/marketplace.schema.ts';

export const offerStatuses = ['active', 'paused', 'closed'] as const;
export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';
export const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

// Larger than any real value; they keep sums and products within safe integers.
const COUNT_MAX = 1_000_000_000;
const RANK_MAX = 1_000_000;
const SHARED_WITH_MAX = 100;
const MINUTES_OF_A_DAY = 1440;

const TIME = {
  errorMessage: 'must be a time such as "08:00", to "24:00" at most',
  check: 'time' satisfies MemberCheck,
};

const HoursSchema = members(
  {
    days: Type.Array(oneOf(weekdays), {
      uniqueItems: true,
      minItems: 1,
      title: 'Days',
      errorMessage: 'must name at least one day',
    }),
    from: Type.String({ pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$', title: 'From', ...TIME }),
    to: Type.String({
      pattern: '^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
      title: 'To',
      description: 'Hours past midnight are two entries, one of them to "24:00".',
      ...TIME,
    }),
  },
  { check: 'hours' },
);

// Partners must not learn who supplies the leads, how suppliers label their campaigns, or how the operator ranks buyers.
const supplierKeys = (title: string) =>
  setOf(keyOf('Supplier'), { title, description: 'Keys of suppliers.', operatorOnly: true });
const SOURCES = 'Source labels as sent by the supplier.';

const OwnValueSchema = Type.Union([Type.String(), Type.Number()]);
const ownValues = Type.Array(OwnValueSchema, { uniqueItems: true });

/** What an offer wants of one own field; which members make sense depends on the field's type. */
const FieldFilterSchema = members({
  in: Type.Optional(ownValues),
  notIn: Type.Optional(ownValues),
  min: Type.Optional(OwnValueSchema),
  max: Type.Optional(OwnValueSchema),
  is: Type.Optional(Type.Boolean()),
});

const FiltersSchema = members(
  {
    states: stateList('States'),
    statesNot: stateList('Excluded states'),
    debtAmount: members(
      { min: orUnset(amount(), { title: 'Minimum debt' }), max: orUnset(amount(), { title: 'Maximum debt' }) },
      { default: {}, check: 'range' },
    ),
    minScore: orUnset(wholeNumber(0, 100), { title: 'Minimum score' }),
    suppliers: supplierKeys('Suppliers'),
    suppliersNot: supplierKeys('Excluded suppliers'),
    sources: setOf(line(), { title: 'Sources', description: SOURCES }),
    // A partner knows the wanted sources from its leads; the excluded ones it must not learn.
    sourcesNot: setOf(line(), { title: 'Excluded sources', description: SOURCES, operatorOnly: true }),
    requireConsent: Type.Boolean({ title: 'Consent required', default: false }),
    requireEmail: Type.Boolean({ title: 'Email required', default: false }),
    requirePhone: Type.Boolean({ title: 'Phone required', default: false }),
    fields: Type.Record(Type.String(), FieldFilterSchema, {
      title: 'Own fields',
      description:
        'By the name of a field of the vertical: in, notIn, min, max or is. A zip code may end in *, which stands for any rest.',
      default: {},
      check: 'fieldFilters' satisfies MemberCheck,
    }),
  },
  {
    default: {},
    description: 'The leads that the offer buys. Bounds are inclusive; an empty or missing member means any.',
  },
);

const BookingSchema = members(
  {
    availability: listOf(HoursSchema, {
      minItems: 1,
      single: true,
      title: 'Bookable hours',
      errorMessage: 'must not be an empty list',
      check: 'disjointHours',
    }),
    slotMinutes: wholeNumber(1, MINUTES_OF_A_DAY, { title: 'Slot length (minutes)', default: 30 }),
    capacity: wholeNumber(1, 1000, {
      title: 'Calls per slot',
      description: 'How many calls can be booked for the same slot.',
      default: 1,
    }),
    noticeMinutes: wholeNumber(0, 30 * MINUTES_OF_A_DAY, {
      title: 'Minimum notice (minutes)',
      description: 'Time between a booking and the first slot offered.',
      default: 0,
    }),
    // Two weeks: calls booked further ahead are rarely kept.
    horizonDays: wholeNumber(1, 365, {
      title: 'Days ahead',
      description: 'How far ahead a call can be booked.',
      default: 14,
    }),
  },
  { check: 'slots' },
);

export const OfferSchema = members(
  {
    key: keyOf('Key'),
    name: nameMember,
    vertical: orUnset(keyOf('Vertical'), {
      title: 'Vertical',
      description: 'Whose leads it buys. Without it, leads that belong to no vertical.',
    }),
    eventType: oneOf(eventTypes, { title: 'Type' }),
    // The ledger cannot post an amount of zero.
    payout: amount({
      minimum: 0.01,
      title: 'Price',
      description: 'What the partner pays per delivery, or the most that it pays if it names the price.',
    }),
    price: oneOf(['fixed', 'answered'], {
      title: 'Pricing',
      description:
        'Answered: the partner names the price in the response of its endpoint, between the lowest price and the price.',
      default: 'fixed',
    }),
    priceMin: orUnset(amount({ minimum: 0.01 }), {
      title: 'Lowest price',
      description: 'For answered prices only.',
    }),
    sale: Type.Union(
      [
        Type.Literal('exclusive'),
        members({
          sharedWith: wholeNumber(2, SHARED_WITH_MAX, {
            title: 'Maximum buyers per lead',
            description: 'Including this partner.',
          }),
        }),
      ],
      {
        title: 'Sale',
        default: 'exclusive',
        errorMessage: 'must be exclusive, or { sharedWith: N } for at most N buyers in all',
      },
    ),
    priority: wholeNumber(0, RANK_MAX, {
      title: 'Priority',
      description: 'Offers with the lowest number are tried first.',
      default: 1,
      operatorOnly: true,
    }),
    weight: numberFrom(0, RANK_MAX, {
      title: 'Weight',
      description: 'Share of the leads, if the marketplace chooses by weight.',
      default: 1,
      operatorOnly: true,
    }),
    status: oneOf(offerStatuses, { title: 'Status', default: 'active' }),
    filters: FiltersSchema,
    schedule: orUnset(listOf(HoursSchema, { minItems: 1, single: true, errorMessage: 'must not be an empty list' }), {
      title: 'Hours',
      description: 'In the partner’s time zone. Without hours the offer is always open.',
    }),
    caps: members(
      {
        daily: orUnset(wholeNumber(0, COUNT_MAX), { title: 'Daily cap' }),
        weekly: orUnset(wholeNumber(0, COUNT_MAX), { title: 'Weekly cap' }),
        monthly: orUnset(wholeNumber(0, COUNT_MAX), { title: 'Monthly cap' }),
      },
      { default: {} },
    ),
    budget: members(
      {
        daily: orUnset(amount(), { title: 'Daily budget' }),
        weekly: orUnset(amount(), { title: 'Weekly budget' }),
        monthly: orUnset(amount(), { title: 'Monthly budget' }),
      },
      { default: {} },
    ),
    rejections: members(
      {
        pauseAbove: orUnset(wholeNumber(0, 100), {
          title: 'Pause above (% rejected)',
          description: 'Instead of the marketplace’s share; 100 never pauses the offer.',
        }),
        responses: orUnset(wholeNumber(1, RESPONSES_MAX), {
          title: 'Responses a day, at least',
          description: 'Instead of the marketplace’s number.',
        }),
      },
      {
        default: {},
        description:
          'When the offer pauses for the day because its partner rejects leads. By default as the marketplace says.',
      },
    ),
    pacing: oneOf(['asap', 'even'], {
      title: 'Pacing',
      description: 'Spread the daily cap over the open hours, or take leads as they come.',
      default: 'asap',
    }),
    booking: orUnset(BookingSchema, {
      title: 'Booking',
      description: 'How calls are booked. For Calendar Assigned only.',
    }),
  },
  { check: 'offer' },
);

/** An offer in the words of the file, every member present. */
export type OfferForm = Static<typeof OfferSchema>;
export type HoursForm = Static<typeof HoursSchema>;

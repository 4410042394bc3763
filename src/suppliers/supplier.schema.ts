// Schema of a supplier in the marketplace file and the console: members, bounds, defaults and labels (contract 3.7, 5.8,
// 7.6, 11.1).
import { type Static, Type } from 'typebox';

import {
  amount,
  eventTypes,
  keyOf,
  line,
  type MemberCheck,
  members,
  nameMember,
  oneOf,
  orUnset,
  percent,
  rateLimitOf,
  setOf,
  stateList,
  wholeNumber,
} from '../marketplace/configured.schema.ts';

export const supplierStatuses = ['pending', 'approved', 'suspended'] as const;
export const callbackEvents = ['lead.processing_error', 'lead.routed', 'lead.rejected', 'lead.returned'] as const;

/** The default rate limit of a supplier's keys (contract 1.12). */
export const supplierRateLimit = { perSecond: 100, burst: 200 };

const payModels = ['none', 'fixed', 'share'] as const;
const clawbacks = ['full', 'none'] as const;

// Each lead walks the rules until one matches.
const PAY_RULES_MAX = 100;
const DAYS_MAX = 365;

const PayRuleSchema = members({
  when: members(
    {
      states: stateList('States'),
      sources: setOf(line(), { title: 'Sources', description: 'Source labels as sent by the supplier.' }),
      eventTypes: setOf(oneOf(eventTypes), { title: 'Types' }),
      minScore: orUnset(wholeNumber(0, 100), { title: 'Minimum score' }),
    },
    { title: 'Conditions', description: 'All must hold. An empty or missing one means any.' },
  ),
  amount: orUnset(amount(), { title: 'Amount per lead' }),
  percent: orUnset(percent(), { title: 'Share of the price (%)' }),
});

const PaySchema = members(
  {
    model: oneOf(payModels, {
      title: 'Pay',
      description: 'Nothing, an amount per sold lead, or a share of the price of each sale.',
      default: 'none',
    }),
    amount: orUnset(amount(), { title: 'Amount per lead', description: 'Owed once, at the first confirmed sale.' }),
    percent: orUnset(percent(), { title: 'Share of the price (%)', description: 'Owed for each confirmed sale.' }),
    rules: Type.Array(PayRuleSchema, {
      maxItems: PAY_RULES_MAX,
      title: 'Rules',
      description: 'The first rule that matches holds. Without a match the amount or share above holds.',
      default: [],
    }),
    clawback: members(
      {
        onReturn: oneOf(clawbacks, {
          title: 'Returned sales',
          description: 'Whether what was owed for a sale is taken back when its return or dispute is approved.',
          default: 'full',
        }),
        days: wholeNumber(0, DAYS_MAX, {
          title: 'Days for taking back',
          description: 'From the confirmation of the sale to the approval of its return or dispute.',
          default: 60,
        }),
      },
      { default: {} },
    ),
    hold: members(
      {
        days: wholeNumber(0, DAYS_MAX, {
          title: 'Days held',
          description: 'From the confirmation of a sale until what is owed for it can be paid out.',
          default: 14,
        }),
      },
      { default: {} },
    ),
  },
  { default: {}, check: 'pay' satisfies MemberCheck },
);

const MappedToSchema = Type.Union([
  Type.String(),
  members({
    to: Type.String(),
    transform: Type.Optional(Type.String({ description: 'How the value is converted before it is read.' })),
    format: Type.Optional(
      Type.String({
        description: 'Of the transforms time and date: how the value is written, such as MM/DD/YYYY h:mm A.',
      }),
    ),
    timeZone: Type.Optional(
      Type.String({ description: 'Of the transform time: the zone of values that name no offset, UTC by default.' }),
    ),
    orNothing: Type.Optional(
      Type.Boolean({ description: 'A value that cannot be read counts as not sent, instead of rejecting the lead.' }),
    ),
  }),
]);
const ConstantsSchema = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]));

export const SupplierSchema = members({
  key: keyOf('Key'),
  name: nameMember,
  status: oneOf(supplierStatuses, {
    title: 'Status',
    description: 'Only approved suppliers may post leads.',
    default: 'pending',
  }),
  vertical: orUnset(keyOf('Vertical'), {
    title: 'Vertical',
    description: 'Of leads that name none. Without it they belong to no vertical.',
  }),
  verticals: setOf(keyOf('Vertical'), {
    title: 'Other verticals',
    description: 'Which verticals its leads may name besides.',
  }),
  fieldMapping: Type.Record(Type.String(), Type.Union([MappedToSchema, ConstantsSchema]), {
    title: 'Field mapping',
    description: 'Incoming field names with the lead fields that they stand for; constants under $set.',
    default: {},
    check: 'fieldMapping' satisfies MemberCheck,
  }),
  callback: orUnset(
    members({
      url: line({ title: 'Callback URL', check: 'target' }),
      events: Type.Array(oneOf(callbackEvents), {
        uniqueItems: true,
        minItems: 1,
        title: 'Callback events',
        default: ['lead.processing_error'],
        errorMessage: 'must name at least one event',
      }),
    }),
    { title: 'Callback' },
  ),
  rateLimit: rateLimitOf(supplierRateLimit),
  timeZone: line({
    title: 'Time zone',
    description: 'Decides when the months of its statements begin and end.',
    default: 'UTC',
    check: 'timeZone',
  }),
  pay: PaySchema,
});

/** A supplier as in the file, with every member present. */
export type SupplierForm = Static<typeof SupplierSchema>;

// Lists and their loads in the console, in the operator's API and in the partners' portal (contract 15.1).
import { type Static, Type } from 'typebox';

import { listKinds, listUses, loadModes } from '../lists/list.ts';
import { pagedQuery, pageOf } from '../platform/http/list.schema.ts';
import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const count = Type.Integer();
const time = Type.String({ format: 'date-time' });
const Key = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
  description: 'Lower-case letters, digits and hyphens; unique among the lists of one owner.',
});
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\p{Cc}]*\\S[^\\p{Cc}]*$' });
const Kind = Type.Enum(listKinds, { description: 'What the list holds.' });
const Keys = Type.Array(Type.String({ minLength: 1, maxLength: 63 }), { maxItems: 1000, uniqueItems: true });

const recent = {
  recentLeads: orNull(
    Type.Integer({
      description:
        'How many leads of the last 30 days the newest load was compared with, at most 10,000: of a partner’s list those that it got. Null before a load has ended.',
    }),
  ),
  recentMatches: orNull(Type.Integer({ description: 'How many of its entries matched one of them.' })),
};

const list = {
  ...{ listId: text, key: text, name: text, kind: Kind },
  use: Type.Enum(listUses, {
    description: 'With `suppress` nobody gets the lead, with `exclude` some do not, with `sold` it is a duplicate.',
  }),
  partner: orNull(Type.String({ description: 'The partner whose list it is; null for the operator’s.' })),
  ...{ partners: Type.Array(text), offers: Type.Array(text) },
  entries: Type.Integer({ description: 'Different values that are on the list.' }),
  ...{ createdAt: time, loadedAt: orNull(time) },
  ...recent,
};
export const ListSchema = Type.Object(list);
export type ListView = Static<typeof ListSchema>;

const load = {
  loadId: count,
  state: Type.Enum(['loading', 'current', 'discarded'], {
    description: 'Entries count while their load is `current`. A load that gets no part for an hour is discarded.',
  }),
  ...{ mode: Type.Enum(loadModes), hashed: Type.Boolean(), skipInvalid: Type.Boolean(), expires: orNull(time) },
  ...{ parts: count, entries: count, rejected: count, begunAt: time, begunBy: text, endedAt: orNull(time) },
  ...recent,
};
export const LoadSchema = Type.Object(load);
export type LoadView = Static<typeof LoadSchema>;

export const ListsQuery = Type.Object(pagedQuery);
export type ListsQuery = Static<typeof ListsQuery>;
export const ListPageSchema = pageOf(ListSchema);
export type ListPage = Static<typeof ListPageSchema>;

export const ShownListSchema = Type.Object({
  ...list,
  loads: Type.Array(LoadSchema, { description: 'Newest first, at most 20.' }),
});
export type ShownList = Static<typeof ShownListSchema>;

export const ListParams = Type.Object({
  listId: Type.String({ description: 'The id of a list (`list_…`).' }),
});
export const LoadParams = Type.Object({
  ...ListParams.properties,
  loadId: Type.String({ description: 'The id of a load of the list: a number.' }),
});

/** For operators: of the marketplace, or of a partner. */
export const NewListBody = Type.Object(
  {
    key: Key,
    name: Name,
    kind: Kind,
    use: Type.Enum(listUses, {
      description:
        'With `suppress` nobody gets the lead, with `exclude` the named partners and offers do not, and with `sold` it counts as sold before, to the named partners or to all.',
    }),
    partner: Type.Optional(Type.String({ maxLength: 63, description: 'The partner whose own list it is.' })),
    partners: Type.Optional(Keys),
    offers: Type.Optional(Keys),
  },
  { additionalProperties: false },
);
export type NewList = Static<typeof NewListBody>;

/** For partners: an exclusion list of their own. Without offers it is for all of theirs. */
export const NewOwnListBody = Type.Object(
  { key: Key, name: Name, kind: Kind, offers: Type.Optional(Keys) },
  { additionalProperties: false },
);
export type NewOwnList = Static<typeof NewOwnListBody>;

/** What is left out stays as it is. */
export const ChangeListBody = Type.Object(
  {
    name: Type.Optional(Name),
    partners: Type.Optional(Type.Array(Keys.items, { ...Keys, description: 'In place of those that it names now.' })),
    offers: Type.Optional(Type.Array(Keys.items, { ...Keys, description: 'In place of those that it names now.' })),
  },
  { additionalProperties: false },
);
export type ChangeList = Static<typeof ChangeListBody>;

const VALUE = Type.String({ minLength: 1, maxLength: 320 });
export const CheckValueBody = Type.Object(
  { value: Type.String({ ...VALUE, description: 'A value of the list’s kind, or its SHA-256 or MD5.' }) },
  { additionalProperties: false },
);
export type CheckValue = Static<typeof CheckValueBody>;
export const CheckedValueSchema = Type.Object({
  listed: Type.Boolean(),
  expires: orNull(Type.String({ format: 'date-time', description: 'Null: never.' })),
});
export type CheckedValue = Static<typeof CheckedValueSchema>;

export const RemoveValuesBody = Type.Object(
  {
    values: Type.Array(VALUE, {
      minItems: 1,
      maxItems: 1000,
      description: 'Values of the list’s kind, or their SHA-256 or MD5.',
    }),
  },
  { additionalProperties: false },
);
export type RemoveValues = Static<typeof RemoveValuesBody>;
export const RemovedValuesSchema = Type.Object({
  removed: Type.Integer({ description: 'How many of them the list had.' }),
});
export type RemovedValues = Static<typeof RemovedValuesSchema>;
export const RemovedListSchema = Type.Object({ removed: Type.Boolean() });
export type RemovedList = Static<typeof RemovedListSchema>;

export const BeginLoadBody = Type.Object(
  {
    mode: Type.Enum(loadModes, {
      description: 'With `replace` the list then has these entries only, with `add` they come to the others.',
    }),
    hashed: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether every value must be a SHA-256, or an MD5 of a phone or an email address.',
      }),
    ),
    skipInvalid: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether rows with an error are left out; else they reject their part.',
      }),
    ),
    expires: Type.Optional(
      orNull(
        Type.String({
          maxLength: 40,
          description: 'A time or a day: when entries expire that do not say so themselves.',
        }),
      ),
    ),
  },
  { additionalProperties: false },
);
export type BeginLoad = Static<typeof BeginLoadBody>;

/** A part has at most so many characters. */
export const PART_LENGTH_MAX = 1_000_000;

export const LoadPartBody = Type.Object(
  {
    number: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'From 1, one after the other. A part can be sent again.',
    }),
    rows: Type.String({
      minLength: 1,
      maxLength: PART_LENGTH_MAX,
      description:
        'CSV with a header: a column `value` and, if wanted, `expires`. Values may be SHA-256 or, of phones and email addresses, MD5 in hexadecimal digits.',
    }),
  },
  { additionalProperties: false },
);
export type LoadPart = Static<typeof LoadPartBody>;

export const FinishLoadBody = Type.Object(
  { parts: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'How many parts were sent.' }) },
  { additionalProperties: false },
);
export type FinishLoad = Static<typeof FinishLoadBody>;

// Schema of a vertical and its own fields in the marketplace file and the console: members, bounds, defaults and labels (contract 7.6).
import { type Static, Type } from 'typebox';

import {
  keyOf,
  line,
  listOf,
  type MemberCheck,
  members,
  nameMember,
  oneOf,
  orUnset,
  wholeNumber,
} from './configured.schema.ts';

const verticalStatuses = ['active', 'closed'] as const;

export const fieldTypes = [
  'text',
  'integer',
  'number',
  'money',
  'boolean',
  'date',
  'datetime',
  'enum',
  'url',
  'zip',
  'email',
  'phone',
] as const;
export type FieldType = (typeof fieldTypes)[number];

/** A supplier posts it, and offers filter on it, under this name. */
export const OWN_FIELD_NAME = '^[a-z][a-z0-9_]{0,62}$';
// Each lead stores and each buyer gets all of them.
const FIELDS_MAX = 200;
const VALUES_MAX = 1000;
// As for the standard fields.
const TEXT_LENGTH_MAX = 500;
const LABEL_LENGTH_MAX = 100;

const bound = (title: string, description: string) =>
  Type.Union([Type.Number(), line({ maxLength: 50 }), Type.Null()], {
    title,
    description,
    default: null,
    errorMessage: 'must be a number, or a day such as "2026-01-31" or an instant such as "2026-01-31T12:00:00Z"',
  });

const FieldSchema = members(
  {
    name: Type.String({
      title: 'Name',
      description: 'As suppliers post it: `roof_age`.',
      pattern: OWN_FIELD_NAME,
      errorMessage:
        'must be a name such as roof_age: 1 to 63 lower-case letters, digits and underscores, beginning with a letter',
    }),
    label: line({
      title: 'Label',
      description: 'As people read it. By default the name.',
      maxLength: LABEL_LENGTH_MAX,
      optional: true,
    }),
    type: oneOf(fieldTypes, { title: 'Type', default: 'text' }),
    values: listOf(line(), {
      title: 'Values',
      description: 'For enum: what can be posted, in any case.',
      uniqueItems: true,
      ordered: true,
      default: [],
      maxItems: VALUES_MAX,
      errorMessage: `must be a list of at most ${VALUES_MAX} texts`,
    }),
    required: Type.Boolean({ title: 'Required', default: false }),
    min: bound('Minimum', 'The lowest number, day or instant that is accepted.'),
    max: bound('Maximum', 'The highest number, day or instant that is accepted.'),
    minLength: orUnset(wholeNumber(1, TEXT_LENGTH_MAX), { title: 'Minimum length', description: 'In characters.' }),
    maxLength: orUnset(wholeNumber(1, TEXT_LENGTH_MAX), { title: 'Maximum length', description: 'In characters.' }),
    personal: Type.Boolean({
      title: 'Personal',
      description: 'Tells about the person: decisions on a lead never show it.',
      default: false,
    }),
    delivered: Type.Boolean({ title: 'Delivered', description: 'Whether buyers get it.', default: true }),
    filterable: Type.Boolean({ title: 'Filterable', description: 'Whether offers may filter on it.', default: true }),
  },
  { check: 'ownField' satisfies MemberCheck },
);

export const VerticalSchema = members({
  key: keyOf('Key'),
  name: nameMember,
  status: oneOf(verticalStatuses, {
    title: 'Status',
    description: 'A closed vertical takes no leads.',
    default: 'active',
  }),
  fields: listOf(FieldSchema, {
    title: 'Fields',
    description: 'The fields of its leads besides the standard ones, in the order of deliveries and exports.',
    maxItems: FIELDS_MAX,
    default: [],
    check: 'ownFields' satisfies MemberCheck,
    errorMessage: `must be a list of at most ${FIELDS_MAX} fields`,
  }),
});

/** A vertical as in the file, with every member present. */
export type VerticalForm = Static<typeof VerticalSchema>;
export type OwnFieldForm = VerticalForm['fields'][number];

// The schemas of a report: its question, and its answer (contract 12.1).
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

export const reportDimensions = [
  'day',
  'week',
  'month',
  'hour',
  'weekday',
  'supplier',
  'source',
  'campaign',
  'partner',
  'offer',
  'eventType',
  'state',
  'scoreBand',
  'priceBand',
] as const;
export type ReportDimension = (typeof reportDimensions)[number];

export const reportMeasures = [
  'submitted',
  'accepted',
  'refused',
  'sold',
  'unsold',
  'sellThrough',
  'deliveries',
  'confirmed',
  'kept',
  'failed',
  'rejectionRate',
  'responses',
  'rejected',
  'duplicates',
  'rejectedRate',
  'duplicateRate',
  'returned',
  'returnRate',
  'revenue',
  'cost',
  'margin',
  'averagePrice',
  'medianSeconds',
] as const;
export type ReportMeasure = (typeof reportMeasures)[number];

/** Dimensions that are read from the time of what is counted; the others are columns. */
export const timeDimensions = ['day', 'week', 'month', 'hour', 'weekday'] as const;
export type TimeDimension = (typeof timeDimensions)[number];
export type ColumnDimension = Exclude<ReportDimension, TimeDimension>;

/** Spans that move with the day on which they are asked for. */
export const reportSpans = [
  'today',
  'yesterday',
  'last-7-days',
  'last-30-days',
  'last-90-days',
  'last-365-days',
  'this-month',
  'last-month',
  'this-year',
] as const;
export type ReportSpanName = (typeof reportSpans)[number];

export const REPORT_DIMENSIONS_MAX = 3;
/** More rows than a person reads or a chart shows; a file of them is still small. */
export const REPORT_ROWS_MAX = 10_000;
export const REPORT_ROWS_DEFAULT = 1000;
/** Two years, so that a year can be compared with the year before. */
export const REPORT_DAYS_MAX = 732;
const FILTER_VALUES_MAX = 200;
const VALUE_LENGTH_MAX = 200;

const day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-20'] });
const values = () =>
  Type.Optional(
    Type.Array(orNull(Type.String({ maxLength: VALUE_LENGTH_MAX })), { minItems: 1, maxItems: FILTER_VALUES_MAX }),
  );

const FiltersSchema = Type.Object(
  Object.fromEntries(reportDimensions.map((name) => [name, values()])) as Record<
    ReportDimension,
    ReturnType<typeof values>
  >,
  {
    additionalProperties: false,
    description:
      'Values of dimensions, as the keys of rows name them; null stands for no value. What is counted has one of the values of each dimension that is named.',
  },
);

export const ReportQuerySchema = Type.Object(
  {
    dimensions: Type.Array(Type.Enum([...reportDimensions]), {
      maxItems: REPORT_DIMENSIONS_MAX,
      uniqueItems: true,
      description: 'One row per combination of their values; without any there are totals only.',
    }),
    measures: Type.Array(Type.Enum([...reportMeasures]), { minItems: 1, uniqueItems: true }),
    filters: Type.Optional(FiltersSchema),
    from: Type.Optional(day('The first day, in the time zone. Default: 29 days before the last one.')),
    until: Type.Optional(day('The last day, inclusive, in the time zone. Default: today.')),
    span: Type.Optional(
      Type.Enum([...reportSpans], {
        description:
          'Instead of `from` and `until`, days relative to today, which is part of the span unless its name says otherwise.',
      }),
    ),
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'An IANA time zone. Default: that of the marketplace, or of the partner.',
        examples: ['America/New_York'],
      }),
    ),
    compare: Type.Optional(
      Type.Literal('previous', { description: 'Adds the values of the span of the same number of days before.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: REPORT_ROWS_MAX,
        default: REPORT_ROWS_DEFAULT,
        description: 'The number of rows at most.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ReportQuery = Static<typeof ReportQuerySchema>;

const ValuesSchema = Type.Record(Type.String(), orNull(Type.Number()), {
  description:
    'By measure. Amounts in the currency, rates from 0 to 1, seconds. Null where a measure has no value: a rate of nothing, or leads split by what only deliveries have.',
});

const SpanSchema = Type.Object({ from: Type.String({ format: 'date' }), until: Type.String({ format: 'date' }) });

export const ReportSchema = Type.Object(
  {
    from: Type.String({ format: 'date', description: 'The first day.' }),
    until: Type.String({ format: 'date', description: 'The last day, inclusive.' }),
    timeZone: Type.String(),
    currency: Type.String({ description: 'The currency of all amounts.' }),
    asOf: Type.String({ format: 'date-time', description: 'All figures are of this time.' }),
    isComplete: Type.Boolean({
      description: 'False while leads from before an upgrade are still being counted; they are missing until then.',
    }),
    before: orNull(SpanSchema),
    dimensions: Type.Array(Type.Enum([...reportDimensions])),
    measures: Type.Array(Type.Enum([...reportMeasures])),
    rows: Type.Array(
      Type.Object({
        keys: Type.Array(orNull(Type.String()), {
          description:
            'In the order of the dimensions: days as 2026-11-20, weeks by their Monday, months as 2026-11, hours as 00 to 23, weekdays as 1 (Monday) to 7; null for no value.',
        }),
        values: ValuesSchema,
        before: Type.Optional(ValuesSchema),
      }),
      {
        description:
          'In the order of the keys if the first dimension is one of time, else the largest of the first measure first.',
      },
    ),
    names: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
        description: 'The names of the suppliers, partners and offers in the rows, by dimension and key.',
      }),
    ),
    isCut: Type.Boolean({ description: 'More rows exist than the limit; the totals contain them.' }),
    totals: ValuesSchema,
    totalsBefore: orNull(ValuesSchema),
  },
  {
    $id: 'Report',
    title: 'Report',
    description: 'The answer to the question of a report: rows, totals, and on request those of the span before.',
    examples: [
      {
        ...{ from: '2026-11-01', until: '2026-11-20', timeZone: 'America/New_York', currency: 'USD' },
        ...{ asOf: '2026-11-20T15:04:05.000Z', isComplete: true, before: null },
        dimensions: ['partner'],
        measures: ['deliveries', 'revenue'],
        rows: [{ keys: ['summit'], values: { deliveries: 214, revenue: 5350 } }],
        names: { partner: { summit: 'Summit Debt Relief' } },
        isCut: false,
        totals: { deliveries: 214, revenue: 5350 },
        totalsBefore: null,
      },
    ],
  },
);
export type Report = Static<typeof ReportSchema>;
export type ReportValues = Static<typeof ValuesSchema>;

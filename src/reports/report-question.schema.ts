// A report's question as the parameters of a URL, for the pages and the API (contract 12.1).
import { type Static, Type } from 'typebox';

import { csvFileQuery } from '../platform/http/csv-file.schema.ts';

import { type ReportDimension, reportDimensions, ReportQuerySchema, reportMeasures } from './report.schema.ts';

const LIST_LENGTH_MAX = 4000;
const { from, until, span, timeZone, compare, limit } = ReportQuerySchema.properties;

const valuesOf = (name: string) =>
  Type.Optional(
    Type.String({
      maxLength: LIST_LENGTH_MAX,
      description: `Only what has one of these values of ${name}: separated by commas, each percent-encoded, \`-\` for no value.`,
    }),
  );

export const ReportQuestionSchema = Type.Object({
  by: Type.Optional(
    Type.String({
      maxLength: 200,
      description: `Up to three of ${reportDimensions.join(', ')}, separated by commas. Without any there are totals only.`,
      examples: ['supplier,day'],
    }),
  ),
  measures: Type.Optional(
    Type.String({
      maxLength: 400,
      description: `One or more of ${reportMeasures.join(', ')}, separated by commas. Default: all that the asker may see.`,
      examples: ['revenue,cost,margin'],
    }),
  ),
  from,
  until,
  span,
  timeZone,
  compare,
  limit,
  sort: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'The dimension or measure by which the rows are sorted, with `-` before it for the largest first. Default: in time, else by the first measure, largest first.',
      examples: ['-margin'],
    }),
  ),
  ...(Object.fromEntries(reportDimensions.map((name) => [name, valuesOf(name)])) as Record<
    ReportDimension,
    ReturnType<typeof valuesOf>
  >),
});
export type ReportQuestion = Static<typeof ReportQuestionSchema>;

export const ReportFileQuery = Type.Object({ ...ReportQuestionSchema.properties, ...csvFileQuery });
export type ReportFileQuery = Static<typeof ReportFileQuery>;

// Registers the two routes of a report, as JSON and as a CSV file, for the API, the portal and the console (contract 12.1, 12.2).
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import type { ProblemCode } from '../platform/http/problem-catalogue.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { invalidQuery } from '../platform/http/validation.ts';
import { readReport } from '../reports/read-report.ts';
import { readReportNames } from '../reports/read-report-names.ts';
import { BYTE_ORDER_MARK, isForExcel } from '../platform/http/stream-csv.ts';
import { reportCsv } from '../reports/report-csv.rules.ts';
import { readQuestion, sortedRows } from '../reports/report-question.rules.ts';
import { ReportFileQuery, type ReportQuestion, ReportQuestionSchema } from '../reports/report-question.schema.ts';
import type { ReportScope } from '../reports/report-scope.rules.ts';
import { type Report, ReportSchema } from '../reports/report.schema.ts';

export type ReportRoutes = {
  /** That of the JSON; the file is at the same path with `.csv`. */
  readonly path: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly scopeOf: (request: FastifyRequest) => ReportScope;
  /** Whose days a report has that names no time zone; by default those of the marketplace. */
  readonly timeZoneOf?: (request: FastifyRequest) => string;
  readonly config?: FastifyContextConfig;
  /** For routes in the API's document: `Csv` is added to the id for the file. */
  readonly documented?: {
    readonly operationId: string;
    readonly tags: string[];
    readonly problems?: readonly ProblemCode[];
    /** A sentence that the descriptions end with. */
    readonly note?: string;
  };
};

export function registerReport(
  scope: App,
  { path, database, clock, scopeOf, timeZoneOf, config = {}, documented }: ReportRoutes,
): void {
  const answer = (request: FastifyRequest, question: ReportQuestion, withNames: boolean): Promise<Report> =>
    answerReport(database, {
      question: timeZoneOf === undefined ? question : { timeZone: timeZoneOf(request), ...question },
      scope: scopeOf(request),
      now: clock.now(),
      withNames,
    });
  scope.addSchema(ReportSchema);
  scope.get(
    path,
    {
      config,
      schema: {
        ...(documented === undefined
          ? {}
          : {
              operationId: documented.operationId,
              tags: documented.tags,
              summary: 'Read a report',
              description: withNote(
                'Measures by up to three dimensions, over a span of days and on request over the span before.',
                documented.note,
              ),
            }),
        querystring: ReportQuestionSchema,
        response: {
          200: Type.Ref('Report'),
          ...(documented === undefined ? {} : documentedProblems('invalid_query', ...(documented.problems ?? []))),
        },
      },
      // The response already has exactly the members of the schema.
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => reply.send(await answer(request, request.query, true)),
  );
  scope.get(
    `${path}.csv`,
    {
      config: { ...config, responseHeaders: ['Content-Disposition'] },
      schema: {
        ...(documented === undefined
          ? {}
          : {
              operationId: `${documented.operationId}Csv`,
              tags: documented.tags,
              summary: 'Read a report as CSV',
              description: withNote(
                'The rows of the report, with the same columns and in the same order.',
                documented.note,
              ),
            }),
        querystring: ReportFileQuery,
        ...(documented === undefined
          ? {}
          : {
              response: {
                200: { description: 'The file.', content: { 'text/csv': { schema: Type.String() } } },
                ...documentedProblems('invalid_query', ...(documented.problems ?? [])),
              },
            }),
      },
    },
    async (request, reply) => {
      const report = await answer(request, request.query, false);
      const name = ['report', ...report.dimensions, report.from, report.until].join('_');
      return reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}.csv"`)
        .send(`${isForExcel(request) ? BYTE_ORDER_MARK : ''}${reportCsv(report)}`);
    },
  );
}

function withNote(text: string, note: string | undefined): string {
  return note === undefined ? text : `${text} ${note}`;
}

type Asking = {
  readonly question: ReportQuestion;
  readonly scope: ReportScope;
  readonly now: Date;
  readonly withNames: boolean;
};

/** Throws the refusal of a question that is wrong, or not allowed in the scope. */
async function answerReport(database: Database, { question, scope, now, withNames }: Asking): Promise<Report> {
  const read = readQuestion(question, scope.kind);
  if (!read.ok) throw invalidQuery([{ ...read.fault, code: 'invalid_format' }]);
  const { query, order } = read.asked;
  const { outcome, names } = await database.tx(
    async (tx) => {
      const report = await readReport(tx, query, scope, now);
      return { outcome: report, names: report.ok && withNames ? await readReportNames(tx, report.value) : null };
    },
    { snapshot: true },
  );
  if (!outcome.ok)
    throw invalidQuery([
      { field: outcome.field, code: 'not_allowed', message: outcome.detail ?? 'cannot be answered' },
    ]);
  return { ...outcome.value, rows: sortedRows(outcome.value, order), ...(names === null ? {} : { names }) };
}

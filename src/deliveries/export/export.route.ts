// GET /api/v1/buyer/export: the partner's deliveries as a CSV file (contract 6.6).
import { Type } from 'typebox';

import { utcDay } from '../../base/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { csvFileQuery } from '../../platform/http/csv-file.schema.ts';
import { documentedProblems } from '../../platform/http/problem-schema.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { sendCsvHeaders, type StreamLimits } from '../../platform/http/stream-csv.ts';
import { deliveryFilterSchema } from '../delivery-filter.schema.ts';
import { readDeliveryFilter } from '../delivery-filter.ts';
import { csvFileName, csvHeader } from './export-csv.rules.ts';
import type { ExportSlots } from './export-slots.ts';
import { makeSendExport } from './send-export.route.ts';

export type ExportDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  /** Shared by the API and the portal. */
  readonly slots: ExportSlots;
  /** For tests only. */
  readonly limits?: StreamLimits;
};

const CsvSchema = Type.String({
  description:
    "RFC 4180 in UTF-8: a line of column names, then one line for each delivery, all ending with CRLF; without a byte order mark. Instants are ISO 8601 UTC, money has two decimals, booleans are `true` or `false`, and unknown values are empty. Text that a spreadsheet would run as a formula, at its start or after a semicolon, tab or line break, is preceded by `'`. If you buy leads of verticals with fields of their own, a column `fields.NAME` follows for each of these fields; more are only ever added at the end.",
  examples: [
    `${csvHeader()}dlv_01m7wyk0h2emp81qch4dvtyn6a,LS-100042,Lead Sale,Confirmed,45.00,2026-11-20T17:03:12.418Z,false,Jordan Rivera,jordan.rivera@example.com,+15555550123,CA,24500.00,true,2026-11-20T17:03:11.000Z,v7,203.0.113.24,search,cpc,west,,,https://forms.example.com/debt?utm_source=search\r\n`,
  ],
});

export function registerExport(scope: App, { database, clock, slots, limits }: ExportDependencies): void {
  const sendExport = makeSendExport({ database, slots, limits });
  scope.get(
    '/api/v1/buyer/export',
    {
      config: { responseHeaders: ['Content-Disposition'] },
      attachValidation: true,
      schema: {
        operationId: 'exportDeliveries',
        summary: 'Export your deliveries as CSV',
        description:
          'All matching deliveries as they are at one instant, newest first by deliveredAt, then by deliveryId. Request gzip with `Accept-Encoding`. An aborted transfer is incomplete; a transfer of more than 15 minutes is aborted, so export long time spans in parts. One large export runs at a time per account: a second one gets 429.',
        tags: ['Buyer'],
        querystring: Type.Object({ ...deliveryFilterSchema, ...csvFileQuery }),
        response: {
          200: { description: 'The file.', content: { 'text/csv': { schema: CsvSchema } } },
          ...documentedProblems('partner_suspended'),
        },
      },
    },
    async (request, reply) => {
      const { filter, days } = readDeliveryFilter(request.query, { invalid: request.validationError });
      const fileName = csvFileName({ ...days, today: utcDay(clock.now()) });
      if (request.method === 'HEAD') return sendCsvHeaders({ request, reply, fileName });
      return sendExport(request, reply, {
        buyerKey: principalOf(request).ownerKey,
        filter,
        fileName: () => fileName,
      });
    },
  );
}

// GET /api/v1/sheets-config: how the partner's leads get into a spreadsheet, and what it has to set up (contract 6.17).
import { strict as assert } from 'node:assert';

import { Type } from 'typebox';

import { readBuyer } from '../../buyers/read-buyers.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { documentedProblems } from '../../platform/http/problem-schema.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { columnNames } from '../delivery-columns.rules.ts';
import { readSheetsConfig } from './sheets-config.ts';
import { orNull } from '../../platform/http/values.schema.ts';

export type SheetsConfigDependencies = {
  readonly database: Database;
  /** The address that partners share their sheets with; null if the operator has none. */
  readonly serviceAccountEmail: string | null;
  /** The title of the sheet that rows are appended to; null if it cannot be read now. */
  readonly sheetNameOf: (spreadsheetId: string) => Promise<string | null>;
};

const ConfigSchema = Type.Object(
  {
    mode: Type.Enum(['native', 'script', 'off'], {
      description:
        'native: leads are appended to the spreadsheet; script: they are posted to the older script; off: neither.',
    }),
    serviceAccountEmail: orNull(Type.String({ description: 'Share the spreadsheet with this address, as an editor.' })),
    spreadsheetId: orNull(Type.String({ description: 'The account’s sheetsSpreadsheetId.' })),
    sheetName: orNull(
      Type.String({ description: 'The first sheet, to which rows are appended; null while it cannot be read.' }),
    ),
    columns: Type.Array(Type.String(), {
      description:
        'The columns in their order, as in the CSV export. More may be added at the end; the first row of a sheet that has rows already is not changed.',
    }),
    scriptWebhookUrl: orNull(Type.String({ description: 'The account’s sheetsWebhookUrl.' })),
    lastAppendAt: orNull(Type.String({ format: 'date-time', description: 'The latest append that succeeded, UTC.' })),
    lastError: orNull(Type.String({ description: 'Why the latest append failed; null if it succeeded.' })),
  },
  {
    $id: 'SheetsConfig',
    description: 'How your leads are added to a spreadsheet.',
    examples: [
      {
        mode: 'native',
        serviceAccountEmail: 'leads@marketplace.iam.gserviceaccount.com',
        spreadsheetId: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
        sheetName: 'Sheet1',
        columns: [...columnNames],
        scriptWebhookUrl: null,
        lastAppendAt: '2026-11-20T17:03:12.431Z',
        lastError: null,
      },
    ],
  },
);

export function registerSheetsConfig(scope: App, dependencies: SheetsConfigDependencies): void {
  const { database, serviceAccountEmail, sheetNameOf } = dependencies;
  scope.addSchema(ConfigSchema);
  scope.get(
    '/api/v1/sheets-config',
    {
      schema: {
        operationId: 'getSheetsConfig',
        summary: 'Read your spreadsheet set-up',
        description:
          'For native delivery share the spreadsheet with `serviceAccountEmail` and save its id as `sheetsSpreadsheetId` in the account.',
        tags: ['Buyer'],
        response: { 200: Type.Ref('SheetsConfig'), ...documentedProblems('partner_suspended') },
      },
      // The response has exactly the members of the schema already.
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const config = await database.tx(
        async (tx) => {
          const buyer = await readBuyer(tx, principalOf(request).ownerKey);
          assert(buyer !== null, 'an authenticated partner is not in the database');
          return readSheetsConfig(tx, buyer);
        },
        { snapshot: true },
      );
      const { mode, spreadsheetId, columns, scriptWebhookUrl, lastAppendAt, lastError } = config;
      return reply.send({
        mode,
        serviceAccountEmail,
        spreadsheetId,
        sheetName: mode === 'native' && spreadsheetId !== null ? await sheetNameOf(spreadsheetId) : null,
        columns: [...columns],
        scriptWebhookUrl,
        lastAppendAt: lastAppendAt?.toISOString() ?? null,
        lastError,
      });
    },
  );
}

// The command `import`: takes over partners, suppliers, sold leads and balances from CSV files of another system (contract 7.10).
import type { Readable } from 'node:stream';

import { type Command, Option } from 'commander';

import type { CliContext } from '../platform/cli.ts';
import { type DayOrder, dayOrders } from './bank-day.rules.ts';
import { newFindings } from './findings.ts';
import { importBalances } from './import-balances.cli.ts';
import { importConfiguration } from './import-configuration.cli.ts';
import { type Imported, importResult, type ImportRun } from './import-report.ts';
import { importSold } from './import-sold.cli.ts';
import { openInput } from './open-input.ts';

export type ImportContext = CliContext &
  Pick<ImportRun, 'allowedTargets'> & {
    readonly stdin: Readable;
  };

type Import = (run: ImportRun) => Promise<Imported | null>;

const ALL_OR_NOTHING = 'If a row has an error, nothing is imported. A second run changes nothing.';
const DEFAULTS = 'An empty cell leaves the current value, or the default.';

export function registerImportCommands(parent: Command, context: ImportContext): void {
  const add = (name: string, description: string, importRows: Import): Command =>
    parent
      .command(name)
      .description(description)
      .argument('<file>', 'a CSV file with a header, in UTF-8; - is standard input')
      .option('--dry-run', 'only check all rows, and change nothing', false)
      .action((path: string, { dryRun, dates }: { dryRun: boolean; dates?: DayOrder }) =>
        runImport(context, { path, dryRun, dayOrder: dates ?? null, importRows }),
      );

  add(
    'partners',
    `partners by their key, with columns as in the marketplace file (settings.webhookUrl). ${DEFAULTS} ${ALL_OR_NOTHING}`,
    (run) => importConfiguration(run, 'partners'),
  );
  add(
    'suppliers',
    `suppliers by their key, with columns as in the marketplace file (callback.url). ${DEFAULTS} ${ALL_OR_NOTHING}`,
    (run) => importConfiguration(run, 'suppliers'),
  );
  add(
    'sold',
    'contacts that were sold, to recognise duplicates: phone, email, partner (empty or * blocks them for all partners), soldAt. ' +
      'A file is checked whole before the first row is written; of standard input, which can be read only once, rows with an error ' +
      'are left out. Rows are saved some thousand at a time; after an interruption run it again.',
    importSold,
  ).addOption(
    new Option('--dates <order>', 'whether the day or the month comes first in dates such as 11/12/2026').choices(
      dayOrders,
    ),
  );
  add(
    'balances',
    `balances as adjustments: partner or supplier, amount, reference, description. A reference of one is posted once. ${ALL_OR_NOTHING}`,
    importBalances,
  );
}

async function runImport(
  { withDatabase, clock, out, allowedTargets, stdin }: ImportContext,
  {
    path,
    dryRun,
    dayOrder,
    importRows,
  }: {
    readonly path: string;
    readonly dryRun: boolean;
    readonly dayOrder: DayOrder | null;
    readonly importRows: Import;
  },
): Promise<void> {
  const opened = await openInput(path, stdin);
  if (!opened.ok) return out.refuse('file_unreadable', `${path}: ${opened.message}`);
  const { input } = opened;
  const findings = newFindings();
  const progress = (text: string): void => out.progress(text);
  const imported = await withDatabase((database) =>
    importRows({ database, clock, allowedTargets, input, dryRun, dayOrder, findings, progress }),
  );
  if (imported === null) {
    return out.refuse('configuration_changed', 'The same was changed meanwhile. Nothing was imported; run it again.');
  }
  out.print(importResult(input, findings, imported), findings.faults > 0 ? 1 : 0);
}

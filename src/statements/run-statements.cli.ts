// The command `statements run`, which issues the statements of all suppliers for a month (contract 7.2, 11.3).
import { type Command, InvalidArgumentError } from 'commander';
import { commandLineActor } from '../audit/audit-event.ts';
import { formatCents } from '../base/money.ts';
import { findUnprintable, sellerTexts, supplierTexts, unprintableNote } from '../invoices/find-unprintable.ts';
import { parseMonth } from '../invoices/period.rules.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { type CliTable, noteOf } from '../platform/cli-output.ts';
import type { CliContext } from '../platform/cli.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import { runStatement, type StatementOutcome, type StatementRun, transactionOf } from './run-statement.ts';
import { notOverForAll } from './statement-month.rules.ts';
import { amountsView, statementForm } from './statement-view.rules.ts';

type RunOptions = { readonly month: string; readonly supplier?: string; readonly dryRun?: true };
type Line = StatementOutcome & { readonly supplierKey: string };

export function registerRunStatements(statements: Command, context: CliContext): void {
  statements
    .command('run')
    .description('issue the statements of a past month; existing ones are not changed')
    .requiredOption('--month <YYYY-MM>', "calendar month in each supplier's time zone", monthArgument)
    .option('--supplier <key>', 'only this supplier')
    .option('--dry-run', 'show what would be issued, without issuing')
    .action((options: RunOptions) => runAll(context, options));
}

export function monthArgument(text: string): string {
  const month = parseMonth(text);
  if (month === null) throw new InvalidArgumentError('Enter a month such as 2026-10.');
  return month;
}

async function runAll({ withDatabase, clock, out }: CliContext, options: RunOptions): Promise<void> {
  const { month, supplier: only, dryRun } = options;
  const run: StatementRun = { month, isDry: dryRun === true, actor: commandLineActor };
  const now = clock.now();
  await withDatabase(async (database) => {
    const all = await database.tx(readSuppliers);
    const suppliers = [...all.values()].filter(({ supplierKey }) => only === undefined || supplierKey === only);
    if (only !== undefined && suppliers.length === 0) {
      return out.refuse('supplier_not_found', `There is no supplier ${only}.`);
    }
    // All suppliers or none, so that no supplier is left out unnoticed.
    const early = notOverForAll(month, suppliers, now);
    if (early !== null) return out.refuse('month_not_over', `${early} Nothing was issued.`);
    const { settings } = await database.tx(readSettings);
    const unprintable = await findUnprintable([sellerTexts(settings), ...suppliers.map(supplierTexts)]);
    const lines: Line[] = [];
    for (const [index, supplier] of suppliers.entries()) {
      out.progress(`${supplier.supplierKey} (${index + 1} of ${suppliers.length})…`);
      const outcome = await database.tx((tx) => runStatement(tx, supplier, run, now), transactionOf(run));
      if (outcome !== null) lines.push({ ...outcome, supplierKey: supplier.supplierKey });
    }
    const lost = unprintable.length === 0 ? {} : { unprintable };
    const text = tableOf(lines, month, unprintableNote(unprintable));
    out.print({ json: { month, dryRun: run.isDry, data: lines.map(lineForm), ...lost }, text });
  });
}

function lineForm({ outcome, statement, supplierKey, amounts }: Line) {
  return statement === null
    ? { outcome, supplier: supplierKey, ...amountsView(amounts) }
    : { outcome, ...statementForm(statement) };
}

function tableOf(lines: readonly Line[], month: string, unprintable: string | null): CliTable {
  const rows = lines.map(({ outcome, statement, supplierKey, amounts }) => {
    const { carriedCents, earnedCents, clawedBackCents, paidOutCents, totalCents, heldCents } = amounts;
    const cents = [carriedCents, earnedCents, clawedBackCents, paidOutCents, totalCents, heldCents];
    return [supplierKey, statement?.number ?? null, OUTCOMES[outcome], ...cents.map((one) => formatCents(one))];
  });
  const isOld = lines.every(({ outcome }) => outcome === 'exists');
  return {
    columns: ['supplier', 'number', 'status', 'carried', 'earned', 'clawed back', 'paid out', 'total', 'held'],
    rows,
    empty: `Nothing to report for ${month}: no supplier earned anything, and no balance is open.`,
    ...noteOf([isOld ? `All statements of ${month} already existed.` : null, unprintable]),
  };
}

const OUTCOMES = { due: 'would be issued', issued: 'issued', exists: 'already issued' } as const;

// The command `statements run`, which issues the statements of all suppliers for a month (contract 7.2, 11.3).
import { type Command, InvalidArgumentError } from 'commander';
import { commandLineActor } from '../audit/audit-event.ts';
import { formatCents } from '../base/money.ts';
import { parseMonth } from '../invoices/period.rules.ts';
import type { CliTable } from '../platform/cli-output.ts';
import type { CliContext } from '../platform/cli.ts';
import type { Database } from '../platform/database/database.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { issueStatement } from './issue-statement.ts';
import { previewStatement } from './preview-statement.ts';
import { notOverForAll } from './statement-month.rules.ts';
import { amountsView, statementForm } from './statement-view.rules.ts';
import type { StatementAmounts, SupplierStatement } from './statement.ts';

type RunOptions = { readonly month: string; readonly supplier?: string; readonly dryRun?: true };
type Run = { readonly month: string; readonly isDry: boolean; readonly now: Date };

/** The result for one supplier: its statement, or a preview of it. */
type Line =
  | { readonly outcome: 'issued' | 'exists'; readonly statement: SupplierStatement }
  | { readonly outcome: 'due'; readonly supplierKey: string; readonly amounts: StatementAmounts };

export function registerRunStatements(statements: Command, context: CliContext): void {
  statements
    .command('run')
    .description('issue the statements of a past month; existing ones are not changed')
    .requiredOption('--month <YYYY-MM>', "calendar month in each supplier's time zone", monthArgument)
    .option('--supplier <key>', 'only this supplier')
    .option('--dry-run', 'show what would be issued, without issuing')
    .action((options: RunOptions) => run(context, options));
}

export function monthArgument(text: string): string {
  const month = parseMonth(text);
  if (month === null) throw new InvalidArgumentError('Enter a month such as 2026-10.');
  return month;
}

async function run({ withDatabase, clock, out }: CliContext, options: RunOptions): Promise<void> {
  const { month, supplier: only, dryRun } = options;
  const input: Run = { month, isDry: dryRun === true, now: clock.now() };
  await withDatabase(async (database) => {
    const all = await database.tx(readSuppliers);
    const suppliers = [...all.values()].filter(({ supplierKey }) => only === undefined || supplierKey === only);
    if (only !== undefined && suppliers.length === 0) {
      return out.refuse('supplier_not_found', `There is no supplier ${only}.`);
    }
    // All suppliers or none, so that no supplier is left out unnoticed.
    const early = notOverForAll(month, suppliers, input.now);
    if (early !== null) return out.refuse('month_not_over', `${early} Nothing was issued.`);
    const lines: Line[] = [];
    for (const [index, supplier] of suppliers.entries()) {
      out.progress(`${supplier.supplierKey} (${index + 1} of ${suppliers.length})…`);
      const line = await (input.isDry ? preview(database, supplier, input) : issue(database, supplier, input));
      if (line !== null) lines.push(line);
    }
    out.print({ json: { month, dryRun: input.isDry, data: lines.map(lineForm) }, text: tableOf(lines, month) });
  });
}

/** A separate transaction per statement: an aborted run leaves complete statements, and the next run continues. */
async function issue(database: Database, supplier: SupplierConfig, { month, now }: Run): Promise<Line | null> {
  const issued = await database.tx((tx) => issueStatement(tx, { supplier, month, actor: commandLineActor }, now));
  if (!issued.ok || issued.value.kind === 'none') return null;
  return { outcome: issued.value.kind, statement: issued.value.statement };
}

async function preview(database: Database, supplier: SupplierConfig, { month, now }: Run): Promise<Line | null> {
  const previewed = await database.tx((tx) => previewStatement(tx, { supplier, month }, now), { snapshot: true });
  if (!previewed.ok || previewed.value.kind === 'none') return null;
  if (previewed.value.kind === 'exists') return { outcome: 'exists', statement: previewed.value.statement };
  return { outcome: 'due', supplierKey: supplier.supplierKey, amounts: previewed.value.draft.amounts };
}

function lineForm(line: Line) {
  if (line.outcome !== 'due') return { outcome: line.outcome, ...statementForm(line.statement) };
  return { outcome: line.outcome, supplier: line.supplierKey, ...amountsView(line.amounts) };
}

function tableOf(lines: readonly Line[], month: string): CliTable {
  const rows = lines.map((line) => {
    const [supplier, number, amounts] =
      line.outcome === 'due'
        ? ([line.supplierKey, null, line.amounts] as const)
        : ([line.statement.supplierKey, line.statement.number, line.statement] as const);
    const { carriedCents, earnedCents, clawedBackCents, paidOutCents, totalCents, heldCents } = amounts;
    const cents = [carriedCents, earnedCents, clawedBackCents, paidOutCents, totalCents, heldCents];
    return [supplier, number, OUTCOMES[line.outcome], ...cents.map((one) => formatCents(one))];
  });
  const isOld = lines.every(({ outcome }) => outcome === 'exists');
  return {
    columns: ['supplier', 'number', 'status', 'carried', 'earned', 'clawed back', 'paid out', 'total', 'held'],
    rows,
    empty: `Nothing to report for ${month}: no supplier earned anything, and no balance is open.`,
    ...(isOld ? { note: `All statements of ${month} already existed.` } : {}),
  };
}

const OUTCOMES = { due: 'would be issued', issued: 'issued', exists: 'already issued' } as const;

// Runs the statements of a month from the operator's console, or previews the run, supplier by supplier (contract 11.3).
import { requestAuthor } from '../audit/request-author.ts';
import { wireAmount } from '../base/money.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { type Progress, progressStream } from '../platform/http/progress.ts';
import { findUnprintable, supplierTexts } from '../invoices/find-unprintable.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { runStatement, type StatementOutcome, type StatementRun, transactionOf } from '../statements/run-statement.ts';
import { payableCents } from '../statements/statement-amounts.rules.ts';
import { notOverForAll } from '../statements/statement-month.rules.ts';
import { amountsView } from '../statements/statement-view.rules.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { StatementRunBody, type StatementRunLine, type StatementRunResult } from './statements.schema.ts';

type Dependencies = { readonly database: Database; readonly clock: Clock };

/** The run continues after the client disconnects. */
export function registerStatementRun(scope: App, { database, clock }: Dependencies): void {
  const stream = progressStream<StatementRunLine>();
  scope.post(
    '/api/statements/run',
    { config: { permission: 'money' }, schema: { body: StatementRunBody } },
    async (request, reply) => {
      const { month, supplier, dryRun } = request.body;
      const now = clock.now();
      const all = [...(await database.tx(readSuppliers)).values()];
      const suppliers = all.filter(({ supplierKey }) => supplier === undefined || supplierKey === supplier);
      if (supplier !== undefined && suppliers.length === 0) return sendProblem(request, reply, NOT_FOUND);
      // All or none: a run must not leave suppliers out silently.
      const early = notOverForAll(month, suppliers, now);
      if (early !== null) return sendProblem(request, reply, { status: 409, code: 'month_not_over', detail: early });
      const run: StatementRun = { month, isDry: dryRun, ...requestAuthor(request) };
      return stream(request, reply, (progress) => reportAll(database, { suppliers, run, now }, progress));
    },
  );
}

type All = { readonly suppliers: readonly SupplierConfig[]; readonly run: StatementRun; readonly now: Date };

async function reportAll(
  database: Database,
  { suppliers, run, now }: All,
  { report, isStopping }: Progress<StatementRunLine>,
): Promise<void> {
  const outcomes: StatementOutcome[] = [];
  let done = 0;
  for (const supplier of suppliers) {
    if (isStopping()) break;
    const outcome = await database.tx((tx) => runStatement(tx, supplier, run, now), transactionOf(run));
    done += 1;
    if (outcome !== null) {
      outcomes.push(outcome);
      const [lost] = await findUnprintable([supplierTexts(supplier)]);
      report({ ...lineOf(supplier, outcome), unprintable: lost?.characters ?? '' });
    }
    report({ kind: 'progress', done, of: suppliers.length });
  }
  const fresh = outcomes.filter(({ outcome }) => outcome !== 'exists');
  const sum = (of: (amounts: StatementOutcome['amounts']) => number): number =>
    wireAmount(fresh.reduce((total, { amounts }) => total + of(amounts), 0));
  report({
    kind: 'end',
    isWhole: done === suppliers.length,
    suppliers: suppliers.length,
    statements: fresh.length,
    existed: outcomes.length - fresh.length,
    earned: sum(({ earnedCents }) => earnedCents),
    payable: sum(payableCents),
  });
}

function lineOf(
  { supplierKey, name }: SupplierConfig,
  { outcome, statement, amounts }: StatementOutcome,
): Omit<StatementRunResult, 'unprintable'> {
  const { carried, earned, clawedBack, paidOut, total, payable } = amountsView(amounts);
  const money = { carried, earned, clawedBack, paidOut, total, payable };
  const number = statement?.number ?? null;
  return { kind: 'line', outcome, supplier: supplierKey, supplierName: name, number, ...money };
}

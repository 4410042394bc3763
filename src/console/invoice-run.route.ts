// Runs the invoices of a month from the operator's console, or previews the run, partner by partner (contract 6.19, 7.2).
import type { AuditAuthor } from '../audit/audit-event.ts';
import { requestAuthor } from '../audit/request-author.ts';
import { wireAmount } from '../base/money.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { type Progress, progressStream } from '../platform/http/progress.ts';
import { type InvoiceRunLine, type InvoiceRunResult, RunBody } from './invoices.schema.ts';
import { findUnprintable, partnerTexts } from '../invoices/find-unprintable.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { issueInvoice } from '../invoices/issue-invoice.ts';
import { notOver } from '../invoices/period.rules.ts';
import { previewInvoice } from '../invoices/preview-invoice.ts';
import { amountsAtIssue } from '../invoices/settlement.rules.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';

export type ConsoleInvoiceRunDependencies = { readonly database: Database; readonly clock: Clock };

type Run = AuditAuthor & { readonly month: string; readonly isDry: boolean; readonly now: Date };

type Line = {
  readonly outcome: 'due' | 'issued' | 'exists';
  readonly number: string | null;
  readonly subtotalCents: number;
  readonly creditsCents: number;
  readonly totalCents: number;
  readonly amountDueCents: number;
};

/**
 * Each partner's invoice has its own transaction, so that an interrupted run leaves whole invoices and the next run continues. The run also
 * continues after the client disconnects.
 */
export function registerConsoleInvoiceRun(scope: App, { database, clock }: ConsoleInvoiceRunDependencies): void {
  const stream = progressStream<InvoiceRunLine>();
  scope.post(
    '/api/invoices/run',
    { config: { permission: 'money' }, schema: { body: RunBody } },
    async (request, reply) => {
      const { month, partner, dryRun } = request.body;
      const now = clock.now();
      const all = await database.tx(readBuyers);
      const buyers = [...all.values()].filter(({ buyerKey }) => partner === undefined || buyerKey === partner);
      if (partner !== undefined && buyers.length === 0) return sendProblem(request, reply, NOT_FOUND);
      // All or none: a run must not leave partners out silently.
      const early = notOver(month, buyers, now);
      if (early !== null) return sendProblem(request, reply, { status: 409, code: 'month_not_over', detail: early });
      const run: Run = { month, isDry: dryRun, ...requestAuthor(request), now };
      return stream(request, reply, (progress) => reportAll(database, { buyers, run }, progress));
    },
  );
}

async function reportAll(
  database: Database,
  { buyers, run }: { readonly buyers: readonly Buyer[]; readonly run: Run },
  { report, isStopping }: Progress<InvoiceRunLine>,
): Promise<void> {
  const lines: Line[] = [];
  let done = 0;
  for (const buyer of buyers) {
    if (isStopping()) break;
    const line = await (run.isDry ? preview(database, buyer, run) : issue(database, buyer, run));
    done += 1;
    if (line !== null) {
      lines.push(line);
      const [lost] = await findUnprintable([partnerTexts(buyer)]);
      const unprintable = lost?.characters ?? '';
      report({ kind: 'line', partner: buyer.buyerKey, partnerName: buyer.name, unprintable, ...lineView(line) });
    }
    report({ kind: 'progress', done, of: buyers.length });
  }
  const fresh = lines.filter(({ outcome }) => outcome !== 'exists');
  const sum = (of: (line: Line) => number): number => wireAmount(fresh.reduce((total, line) => total + of(line), 0));
  report({
    kind: 'end',
    isWhole: done === buyers.length,
    partners: buyers.length,
    invoices: fresh.length,
    existed: lines.length - fresh.length,
    total: sum(({ totalCents }) => totalCents),
    amountDue: sum(({ amountDueCents }) => amountDueCents),
  });
}

async function issue(database: Database, buyer: Buyer, { month, actor, origin, now }: Run): Promise<Line | null> {
  const issued = await database.tx((tx) => issueInvoice(tx, { buyer, month, actor, origin }, now), { patient: true });
  if (!issued.ok || issued.value.kind === 'none') return null;
  return { outcome: issued.value.kind, ...amountsOf(issued.value.invoice) };
}

async function preview(database: Database, buyer: Buyer, { month, now }: Run): Promise<Line | null> {
  const options = { snapshot: true, patient: true };
  const seen = await database.tx((tx) => previewInvoice(tx, { buyer, month }, now), options);
  if (!seen.ok || seen.value.kind === 'none') return null;
  if (seen.value.kind === 'exists') return { outcome: 'exists', ...amountsOf(seen.value.invoice) };
  const amounts = amountsAtIssue(seen.value.sums, {
    freeCents: seen.value.freeCents,
    taxBasisPoints: buyer.billing.taxBasisPoints,
  });
  return { outcome: 'due', number: null, ...amounts };
}

function amountsOf(invoice: Invoice): Omit<Line, 'outcome'> {
  const { number, subtotalCents, creditsCents, totalCents, amountDueCents } = invoice;
  return { number, subtotalCents, creditsCents, totalCents, amountDueCents };
}

function lineView({
  outcome,
  number,
  subtotalCents,
  creditsCents,
  totalCents,
  amountDueCents,
}: Line): Omit<InvoiceRunResult, 'kind' | 'partner' | 'partnerName' | 'unprintable'> {
  return {
    outcome,
    number,
    subtotal: wireAmount(subtotalCents),
    credits: wireAmount(creditsCents),
    total: wireAmount(totalCents),
    amountDue: wireAmount(amountDueCents),
  };
}

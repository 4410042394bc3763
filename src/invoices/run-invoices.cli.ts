// The command `invoices run`, which issues the invoices of all partners for a month (contract 6.19, 7.2).
import { type Command, InvalidArgumentError } from 'commander';

import { commandLineActor } from '../audit/audit-event.ts';
import { formatCents, wireAmount } from '../base/money.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { type CliTable, noteOf } from '../platform/cli-output.ts';
import type { CliContext } from '../platform/cli.ts';
import type { Database } from '../platform/database/database.ts';
import { findUnprintable, partnerTexts, sellerTexts, unprintableNote } from './find-unprintable.ts';
import { invoiceForm } from './invoice-view.rules.ts';
import type { Invoice } from './invoice.ts';
import { issueInvoice } from './issue-invoice.ts';
import { notOver, parseMonth } from './period.rules.ts';
import { previewInvoice } from './preview-invoice.ts';
import { amountsAtIssue } from './settlement.rules.ts';

type RunOptions = { readonly month: string; readonly partner?: string; readonly dryRun?: true };
type Run = { readonly month: string; readonly isDry: boolean; readonly now: Date };

/** The result for one partner: its invoice, or a preview of it. */
type Line =
  | { readonly outcome: 'issued' | 'exists'; readonly invoice: Invoice }
  | {
      readonly outcome: 'due';
      readonly buyerKey: string;
      readonly subtotalCents: number;
      readonly creditsCents: number;
      readonly totalCents: number;
    };

export function registerRunInvoices(invoices: Command, context: CliContext): void {
  invoices
    .command('run')
    .description('issue the invoices of a past month; existing ones are not changed')
    .requiredOption('--month <YYYY-MM>', "calendar month in each partner's time zone", monthArgument)
    .option('--partner <key>', 'only this partner')
    .option('--dry-run', 'show what would be invoiced, without issuing')
    .action((options: RunOptions) => run(context, options));
}

function monthArgument(text: string): string {
  const month = parseMonth(text);
  if (month === null) throw new InvalidArgumentError('Enter a month such as 2026-10.');
  return month;
}

async function run({ withDatabase, clock, out }: CliContext, options: RunOptions): Promise<void> {
  const { month, partner, dryRun } = options;
  const input: Run = { month, isDry: dryRun === true, now: clock.now() };
  await withDatabase(async (database) => {
    const all = await database.tx(readBuyers);
    const buyers =
      partner === undefined ? [...all.values()] : [all.get(partner)].filter((buyer) => buyer !== undefined);
    if (partner !== undefined && buyers.length === 0) {
      return out.refuse('partner_not_found', `There is no partner ${partner}.`);
    }
    // All partners or none, so that no partner is left out unnoticed.
    const early = notOver(month, buyers, input.now);
    if (early !== null) return out.refuse('month_not_over', `${early} Nothing was issued.`);
    const { settings } = await database.tx(readSettings);
    const unprintable = await findUnprintable([sellerTexts(settings), ...buyers.map(partnerTexts)]);
    const lines: Line[] = [];
    for (const [index, buyer] of buyers.entries()) {
      out.progress(`${buyer.buyerKey} (${index + 1} of ${buyers.length})…`);
      const line = await (input.isDry ? preview(database, buyer, input) : issue(database, buyer, input));
      if (line !== null) lines.push(line);
    }
    const scope: RunScope = { month, partner: partner ?? null, hasPartners: buyers.length > 0 };
    const lost = unprintable.length === 0 ? {} : { unprintable };
    const text = tableOf(lines, scope, unprintableNote(unprintable));
    out.print({ json: { month, dryRun: input.isDry, data: lines.map(lineForm), ...lost }, text });
  });
}

/** A separate transaction per invoice: an aborted run leaves complete invoices, and the next run continues. */
async function issue(database: Database, buyer: Buyer, { month, now }: Run): Promise<Line | null> {
  const issued = await database.tx((tx) => issueInvoice(tx, { buyer, month, actor: commandLineActor }, now));
  if (!issued.ok || issued.value.kind === 'none') return null;
  return { outcome: issued.value.kind, invoice: issued.value.invoice };
}

async function preview(database: Database, buyer: Buyer, { month, now }: Run): Promise<Line | null> {
  const previewed = await database.tx((tx) => previewInvoice(tx, { buyer, month }, now), { snapshot: true });
  if (!previewed.ok || previewed.value.kind === 'none') return null;
  if (previewed.value.kind === 'exists') return { outcome: 'exists', invoice: previewed.value.invoice };
  return {
    outcome: 'due',
    buyerKey: buyer.buyerKey,
    ...amountsAtIssue(previewed.value.sums, {
      freeCents: previewed.value.freeCents,
      taxBasisPoints: buyer.billing.taxBasisPoints,
    }),
  };
}

function lineForm(line: Line) {
  if (line.outcome !== 'due') return { outcome: line.outcome, ...invoiceForm(line.invoice) };
  const { outcome, buyerKey, subtotalCents, creditsCents, totalCents } = line;
  return {
    outcome,
    partner: buyerKey,
    subtotal: wireAmount(subtotalCents),
    credits: wireAmount(creditsCents),
    total: wireAmount(totalCents),
  };
}

type RunScope = {
  readonly month: string;
  /** Null for all. */
  readonly partner: string | null;
  readonly hasPartners: boolean;
};

function tableOf(lines: readonly Line[], scope: RunScope, unprintable: string | null): CliTable {
  const rows = lines.map((line) => {
    if (line.outcome === 'due') {
      const { buyerKey, subtotalCents, creditsCents, totalCents } = line;
      const total = formatCents(totalCents);
      return [buyerKey, null, 'would be issued', formatCents(subtotalCents), formatCents(creditsCents), total, null];
    }
    const { buyerKey, number, status, subtotalCents, creditsCents, totalCents, amountDueCents } = line.invoice;
    const state = line.outcome === 'exists' ? `already ${status}` : status;
    const amounts = [subtotalCents, creditsCents, totalCents, amountDueCents].map((cents) => formatCents(cents));
    return [buyerKey, number, state, ...amounts];
  });
  const isOld = lines.every(({ outcome }) => outcome === 'exists');
  return {
    columns: ['partner', 'number', 'status', 'charges', 'credits', 'total', 'due'],
    rows,
    empty: nothingToDo(scope),
    ...noteOf([isOld ? `All invoices of ${scope.month} already existed.` : null, unprintable]),
  };
}

function nothingToDo({ month, partner, hasPartners }: RunScope): string {
  const why = hasPartners
    ? `${partner === null ? 'no partner has charges' : `${partner} has no charges`} in this month, and no credits are open`
    : 'there are no partners yet';
  return `Nothing to invoice for ${month}: ${why}.`;
}

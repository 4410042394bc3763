// The content of a statement document, in order, independent of the format: in the shape that invoices are drawn from (contract 11.3).
import { Temporal } from '../base/temporal.ts';
import { amount, count, dayOf, plain } from '../invoices/document-text.rules.ts';
import type { DocumentTable, InvoiceDocument } from '../invoices/invoice-document.rules.ts';
import { payableCents } from './statement-amounts.rules.ts';
import type { LineKind, StatementDetail, SupplierStatement } from './statement.ts';

/** Days are in the time zone of the statement, amounts have two decimals and separators, texts contain no control characters. */
export function statementDocument(detail: StatementDetail): InvoiceDocument {
  const { statement } = detail;
  const tables = [daysTable(detail), payoutsTable(detail)];
  return {
    title: `Statement ${statement.number}`,
    number: statement.number,
    author: plain(statement.operatorName),
    stamp: null,
    parties: [
      { label: 'From', lines: [plain(statement.operatorName)] },
      { label: 'For', lines: [plain(statement.supplierName), `Supplier ${statement.supplierKey}`] },
    ],
    facts: facts(statement),
    tables: tables.filter(({ rows }) => rows.length > 0),
    totals: totals(statement),
    notes: notes(statement),
    issuedAt: statement.issuedAt,
  };
}

function facts({ month, timeZone, issuedAt, currency, number, totalCents }: SupplierStatement) {
  const { daysInMonth } = Temporal.PlainYearMonth.from(month);
  return [
    { label: 'Statement number', value: number },
    { label: 'Period', value: `${month}-01 to ${month}-${daysInMonth} (${timeZone})` },
    { label: 'Issued', value: dayOf(issuedAt, timeZone) },
    { label: 'Balance', value: `${amount(totalCents)} ${currency}` },
  ];
}

function daysTable({ statement, items }: StatementDetail): DocumentTable {
  const days = [...new Set(items.filter(({ kind }) => kind !== 'paid_out').map(({ day }) => day))];
  const rows = days.map((day) => {
    const find = (kind: LineKind) => items.find((item) => item.day === day && item.kind === kind);
    const cents = (kind: LineKind): string => amount(find(kind)?.amountCents ?? 0);
    return [
      day === 0 ? 'Before the period' : `${statement.month}-${String(day).padStart(2, '0')}`,
      count(find('earned')?.quantity ?? 0),
      cents('earned'),
      cents('clawed_back'),
      cents('adjusted'),
    ];
  });
  return {
    title: 'Earnings by day',
    columns: [
      { title: 'Day', isNumeric: false, share: 0.28 },
      { title: 'Leads', isNumeric: true, share: 0.12 },
      { title: 'Earned', isNumeric: true, share: 0.2 },
      { title: 'Clawed back', isNumeric: true, share: 0.2 },
      { title: 'Adjusted', isNumeric: true, share: 0.2 },
    ],
    rows,
    note: days.includes(0)
      ? 'Entries before the period were posted after the statement of their own month was issued.'
      : null,
  };
}

function payoutsTable({ statement, items, payouts }: StatementDetail): DocumentTable {
  const paid = items.filter(({ kind }) => kind === 'paid_out').reduce((sum, { quantity }) => sum + quantity, 0);
  const rest = paid - payouts.length;
  return {
    title: 'Payouts',
    columns: [
      { title: 'Day', isNumeric: false, share: 0.2 },
      { title: 'Reference', isNumeric: false, share: 0.6 },
      { title: 'Amount', isNumeric: true, share: 0.2 },
    ],
    rows: payouts.map(({ recordedAt, reference, amountCents }) => [
      dayOf(recordedAt, statement.timeZone),
      plain(reference),
      amount(0 - amountCents),
    ]),
    note: rest === 0 ? null : `${count(rest)} more payouts are in the CSV file.`,
  };
}

function totals(statement: SupplierStatement): InvoiceDocument['totals'] {
  const { carriedCents, earnedCents, clawedBackCents, paidOutCents, adjustedCents, totalCents, heldCents, currency } =
    statement;
  const line = (label: string, cents: number, isStrong = false) => ({ label, amount: amount(cents), isStrong });
  return [
    line('Carried over from before', carriedCents),
    line('Earned', earnedCents),
    line('Clawed back', 0 - clawedBackCents),
    ...(adjustedCents === 0 ? [] : [line('Adjusted', adjustedCents)]),
    line('Paid out', 0 - paidOutCents),
    line(`Balance in ${currency}`, totalCents, true),
    ...(heldCents === 0 ? [] : [line('Held until later', heldCents)]),
    line('Payable at the end of the period', payableCents({ totalCents, heldCents }), true),
  ];
}

function notes({ totalCents, heldCents, leads }: SupplierStatement): string[] {
  return [
    `${count(leads)} sales were paid for in this period. The CSV file has a line for each of them.`,
    ...(heldCents === 0 ? [] : ['Held earnings can be paid out when their hold has ended.']),
    ...(totalCents < 0
      ? ['More was taken back than earned: the difference is set off against your next earnings.']
      : []),
  ];
}

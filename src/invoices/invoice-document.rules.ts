// The content of an invoice document, in order, independent of the format (PDF or HTML).
import { Temporal } from '../base/temporal.ts';
import { formatCents } from '../base/money.ts';
import { amount, count, dayOf, plain } from './document-text.rules.ts';
import type { Invoice, InvoiceDetail, InvoiceItem, InvoicePosting, PartyDetails } from './invoice.ts';

export type DocumentColumn = {
  readonly title: string;
  /** Numbers are right-aligned. */
  readonly isNumeric: boolean;
  /** Share of the table's width; the columns of a table add up to 1. */
  readonly share: number;
};

export type DocumentTable = {
  readonly title: string;
  readonly columns: readonly DocumentColumn[];
  /** Cells in the order of the columns. */
  readonly rows: ReadonlyArray<readonly string[]>;
  /** Text below the table, or null. */
  readonly note: string | null;
};

export type InvoiceDocument = {
  readonly title: string;
  readonly number: string;
  /** The issuer. */
  readonly author: string;
  /** PAID, NOTHING DUE, OVERDUE or VOID; null while payment is not overdue. */
  readonly stamp: string | null;
  readonly parties: ReadonlyArray<{ readonly label: string; readonly lines: readonly string[] }>;
  readonly facts: ReadonlyArray<{ readonly label: string; readonly value: string }>;
  readonly tables: readonly DocumentTable[];
  readonly totals: ReadonlyArray<{ readonly label: string; readonly amount: string; readonly isStrong: boolean }>;
  readonly notes: readonly string[];
  readonly issuedAt: Date;
};

const STAMPS = { draft: null, issued: null, paid: 'PAID', overdue: 'OVERDUE', void: 'VOID' } as const;

/** Days are in the time zone of the invoice, amounts have two decimals and separators, user texts contain no control characters. */
export function invoiceDocument(detail: InvoiceDetail): InvoiceDocument {
  const { invoice } = detail;
  const tables = [chargesTable(detail), daysTable(detail), creditsTable(detail), paymentsTable(detail)];
  return {
    title: `Invoice ${invoice.number}`,
    number: invoice.number,
    author: plain(invoice.sellerName),
    stamp: owesNothing(invoice) ? 'NOTHING DUE' : STAMPS[invoice.status],
    parties: [
      { label: 'From', lines: [plain(invoice.sellerName), ...partyLines(invoice.sellerDetails)] },
      {
        label: 'Billed to',
        lines: [plain(invoice.buyerName), ...partyLines(invoice.buyerDetails), `Account ${invoice.buyerKey}`],
      },
    ],
    facts: facts(invoice),
    tables: tables.filter(({ rows }) => rows.length > 0),
    totals: totals(invoice),
    notes: notes(invoice),
    issuedAt: invoice.issuedAt,
  };
}

/** All texts of the document. */
export function printedTexts({
  title,
  number,
  author,
  stamp,
  parties,
  facts: listed,
  tables,
  totals: sums,
  notes: below,
}: InvoiceDocument): string[] {
  return [
    ...[title, number, author, stamp ?? ''],
    ...parties.flatMap(({ label, lines }) => [label, ...lines]),
    ...listed.flatMap(({ label, value }) => [label, value]),
    ...tables.flatMap(({ title: name, columns, rows, note }) => [
      ...[name, note ?? ''],
      ...columns.map((column) => column.title),
      ...rows.flat(),
    ]),
    ...sums.flatMap(({ label, amount: sum }) => [label, sum]),
    ...below,
  ];
}

/** Address and tax id below the name. */
export function partyLines({ address = [], taxId = null }: PartyDetails): string[] {
  return [...address.map(plain), ...(taxId === null ? [] : [`Tax id ${plain(taxId)}`])];
}

/** An invoice of credits only was never paid, and has no day by which it is due. */
function owesNothing({ status, totalCents }: Invoice): boolean {
  return status === 'paid' && totalCents <= 0;
}

function facts(invoice: Invoice): InvoiceDocument['facts'] {
  const { month, timeZone, issuedAt, dueAt, currency, number, amountDueCents } = invoice;
  const days = Temporal.PlainYearMonth.from(month);
  return [
    { label: 'Invoice number', value: number },
    { label: 'Period', value: `${month}-01 to ${month}-${days.daysInMonth} (${timeZone})` },
    { label: 'Issued', value: dayOf(issuedAt, timeZone) },
    ...(owesNothing(invoice) ? [] : [{ label: 'Due', value: dayOf(dueAt, timeZone) }]),
    { label: 'Amount due', value: `${amount(amountDueCents)} ${currency}` },
  ];
}

function chargesTable({ items }: InvoiceDetail): DocumentTable {
  const rows = grouped(items, (item) => `${item.unitCents} ${item.what}`).map(({ first, quantity, cents }) => [
    plain(first.what),
    count(quantity),
    amount(first.unitCents),
    amount(cents),
  ]);
  return {
    title: 'Charges',
    columns: [
      { title: 'Description', isNumeric: false, share: 0.46 },
      { title: 'Quantity', isNumeric: true, share: 0.14 },
      { title: 'Unit price', isNumeric: true, share: 0.2 },
      { title: 'Amount', isNumeric: true, share: 0.2 },
    ],
    rows,
    note: null,
  };
}

function daysTable({ invoice, items }: InvoiceDetail): DocumentTable {
  const rows = grouped(items, ({ day }) => String(day)).map(({ first, quantity, cents }) => [
    first.day === 0 ? 'Before the period' : `${invoice.month}-${String(first.day).padStart(2, '0')}`,
    count(quantity),
    amount(cents),
  ]);
  return {
    title: 'Charges by day',
    columns: [
      { title: 'Day', isNumeric: false, share: 0.6 },
      { title: 'Quantity', isNumeric: true, share: 0.2 },
      { title: 'Amount', isNumeric: true, share: 0.2 },
    ],
    rows,
    note: items.some(({ day }) => day === 0)
      ? 'Charges before the period were posted after the invoice of their own month.'
      : null,
  };
}

function creditsTable({ invoice, credits, creditCount }: InvoiceDetail): DocumentTable {
  const listed = credits.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const rest = creditCount - credits.length;
  return {
    title: 'Credits',
    columns: postingColumns,
    rows: credits.map((credit) => postingRow(credit, invoice.timeZone)),
    note:
      rest === 0
        ? null
        : `${count(rest)} more credits, ${amount(invoice.creditsCents - listed)} in total, are in the ledger.`,
  };
}

function paymentsTable({ invoice, payments }: InvoiceDetail): DocumentTable {
  const rows = payments.map((payment) => postingRow(payment, invoice.timeZone));
  return { title: 'Payments', columns: postingColumns, rows, note: null };
}

const postingColumns: readonly DocumentColumn[] = [
  { title: 'Day', isNumeric: false, share: 0.2 },
  { title: 'Description', isNumeric: false, share: 0.6 },
  { title: 'Amount', isNumeric: true, share: 0.2 },
];

function postingRow({ at, description, amountCents }: InvoicePosting, timeZone: string): readonly string[] {
  return [dayOf(at, timeZone), plain(description), amount(0 - amountCents)];
}

function totals(invoice: Invoice): InvoiceDocument['totals'] {
  const { subtotalCents, creditsCents, carriedInCents, carriedOutCents, totalCents } = invoice;
  const { taxBasisPoints, taxCents, fromBalanceCents, paidCents, amountDueCents, currency } = invoice;
  const line = (label: string, cents: number, isStrong = false) => ({ label, amount: amount(cents), isStrong });
  return [
    line('Subtotal', subtotalCents),
    line('Credits', 0 - creditsCents),
    ...(carriedInCents === 0 ? [] : [line('Carried over from an earlier invoice', 0 - carriedInCents)]),
    ...(carriedOutCents === 0 ? [] : [line('Carried over to the next invoice', carriedOutCents)]),
    ...(taxBasisPoints === 0
      ? []
      : [line('Net', totalCents - taxCents), line(`Tax ${formatCents(taxBasisPoints)}%`, taxCents)]),
    line('Total', totalCents, true),
    ...(fromBalanceCents === 0 ? [] : [line('Paid from your balance', 0 - fromBalanceCents)]),
    ...(paidCents === 0 ? [] : [line('Paid', 0 - paidCents)]),
    line(`Amount due in ${currency}`, amountDueCents, true),
  ];
}

function notes({
  status,
  totalCents,
  carriedOutCents,
  dueAt,
  timeZone,
  number,
  voidedAt,
  voidNote,
}: Invoice): string[] {
  if (status === 'void' && voidedAt !== null) {
    return [`Voided on ${dayOf(voidedAt, timeZone)}: ${plain(voidNote ?? '')}`, 'No payment is due.'];
  }
  if (totalCents < 0) {
    return [`More was credited than charged: ${amount(0 - totalCents)} stays in your balance. No payment is due.`];
  }
  if (carriedOutCents > 0) {
    return [
      `More was credited than charged: ${amount(carriedOutCents)} is carried over to the next invoice. No payment is due.`,
    ];
  }
  if (status === 'paid') return ['Paid in full. Thank you.'];
  return [`Please pay by ${dayOf(dueAt, timeZone)} and quote ${number} with your payment.`];
}

type Group = { readonly first: InvoiceItem; readonly quantity: number; readonly cents: number };

/** Groups in the order of their first item. */
function grouped(items: readonly InvoiceItem[], keyOf: (item: InvoiceItem) => string): Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const key = keyOf(item);
    const { first, quantity, cents } = groups.get(key) ?? { first: item, quantity: 0, cents: 0 };
    groups.set(key, {
      first,
      quantity: quantity + item.quantity,
      cents: cents + item.quantity * item.unitCents,
    });
  }
  return [...groups.values()];
}

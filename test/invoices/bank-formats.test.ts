// Tests that files of banks in 30 forms are booked in the right direction, and that no form or spreadsheet makes a payment count twice (contract 7.11).
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import { newUuid } from '../../src/base/ids.ts';
import { readBuyer } from '../../src/buyers/read-buyers.ts';
import type { NamedColumns } from '../../src/imports/bank-columns.rules.ts';
import { type ImportedPayment, importPayments } from '../../src/imports/import-payments.job.ts';
import { issueInvoice } from '../../src/invoices/issue-invoice.ts';
import { readFunds } from '../../src/ledger/funds.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import {
  bankFile,
  bankFormats,
  type BankFormat,
  type BankTransaction,
  throughSpreadsheet,
} from '../support/bank/formats.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

const keyOf = (index: number): string => `partner-${index}`;
const yaml = ['partners:', ...bankFormats.map((_format, index) => `  - { key: ${keyOf(index)}, channels: [] }`)].join(
  '\n',
);
const clock = handClock('2026-11-20T18:00:00.000Z');
let market: TestMarketplace;
const numbers: string[] = [];

beforeAll(async () => {
  market = await startTestMarketplace({ yaml, role: 'api', clock });
  for (const [index] of bankFormats.entries()) numbers.push(await invoiceOf(keyOf(index)));
});
afterAll(() => market.close());

async function invoiceOf(buyerKey: string): Promise<string> {
  const charge = {
    businessKey: newUuid(),
    type: 'charge',
    buyerKey,
    amountCents: 9_000_000,
    description: 'Leads',
  } as const;
  await market.database.tx((tx) => postTransfers(tx, [charge], new Date('2026-10-05T12:00:00.000Z')));
  return market.database.tx(async (tx) => {
    const buyer = await readBuyer(tx, buyerKey);
    if (buyer === null) throw new Error(`there is no ${buyerKey}`);
    const issued = await issueInvoice(tx, { buyer, month: '2026-10', actor: commandLineActor }, clock.now());
    if (!issued.ok || issued.value.kind === 'none') throw new Error('no invoice was issued');
    return issued.value.invoice.number;
  });
}

type Counts = {
  readonly posted: number;
  readonly faults: readonly string[];
  readonly payments: readonly ImportedPayment[];
};

async function importFile(text: string, named: NamedColumns = {}): Promise<Counts> {
  const payments: ImportedPayment[] = [];
  const faults: string[] = [];
  const open = (): Readable => Readable.from([Buffer.from(text)]);
  const run = { database: market.database, clock, open, named, dayOrder: null, dryRun: false };
  for await (const read of importPayments({ ...run, actor: commandLineActor, origin: noOrigin })) {
    if (read.ok) payments.push(read.value);
    else faults.push(...read.faults.map(({ line, column, message }) => `${line}:${column} ${message}`));
  }
  const posted = payments.filter(({ fate }) => fate === 'paid' || fate === 'differs').length;
  return { posted, faults, payments };
}

const balanceOf = async (key: string): Promise<number | undefined> =>
  (await market.database.tx((tx) => readFunds(tx, [key]))).get(key)?.balanceCents;

/** Two are equal, and a refund names the invoice as a payment does. */
function transactionsOf(number: string): readonly BankTransaction[] {
  return [
    { day: '2026-11-03', cents: 4000, direction: 'in', text: `${number} part 1` },
    { day: '2026-11-03', cents: 123_450, direction: 'in', text: `Rechnung ${number}, danke` },
    { day: '2026-11-04', cents: 8400, direction: 'out', text: `Refund ${number}` },
    { day: '2026-11-05', cents: 2000, direction: 'in', text: `${number} rate` },
    { day: '2026-11-05', cents: 2000, direction: 'in', text: `${number} rate` },
    { day: '2026-11-17', cents: 1999, direction: 'in', text: `${number} rest` },
    { day: '2026-11-18', cents: 7700, direction: 'in', text: `${number} later`, isPending: true },
  ];
}
const CAME_IN = 4000 + 123_450 + 2000 + 2000 + 1999;

/** Its columns have short names of the standard, which no list knows. */
const namedFor = ({ header }: BankFormat): NamedColumns =>
  header.startsWith('BookgDt') ? { date: 'BookgDt', amount: 'Amt', text: 'RmtInf' } : {};

describe('bank files of 30 forms', () => {
  it.each(bankFormats.map((format, index) => [format.name, format, index] as const))(
    'posts what came in and nothing else, once: %s',
    async (_name, format, index) => {
      const number = numbers[index] ?? '';
      const transactions = transactionsOf(number);
      const file = bankFile(format, transactions);
      const first = await importFile(file, namedFor(format));
      expect(first.faults).toEqual([]);
      expect(first.posted).toBe(5);
      expect(first.payments.map(({ fate }) => fate)).toEqual([
        ...['differs', 'differs', 'outgoing', 'differs', 'differs', 'differs'],
        ...(format.hasPending ? ['not_booked'] : []),
      ]);
      expect(await balanceOf(keyOf(index))).toBe(CAME_IN - 9_000_000);

      const other = bankFormats[(index + 1) % bankFormats.length] ?? format;
      const again = [
        await importFile(file, namedFor(format)),
        await importFile(throughSpreadsheet(file, format), namedFor(format)),
        await importFile(throughSpreadsheet(bankFile(other, transactions), other), namedFor(other)),
      ];
      expect(again.map(({ posted }) => posted)).toEqual([0, 0, 0]);
      expect(again[1]?.payments.filter(({ fate }) => fate === 'known')).toHaveLength(5);
      expect(await balanceOf(keyOf(index))).toBe(CAME_IN - 9_000_000);
    },
  );
});

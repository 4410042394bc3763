// Tests how lines of banks' CSV files are read (contract 7.11).
import { describe, expect, it } from 'vitest';

import { bankColumns, readNamedColumns, separatorOf } from './bank-columns.rules.ts';
import { invoiceNumbersIn, readBankAmount, readBankLine } from './bank-line.rules.ts';

describe('readBankAmount', () => {
  it.each([
    ['1250.00', 125_000],
    ['1,250.00', 125_000],
    ['1.250,00', 125_000],
    ['1 250,00', 125_000],
    ["1'250.5", 125_050],
    ['1250', 125_000],
    ['1,234,567.89', 123_456_789],
    ['1.234.567', 123_456_700],
    ['-80,50', -8050],
    ['80,50-', -8050],
    ['+80.50', 8050],
    ['$1,250.00', 125_000],
    ['45,00 EUR', 4500],
    ['EUR 45,00', 4500],
    ['-$45.00', -4500],
    ['0,07', 7],
    ['1.250', null],
    ['1,250', null],
    ['12.345.6', null],
    ['1,250,00', null],
    ['1.2.3', null],
    ['45,001', null],
    ['', null],
    ['-', null],
    ['--5', null],
    ['-5-', null],
    ['1e5', null],
    ['NaN', null],
    ['12 34', null],
    ['12345678901', null],
  ])('reads %j as %j', (text, cents) => {
    expect(readBankAmount(text)).toBe(cents);
  });
});

describe('invoiceNumbersIn', () => {
  it.each([
    ['Invoice INV-2026-000042, thank you', ['INV-2026-000042']],
    ['inv 2026 000042', ['INV-2026-000042']],
    ['RE:INV2026000042', ['INV-2026-000042']],
    ['INV-2026-000042 INV-2026-000042', ['INV-2026-000042']],
    ['INV-2026-000041 and INV-2026-000042', ['INV-2026-000041', 'INV-2026-000042']],
    ['INV-2026-00042', []],
    ['INV-2026-1234567', ['INV-2026-1234567']],
    ['XINV-2026-000042', []],
    ['payment 2026-000042', []],
  ])('finds in %j %j', (text, numbers) => {
    expect(invoiceNumbersIn(text)).toEqual(numbers);
  });
});

describe('bankColumns', () => {
  it.each([
    [['Date', 'Description', 'Amount'], { date: 0, text: [1], amount: 2 }],
    [
      ['Buchungstag', 'Valuta', 'Auftraggeber', 'Verwendungszweck', 'Betrag', 'Währung'],
      { date: 0, amount: 4, text: [3], name: 2, currency: 5 },
    ],
    [['Value Date', 'Booking Date', 'Reference', 'Details', 'Credit', 'Debit'], { date: 1, amount: 4, text: [2, 3] }],
    [['Transaction ID', 'date', 'amount', 'memo', 'payer'], { id: 0, date: 1, amount: 2, text: [3], name: 4 }],
  ])('finds the columns of %j', (header, expected) => {
    expect(bankColumns(header)).toMatchObject({ ok: true, columns: expected });
  });

  it('takes the columns that are named, and says what is missing', () => {
    const header = ['When', 'What', 'How much'];
    expect(bankColumns(header, { date: 'when', amount: 'How Much', text: 'What' })).toMatchObject({
      columns: { date: 0, amount: 2, text: [1] },
    });
    const found = bankColumns(header, { date: 'Day' });
    expect(found.ok ? [] : found.messages).toEqual([
      'there is no column "Day"; the columns are: When, What, How much',
      'no column for the amount was found; name it with amount=COLUMN; the columns are: When, What, How much',
      'no column for the text was found; name it with text=COLUMN; the columns are: When, What, How much',
    ]);
  });

  it('reads the names of columns', () => {
    expect(readNamedColumns('date=Tag, amount=Wert in EUR')).toEqual({ date: 'Tag', amount: 'Wert in EUR' });
    expect(readNamedColumns('day=Tag')).toMatch(/^Write role=COLUMN/);
  });

  it.each([
    ['Date;Amount;Text\n', ';'],
    ['"Date, day","Amount"\n', ','],
    ['\n\nDate\tAmount, net\tText', '\t'],
    ['Date', ';'],
  ])('finds the separator of %j', (start, separator) => {
    expect(separatorOf(start)).toBe(separator);
  });
});

describe('readBankLine', () => {
  const found = bankColumns(['Date', 'Amount', 'Text', 'Name', 'Currency']);
  if (!found.ok) throw new Error('the columns were not found');
  const read = (...cells: string[]) => readBankLine({ line: 2, cells }, found.columns, 'USD');

  it('gives equal lines the same identity, whatever their blanks, and others another', () => {
    const identity = (...cells: string[]): string => {
      const line = read(...cells);
      return line.ok ? line.value.identity : 'fault';
    };
    const one = identity('2026-11-03', '45.00', 'INV-2026-000001', 'Summit', 'USD');
    expect(identity('2026-11-03', '45,00', ' INV-2026-000001  ', 'Summit', '')).toBe(one);
    expect(identity('2026-11-04', '45.00', 'INV-2026-000001', 'Summit', 'USD')).not.toBe(one);
  });

  it('reports every fault of a line at its column', () => {
    const line = read('soon', '4,5,6', 'INV-2026-000001', 'Summit', 'EUR');
    expect(line.ok ? [] : line.faults.map(({ column }) => column)).toEqual([1, 2, 5]);
  });
});

// Tests how lines of banks' CSV files are read (contract 7.11).
import { describe, expect, it } from 'vitest';

import { bankColumns, readNamedColumns } from './bank-columns.rules.ts';
import { dayOrderIn, readBankDay, spellingsOf } from './bank-day.rules.ts';
import { surveyOf } from './bank-layout.rules.ts';
import { invoiceNumbersIn, readBankLine } from './bank-line.rules.ts';
import { csvFormOf } from './csv-form.rules.ts';

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
      { date: 0, amount: 4, text: [3], name: 2, currency: [5] },
    ],
    [
      ['Value Date', 'Booking Date', 'Reference', 'Details', 'Credit', 'Debit'],
      { date: 1, amount: null, credit: 4, debit: 5, text: [2, 3] },
    ],
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
    ['Date', ','],
  ])('finds the separator of %j', (start, separator) => {
    expect(csvFormOf(start).separator).toBe(separator);
  });
});

describe('readBankDay', () => {
  it.each([
    ['2026-11-03', null, '2026-11-03'],
    ['2026-11-03 00:00', null, '2026-11-03'],
    ['2026/11/03', null, '2026-11-03'],
    ['20261103', null, '2026-11-03'],
    ['3.11.26', null, '2026-11-03'],
    ['03.11.2026', 'month-first', '2026-11-03'],
    ['11/3/2026', 'month-first', '2026-11-03'],
    ['3/11/2026', 'day-first', '2026-11-03'],
    ['11/3/2026', null, 'order'],
    ['11/11/2026', null, '2026-11-11'],
    ['30/11/2026', null, '2026-11-30'],
    ['30/11/2026', 'month-first', 'other_order'],
    ['3-Nov-26', null, '2026-11-03'],
    ['Nov 3, 2026', null, '2026-11-03'],
    ['31.02.2026', null, 'form'],
    ['26/11/03', null, 'form'],
    ['0000-00-00', null, 'form'],
    ['soon', null, 'form'],
  ] as const)('reads %j, %s, as %s', (text, order, expected) => {
    const read = readBankDay(text, order);
    expect(read.ok ? read.day : read.why).toBe(expected);
  });

  it('knows the order in every date with a day above 12, and reads each of its own spellings back', () => {
    expect(['13/1/2026', '1/13/2026', '1/2/2026', '2/2/2026'].map((text) => dayOrderIn(text))).toEqual([
      'day-first',
      'month-first',
      null,
      'either',
    ]);
    for (const text of spellingsOf('2026-11-13'))
      expect(readBankDay(text, null)).toEqual({ ok: true, day: '2026-11-13' });
  });
});

describe('readBankLine', () => {
  const readIn = (header: readonly string[], rows: readonly string[][], currency = 'USD') => {
    const found = bankColumns(header);
    if (!found.ok) throw new Error(found.messages.join());
    const survey = surveyOf(found.columns, currency, null);
    for (const row of rows) survey.take(row);
    return rows.map((cells) => readBankLine({ line: 2, cells }, survey.layout(), currency));
  };
  const read = (...cells: string[]) => readIn(['Date', 'Amount', 'Text', 'Name', 'Currency'], [cells])[0];
  const identity = (...cells: string[]): string => {
    const line = read(...cells);
    return line?.ok === true ? line.value.identity : 'fault';
  };

  it('gives the same day, amount and text the same identity, however they are written, and others another', () => {
    const one = identity('2026-11-13', '45.00', 'INV-2026-000001 Café', 'Summit', 'USD');
    for (const [date = '', amount = '', text = ''] of [
      ['11/13/2026', '45', ' INV-2026-000001  Café'],
      ['13.11.26', '45,0', 'inv-2026-000001 Cafe\u0301'],
      ['2026-11-13T00:00:00', '$45.00', 'INV-2026-0000 01\u00a0CAFÉ'],
    ]) {
      expect(identity(date, amount, text, 'SUMMIT', '')).toBe(one);
    }
    expect(identity('2026-11-14', '45.00', 'INV-2026-000001 Café', 'Summit', 'USD')).not.toBe(one);
    expect(identity('2026-11-13', '45.01', 'INV-2026-000001 Café', 'Summit', 'USD')).not.toBe(one);
  });

  it('reports every fault of a line at its column', () => {
    const line = read('soon', '4,5,6', 'INV-2026-000001', 'Summit', 'EUR');
    expect(line?.ok === false ? line.faults.map(({ column }) => column) : []).toEqual([1, 2, 5]);
  });

  const said = (header: string, ...rows: string[]) =>
    readIn(
      header.split(';'),
      rows.map((row) => row.split(';')),
    ).map((line) =>
      line.ok
        ? line.value.amountCents <= 0
          ? 'out'
          : line.value.isBooked
            ? 'in'
            : 'not booked'
        : line.faults.map(({ column }) => `fault ${column}`).join(),
    );

  it.each([
    ['Date;Text;Amount;Anything', ['D', 'C', 'D'], ['out', 'in', 'out']],
    ['Date;Text;Amount;Kierunek', ['Obciążenie', 'uznanie', 'przelew'], ['out', 'in', 'fault 4']],
    ['Date;Text;Amount;Debe/Haber', ['debe', 'Haber', ''], ['out', 'in', 'fault 4']],
    ['Date;Text;Amount;Type', ['ACH_DEBIT', 'ACH_CREDIT', 'FEE'], ['out', 'in', 'fault 4']],
    ['Date;Text;Amount;Type', ['Direct Debit', 'POS', 'Card'], ['fault 4', 'fault 4', 'fault 4']],
    ['Date;Text;Amount;Type', ['POS', 'ACH', ''], ['in', 'in', 'in']],
    ['Date;Text;Amount;Booked', ['no', 'yes', 'maybe'], ['not booked', 'in', 'fault 4']],
    ['Date;Text;Amount;Status', ['Umsatz vorgemerkt', 'gebucht', 'nicht gebucht'], ['not booked', 'in', 'not booked']],
    ['Date;Text;Amount;Info', ['Umsatz vorgemerkt', 'Zahlung storniert', 'x'], ['not booked', 'not booked', 'in']],
    ['Date;Text;Amount;Whg', ['USD', 'EUR', 'USD'], ['in', 'fault 4', 'in']],
    ['Date;Text;Amount;Currency', ['usd', '$', 'CAD'], ['in', 'in', 'fault 4']],
    ['Date;Text;Amount;Debited', ['84.00', '0.00', 'yes'], ['out', 'in', 'out']],
    ['Date;Text;Amount;Is credit', ['false', 'true', ''], ['out', 'in', 'in']],
    ['Date;Text;Amount;Debit account', ['4711', '84', '12345678'], ['in', 'out', 'in']],
    ['Date;Text;Amount;State', ['CA', 'pending', 'odd'], ['in', 'not booked', 'fault 4']],
    ['Date;Text;Amount;Debit', ['', '84.00', '12.00'], ['in', 'out', 'fault 4']],
  ])('understands %s: %j', (header, cells, expected) => {
    expect(said(header, ...cells.map((cell) => `2026-11-13;x;84.00;${cell}`))).toEqual(expected);
  });

  it.each([
    ['84.00', 'in'],
    ['(84.00)', 'out'],
    ['$(84.00)', 'out'],
    ['84.00 CR', 'in'],
    ['84.00DR', 'out'],
    ['Dr. 84.00', 'out'],
    ['\u221284.00', 'out'],
    ['84.00-', 'out'],
    ['84,00 S', 'out'],
    ['84,00 H', 'in'],
    ['84.00 EUR', 'fault 3'],
    ['€84.00', 'fault 3'],
    ['USD 84.00', 'in'],
    ['84.00 pending', 'fault 3'],
    ['-84.00 CR', 'fault 3'],
  ])('understands the amount %j as %s', (amount, expected) => {
    expect(said('Date;Text;Amount', `2026-11-13;x;${amount}`)).toEqual([expected]);
  });

  it('takes an amount without a minus for money that came in where others have one, and believes no cell against another', () => {
    const rows = ['2026-11-13;x;-84.00;FEE', '2026-11-13;x;84.00;ACH', '2026-11-13;x;-84.00;CREDIT'];
    expect(said('Date;Text;Amount;Type', ...rows)).toEqual(['out', 'in', 'fault 4']);
    expect(said('Date;Text;Debit;Credit', '2026-11-13;x;84.00;84.00')).toEqual(['fault 3']);
  });
});

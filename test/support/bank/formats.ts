// Files as banks of many countries write them: the same six transactions in the form of each bank, and what a spreadsheet makes of a file.
import { parse } from 'csv-parse/sync';

export type BankTransaction = {
  /** As in 2026-11-30. */
  readonly day: string;
  readonly cents: number;
  readonly direction: 'in' | 'out';
  /** Only in formats that know pending lines. */
  readonly isPending?: boolean;
  readonly text: string;
};

type Cell = (transaction: BankTransaction, index: number) => string;
export type BankFormat = {
  readonly name: string;
  readonly header: string;
  /** Of the header. */
  readonly separator: string;
  readonly cells: readonly Cell[];
  readonly hasPending: boolean;
  /** What a spreadsheet in this language makes of dates and amounts. */
  readonly sheet: 'english' | 'german';
};

const parts = (day: string): readonly string[] => day.split('-');
const dashed: Cell = ({ day }) => parts(day).toReversed().join('-');
const timed: Cell = ({ day }) => `${day} 09:30:00`;
const iso: Cell = ({ day }) => day;
const dotted: Cell = ({ day }) => parts(day).toReversed().join('.');
const american: Cell = ({ day }) => {
  const [year = '', month = '', date = ''] = parts(day);
  return `${month}/${date}/${year}`;
};
const british: Cell = ({ day }) => parts(day).toReversed().join('/');
const compact: Cell = ({ day }) => day.replaceAll('-', '');
const text: Cell = (transaction) => transaction.text;
const empty: Cell = () => '';
const fixed =
  (value: string): Cell =>
  () =>
    value;

const grouped = (digits: string, mark: string): string => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, mark);
const written = (cents: number, mark: string, point: string): string =>
  `${grouped(String(Math.trunc(cents / 100)), mark)}${point}${String(cents % 100).padStart(2, '0')}`;
const bare = (cents: number): string => written(cents, '', '.');
const european = (cents: number): string => written(cents, '.', ',');

type Write = (cents: number) => string;
const unsigned =
  (write: Write): Cell =>
  ({ cents }) =>
    write(cents);
const signed =
  (write: Write, minus = '-', plus = ''): Cell =>
  ({ cents, direction }) =>
    `${direction === 'out' ? minus : plus}${write(cents)}`;
const only =
  (side: BankTransaction['direction'], write: Write, none = ''): Cell =>
  ({ cents, direction }) =>
    direction === side ? write(cents) : none;
const says =
  (ofIn: string, ofOut: string): Cell =>
  ({ direction }) =>
    direction === 'in' ? ofIn : ofOut;
const state =
  (booked: string, pending: string): Cell =>
  ({ isPending }) =>
    isPending === true ? pending : booked;
const inParentheses: Cell = ({ cents, direction }) => (direction === 'out' ? `(${bare(cents)})` : bare(cents));
const marked: Cell = ({ cents, direction }) => `${bare(cents)} ${direction === 'in' ? 'CR' : 'DR'}`;
const trailing: Cell = ({ cents, direction }) => `${bare(cents)}${direction === 'out' ? '-' : '+'}`;
const number: Cell = (_transaction, index) => `00${4711 + index}`;

const format = (
  name: string,
  header: string,
  cells: readonly Cell[],
  sheet: BankFormat['sheet'] = header.includes(';') ? 'german' : 'english',
): BankFormat => {
  const separator = header.includes(';') ? ';' : header.includes('\t') ? '\t' : ',';
  const hasPending = cells.some(
    (cell) =>
      cell({ day: '2026-11-03', cents: 100, direction: 'in', text: '', isPending: true }, 0) !==
      cell({ day: '2026-11-03', cents: 100, direction: 'in', text: '' }, 0),
  );
  return { name, header, separator, cells, hasPending, sheet };
};

export const bankFormats: readonly BankFormat[] = [
  format('US, a sign', 'Date,Description,Amount', [american, text, signed(bare)]),
  format('US, a sign and a type', 'Details,Posting Date,Description,Amount,Type,Balance', [
    ...[says('CREDIT', 'DEBIT'), american, text, signed(bare), says('ACH_CREDIT', 'ACH_DEBIT'), fixed('1250.00')],
  ]),
  format('US, a type alone', 'Date,Description,Type,Amount', [american, text, says('CREDIT', 'DEBIT'), unsigned(bare)]),
  format('US, a transaction type', 'Transaction Date,Transaction Type,Memo,Amount', [
    ...[american, says('Deposit', 'Withdrawal'), text, unsigned((cents) => written(cents, ',', '.'))],
  ]),
  format('US, D/C', 'Date,D/C,Description,Amount', [iso, says('C', 'D'), text, unsigned(bare)]),
  format('US, parentheses', 'Date,Reference,Amount (USD)', [...[american, text, inParentheses]]),
  format('US, marks behind the amount', 'Posted Date,Description,Amount', [...[american, text, marked]]),
  format('US, debit beside the amount', 'Date,Description,Debit,Amount', [
    american,
    text,
    only('out', bare),
    unsigned(bare),
  ]),
  format('US, an id', 'Transaction ID,Date,Description,Debit,Credit', [
    ...[number, iso, text, only('out', bare), only('in', bare)],
  ]),
  format('UK, paid out and paid in', 'Date,Type,Details,Paid Out,Paid In,Balance', [
    ...[british, says('BGC', 'DD'), text, only('out', bare), only('in', bare), fixed('10.00')],
  ]),
  format('UK, a value with U+2212', 'Date,Type,Description,Value', [
    ...[british, fixed('TFR'), text, signed(bare, '\u2212', '')],
  ]),
  format('Germany, S/H', 'Buchungstag;Name;Verwendungszweck;Währung;Umsatz;S/H', [
    ...[dotted, fixed('Gipfel'), text, fixed('USD'), unsigned(european), says('H', 'S')],
  ]),
  format('Germany, S and H under an unknown name', 'Buchungstag;Verwendungszweck;Betrag;KZ', [
    ...[dotted, text, unsigned(european), says('H', 'S')],
  ]),
  format('Germany, columns for Soll and Haben', 'Buchungsdatum;Verwendungszweck;Soll;Haben;Währung', [
    ...[dotted, text, only('out', european), only('in', european), fixed('USD')],
  ]),
  format('Germany, a state', 'Buchungstag;Buchungstext;Verwendungszweck;Betrag;Waehrung;Info', [
    ...[dotted, says('GUTSCHRIFT', 'ÜBERWEISUNG'), text, signed(european), fixed('USD')],
    state('Umsatz gebucht', 'Umsatz vorgemerkt'),
  ]),
  format('Netherlands, Af Bij', 'Datum;Naam / Omschrijving;Code;Af Bij;Bedrag (USD);Mutatiesoort', [
    ...[compact, text, fixed('OV'), says('Bij', 'Af'), unsigned(european), fixed('Overschrijving')],
  ]),
  format('Netherlands, Debit/credit', 'Boekdatum;Omschrijving;Bedrag;Debit/credit', [
    ...[dashed, text, unsigned(european), says('Credit', 'Debit')],
  ]),
  format('Sweden', 'Bokföringsdag;Meddelande;Uttag;Insättning;Valuta', [
    ...[iso, text, only('out', (cents) => written(cents, ' ', ',')), only('in', (cents) => written(cents, ' ', ','))],
    fixed('USD'),
  ]),
  format('Norway', 'Dato;Forklaring;Ut fra konto;Inn på konto', [
    ...[dotted, text, only('out', european), only('in', european)],
  ]),
  format('Spain', 'Fecha;Concepto;Importe;Debe/Haber;Estado', [
    ...[british, text, unsigned(european), says('Haber', 'Debe'), state('Contabilizado', 'Pendiente')],
  ]),
  format('France', 'Date;Libellé;Débit;Crédit', [
    ...[british, text, only('out', signedOut(european)), only('in', (cents) => written(cents, '\u202f', ','))],
  ]),
  format('Italy', 'Data contabile;Descrizione;Segno;Importo', [
    british,
    text,
    says('Avere', 'Dare'),
    unsigned(european),
  ]),
  format('Poland', 'Data operacji;Opis operacji;Kwota;Rodzaj', [
    ...[iso, text, unsigned((cents) => written(cents, ' ', ',')), says('Uznanie', 'Obciążenie')],
  ]),
  format('India', 'Txn Date,Narration,Withdrawal Amt.,Deposit Amt.', [
    british,
    text,
    only('out', bare),
    only('in', bare),
  ]),
  format('a trailing sign, with tabs', 'Value Date\tPurpose\tAmount', [...[iso, text, trailing]]),
  format('ISO 20022', 'BookgDt,Amt,Ccy,CdtDbtInd,Sts,RmtInf', [
    ...[iso, unsigned(bare), fixed('USD'), says('CRDT', 'DBIT'), state('BOOK', 'PDNG'), text],
  ]),
  format('an app, with states', 'Type,Completed Date,Description,Amount,Fee,Currency,State', [
    ...[fixed('TRANSFER'), timed, text, signed(bare), fixed('0.00'), fixed('USD')],
    state('COMPLETED', 'PENDING'),
  ]),
  format('an app, IN and OUT', 'ID,Status,Direction,Transaction Date,Reference,Amount', [
    ...[number, state('Completed', 'Cancelled'), says('IN', 'OUT'), american, text, unsigned(bare)],
  ]),
  format('booked yes or no', 'Date,Booked,Reference,Money In,Money Out', [
    ...[iso, state('yes', 'no'), text, only('in', bare), only('out', bare, '-')],
  ]),
  format('a tax program', 'Date,Description,Debit amount,Credit amount,Balance', [
    ...[american, text, only('out', bare, '0.00'), only('in', bare, '0.00'), empty],
  ]),
];

function signedOut(write: Write): Write {
  return (cents) => `-${write(cents)}`;
}

/** Pending transactions are left out where the format has no word for them. */
export function bankFile(
  { header, separator, cells, hasPending }: BankFormat,
  transactions: readonly BankTransaction[],
): string {
  const lines = transactions
    .filter(({ isPending }) => isPending !== true || hasPending)
    .map((transaction, index) => cells.map((cell) => quoted(cell(transaction, index), separator)).join(separator));
  return `${[header, ...lines].join('\r\n')}\r\n`;
}

function quoted(cell: string, separator: string): string {
  return cell.includes(separator) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A spreadsheet opens the file and saves it again: dates and numbers are rewritten, and zeros in front are lost. */
export function throughSpreadsheet(file: string, { separator, sheet }: BankFormat): string {
  const rows: string[][] = parse(file, { delimiter: separator, relax_column_count: true });
  return rows.map((row) => row.map((cell) => quoted(rewritten(cell, sheet), separator)).join(separator)).join('\n');
}

function rewritten(cell: string, sheet: BankFormat['sheet']): string {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})(?: [\d:]+)?$/.exec(cell) ?? [];
  if (year !== '') {
    const [shortMonth, shortDay] = [String(Number(month)), String(Number(day))];
    return sheet === 'german' ? `${day}.${month}.${year}` : `${shortMonth}/${shortDay}/${year}`;
  }
  const slashed = sheet === 'english' ? /^0?(\d{1,2})\/0?(\d{1,2})\/(\d{4})$/.exec(cell) : null;
  if (slashed !== null) return `${slashed[1]}/${slashed[2]}/${slashed[3]} 0:00`;
  if (sheet === 'english' && /^-?[\d,]+(?:\.\d+)?$/.test(cell)) return String(Number(cell.replaceAll(',', '')));
  if (sheet === 'english' && /^\([\d.]+\)$/.test(cell)) return String(-Number(cell.slice(1, -1)));
  if (sheet === 'german' && /^-?[\d.]+,\d+$/.test(cell)) {
    return String(Number(cell.replaceAll('.', '').replace(',', '.'))).replace('.', ',');
  }
  return cell;
}

// Finds out which columns of a bank's CSV file hold what, by the names that banks use in their languages (contract 7.11).
import { isSomeCurrency } from '../base/amount-text.ts';
import { type Direction, namedDirection, namesBothDirections, plainWords } from './bank-words.rules.ts';

/**
 * `credit` and `debit`: columns of their own for money in and out. `id`: the bank's own number of the transaction. `direction`: whether the money
 * came in or went out. `state`: whether the payment is booked. All but date, text and one with amounts are optional.
 */
export const bankRoles = [
  ...(['date', 'amount', 'credit', 'debit', 'text', 'name', 'id'] as const),
  ...(['currency', 'direction', 'state'] as const),
] as const;
export type BankRole = (typeof bankRoles)[number];

/** The positions of the columns, from 0; several texts are joined. */
export type BankColumns = {
  readonly date: number;
  readonly amount: number | null;
  readonly credit: number | null;
  readonly debit: number | null;
  readonly text: readonly number[];
  readonly name: number | null;
  readonly id: number | null;
  readonly currency: readonly number[];
  readonly direction: readonly number[];
  /** Columns whose names say one direction, such as `Debited`: a yes, or the amount again, means it. */
  readonly sided: ReadonlyArray<{ readonly at: number; readonly direction: Direction }>;
  readonly state: readonly StateColumn[];
  /** Columns whose names say that they hold a type, which may be a word for the direction or the state. */
  readonly typed: readonly number[];
  /** Currencies in the names of the columns with amounts. */
  readonly stated: ReadonlyArray<{ readonly column: number; readonly currency: string }>;
  /** Roles that the operator named: nothing else is taken for them. */
  readonly named: ReadonlySet<BankRole>;
  readonly width: number;
};
/** `asks`: the name of the column is a state, and its cells say yes or no. */
export type StateColumn = { readonly at: number; readonly asks: 'booked' | 'pending' | null };

/** Names given by the operator, by role; `-` for none. */
export type NamedColumns = Readonly<Partial<Record<BankRole, string>>>;
const NONE = '-';

const list = (text: string): readonly string[] => text.split(',').map((name) => name.trim());

// Names of text, name and id are part of a payment's identity: a name that is added there goes to the end, or among those that count only where
// no other is found.
const NAMES: Readonly<Record<Exclude<BankRole, 'direction' | 'state' | 'currency'>, readonly string[]>> = {
  // The booking date first: the value date of one payment differs between files of some banks. `Valuta` last: in some languages it is the currency.
  date: list(
    'booking date, buchungstag, buchungsdatum, posting date, transaction date, date, datum, value date, wertstellung, ' +
      'posted date, date posted, completed date, txn date, tran date, bokforingsdag, bokforingsdatum, bogforingsdato, bokfort dato, bogfort, dato, boekdatum, ' +
      'transactiedatum, fecha, fecha operacion, fecha de operacion, fecha contable, fecha valor, date operation, date de l operation, ' +
      'date comptable, date de comptabilisation, data, data operazione, data contabile, data operacji, data ksiegowania, data transakcji, ' +
      'data lancamento, kirjauspaiva, datum zauctovani, datum provedeni, transaktionsdag, transaction time, valuta',
  ),
  amount: list(
    'amount, betrag, umsatz, value, transaction amount, transaktionsbetrag, amount in account currency, umsatzbetrag, bedrag, belopp, belob, ' +
      'belop, importe, importo, montant, montant de l operation, kwota, kwota operacji, kwota transakcji, valor, quantia, summa, suma, ' +
      'maara, castka, objem, osszeg, tutar, credit debit amount, debit credit amount, сумма, 金額, 金额',
  ),
  credit: list(
    'credit, credits, credit amount, amount credit, paid in, money in, gutschrift, gutschriften, haben, deposit, deposits, deposit amount, deposit amt, credit amt, cr amount, ' +
      'receipts, bij, ontvangen, abono, abonos, haber, ingreso, ingresos, entradas, credit euros, avere, accrediti, accredito, entrate, ' +
      'uznania, wplywy, kredit, insattning, insattningar, inbetalning, ind, inn, inn pa konto, credito, creditos, money received, 入金金額, 收入金额',
  ),
  debit: list(
    'debit, debits, debit amount, amount debit, paid out, money out, withdrawal, withdrawals, withdrawal amount, withdrawal amt, debit amt, dr amount, payments, soll, ' +
      'belastung, belastungen, lastschrift, lastschriften, af, uitgaven, cargo, cargos, debe, adeudo, adeudos, gastos, salidas, debit euros, ' +
      'dare, addebiti, addebito, uscite, obciazenia, wydatki, debet, uttag, utbetalning, ud, ut, ut fra konto, ut av konto, debito, debitos, ' +
      'money sent, 出金金額, 支出金额',
  ),
  text: list(
    'purpose, verwendungszweck, reference, description, details, memo, narrative, payment reference, remittance information, ' +
      'buchungstext, transaction details, text',
  ),
  name: list(
    'name, payee, payer, counterparty, sender, auftraggeber, auftraggeber empfanger, beguenstigter zahlungspflichtiger, ' +
      'begunstigter zahlungspflichtiger, zahlungspflichtige r, counterparty name, beneficiary payer, name zahlungsbeteiligter',
  ),
  id: list('transaction id, transaction reference, bank reference, entry reference, fitid, umsatz id'),
};
const FURTHER_TEXTS = list(
  'omschrijving, mededelingen, mededeling, naam omschrijving, concepto, descripcion, observaciones, libelle, libelle operation, motif, ' +
    'communication, causale, descrizione, descrizione operazione, opis, opis operacji, opis transakcji, tytul, tytul operacji, meddelande, ' +
    'beskrivning, transaktionstext, referens, tekst, beskrivelse, forklaring, viesti, selite, zprava, zprava pro prijemce, popis, descricao, ' +
    'historico, kozlemeny, aciklama, message, note, notes, particulars, narration, remarks, subject, transaction description, payment details, 摘要, назначение платежа',
);
const CURRENCY =
  /\b(?:currency|ccy|waehrung|wahrung|devise|divisa|moneda|moeda|waluta|valuuta|muntsoort|mena|para birimi)\b|wahrung$/;
const FOREIGN = /\b(?:original|orig|foreign|fremd|source|target|instructed|exchange)/;
const DIRECTION =
  /direction|richtung|vorzeichen|\b(?:riktning|retning|sens|direccion|direzione|segno|signe|signo|sign|kierunek)\b/;
const TYPED =
  /typ|\b(?:art|kind|code|indicator|kennzeichen|soort|mutatiesoort|tipo|rodzaj|nature|natura|operation|category|details|vorgang|class|method)\b|art$/;
const STATE = /status|^(?:(?:transaction|payment|booking) )?(?:state|estado|stato|statut|etat|stan|tila|stav|durum)$/;
const ASKED: Readonly<Record<'booked' | 'pending', RegExp>> = {
  booked: /^(?:is )?(?:booked|posted|cleared|settled|completed|gebucht|verbucht|geboekt|bokford)$/,
  pending: /^(?:is )?(?:pending|vorgemerkt|reserviert|reserved)$/,
};

export type FoundColumns =
  | { readonly ok: true; readonly columns: BankColumns }
  | { readonly ok: false; readonly messages: readonly string[] };

/** Named columns first, then the known names, in their order; the text may be spread over several columns. */
export function bankColumns(header: readonly string[], named: NamedColumns = {}): FoundColumns {
  const names = header.map((name) => plainWords(name));
  const amounts = header.map((name) => withoutCurrency(name));
  const messages: string[] = [];
  const given = (role: BankRole): number[] | null => {
    const name = named[role];
    if (name === undefined) return null;
    if (name === NONE && !isRequired(role)) return [];
    const at = header.findIndex((one) => sameName(one, name));
    if (at < 0) messages.push(`there is no column "${name}"; the columns are: ${header.join(', ')}`);
    return at < 0 ? [] : [at];
  };
  const known = (wanted: readonly string[], among: readonly string[] = names): number[] =>
    wanted.flatMap((name) => among.flatMap((one, index) => (one === name ? [index] : [])));
  const first = (found: readonly number[]): number | null => found[0] ?? null;
  const money = (role: 'amount' | 'credit' | 'debit'): number | null =>
    first(
      given(role) ??
        known(
          NAMES[role],
          amounts.map(({ words }) => words),
        ),
    );
  const date = first(given('date') ?? known(NAMES.date));
  const [amount, credit, debit] = [money('amount'), money('credit'), money('debit')];
  const texts = given('text') ?? known(NAMES.text);
  const text = texts.length > 0 || named.text !== undefined ? texts : known(FURTHER_TEXTS);
  const [name, id] = [first(given('name') ?? known(NAMES.name)), first(given('id') ?? known(NAMES.id))];
  const missing = (role: BankRole): string =>
    `no column for the ${role} was found; name it with ${role}=COLUMN; the columns are: ${header.join(', ')}`;
  if (date === null && named.date === undefined) messages.push(missing('date'));
  if (amount === null && credit === null && named.amount === undefined) messages.push(missing('amount'));
  if (text.length === 0 && named.text === undefined) messages.push(missing('text'));
  const taken = new Set([date, amount, credit, debit, name, id]);
  const free = (test: (name: string) => boolean): number[] =>
    names.flatMap((one, index) => (taken.has(index) || !test(one) ? [] : [index]));
  const currencies = free((one) => CURRENCY.test(one));
  const domestic = currencies.filter((at) => !FOREIGN.test(names[at] ?? ''));
  const currency = given('currency') ?? (domestic.length > 0 ? domestic : currencies);
  const direction = given('direction') ?? free((one) => namesBothDirections(one) || DIRECTION.test(one));
  const states = given('state') ?? free((one) => STATE.test(one) || askedBy(one) !== null);
  if (messages.length > 0 || date === null || (amount ?? credit) === null) return { ok: false, messages };
  const columns: BankColumns = {
    ...{ date, amount, credit, debit, text, name, id, currency, direction },
    sided: free((one) => namedDirection(one) !== null).flatMap((at) => {
      const says = direction.includes(at) || text.includes(at) ? null : namedDirection(names[at] ?? '');
      return says === null ? [] : [{ at, direction: says }];
    }),
    state: states.map((at) => ({ at, asks: askedBy(names[at] ?? '') })),
    typed: free((one) => TYPED.test(one)).filter((at) => !text.includes(at)),
    stated: [amount, credit, debit].flatMap((at) => {
      const found = at === null ? null : (amounts[at]?.currency ?? null);
      return at === null || found === null ? [] : [{ column: at, currency: found }];
    }),
    named: new Set(bankRoles.filter((role) => named[role] !== undefined)),
    width: header.length,
  };
  return { ok: true, columns };
}

function isRequired(role: BankRole): boolean {
  return role === 'date' || role === 'text';
}

function sameName(one: string, other: string): boolean {
  const plain = (name: string): string => name.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, ' ');
  return plain(one) === plain(other);
}

function askedBy(name: string): StateColumn['asks'] {
  return ASKED.booked.test(name) ? 'booked' : ASKED.pending.test(name) ? 'pending' : null;
}

/** `Betrag (EUR)`, `Amount in USD` and `Paid out (£)` → the name, and the currency. */
function withoutCurrency(header: string): { readonly words: string; readonly currency: string | null } {
  const parts = header.split(/[\s()[\]/,.:_]+/).filter((part) => part !== '');
  const currency = parts.find((part) => isCurrencyPart(part)) ?? null;
  if (currency === null) return { words: plainWords(header), currency };
  const rest = parts.filter((part) => part !== currency && part.toLowerCase() !== 'in');
  return { words: plainWords(rest.join(' ')), currency };
}

/** A code of lower case would be a word such as `all` or `top`. */
function isCurrencyPart(part: string): boolean {
  return (
    isSomeCurrency(part) && (part === part.toUpperCase() || /^(?:usd|eur|gbp|chf|sek|nok|dkk|pln|cad|aud)$/.test(part))
  );
}

/** `date=Buchungstag,amount=Betrag` → the names by role; a message if it is not that. */
export function readNamedColumns(text: string): NamedColumns | string {
  const pairs = text.split(',').map((pair) => /^\s*(\w+)=(.+)$/.exec(pair));
  const named: Partial<Record<BankRole, string>> = {};
  for (const pair of pairs) {
    const role = bankRoles.find((known) => known === pair?.[1]);
    if (pair === null || role === undefined) {
      return `Write role=COLUMN, separated by commas; the roles are ${bankRoles.join(', ')}.`;
    }
    named[role] = (pair[2] ?? '').trim();
  }
  return named;
}

// Finds out which columns of a bank's CSV file hold what, by the names that banks use in English and German (contract 7.11).

/** `id`: the bank's own number of the transaction, if the file has one. `currency`: optional as well. */
export const bankRoles = ['date', 'amount', 'text', 'name', 'id', 'currency'] as const;
export type BankRole = (typeof bankRoles)[number];

/** The positions of the columns, from 0; several texts are joined. */
export type BankColumns = {
  readonly date: number;
  readonly amount: number;
  readonly text: readonly number[];
  readonly name: number | null;
  readonly id: number | null;
  readonly currency: number | null;
  readonly width: number;
};

/** Names given by the operator, by role. */
export type NamedColumns = Readonly<Partial<Record<BankRole, string>>>;

const NAMES: Readonly<Record<BankRole, readonly string[]>> = {
  // The booking date first: the value date of one payment differs between files of some banks.
  date: [
    'booking date',
    'buchungstag',
    'buchungsdatum',
    'posting date',
    'transaction date',
    'date',
    'datum',
    'value date',
    'valuta',
    'wertstellung',
  ],
  amount: [
    'amount',
    'betrag',
    'umsatz',
    'credit',
    'paid in',
    'money in',
    'gutschrift',
    'amount (usd)',
    'amount (eur)',
    'betrag (eur)',
  ],
  text: [
    'purpose',
    'verwendungszweck',
    'reference',
    'description',
    'details',
    'memo',
    'narrative',
    'payment reference',
    'remittance information',
    'buchungstext',
    'transaction details',
    'text',
  ],
  name: [
    'name',
    'payee',
    'payer',
    'counterparty',
    'sender',
    'auftraggeber',
    'auftraggeber/empfänger',
    'beguenstigter/zahlungspflichtiger',
    'begünstigter/zahlungspflichtiger',
    'zahlungspflichtige*r',
    'counterparty name',
    'beneficiary/payer',
    'name zahlungsbeteiligter',
  ],
  id: ['transaction id', 'transaction reference', 'bank reference', 'entry reference', 'fitid', 'umsatz-id'],
  currency: ['currency', 'waehrung', 'währung'],
};

export type FoundColumns =
  | { readonly ok: true; readonly columns: BankColumns }
  | { readonly ok: false; readonly messages: readonly string[] };

/** Named columns first, then the known names, in their order; the text may be spread over several columns. */
export function bankColumns(header: readonly string[], named: NamedColumns = {}): FoundColumns {
  const plain = header.map((name) => simple(name));
  const messages: string[] = [];
  const all = (role: BankRole): number[] => {
    const given = named[role];
    if (given !== undefined) {
      const at = plain.indexOf(simple(given));
      if (at < 0) messages.push(`there is no column "${given}"; the columns are: ${header.join(', ')}`);
      return at < 0 ? [] : [at];
    }
    return NAMES[role].flatMap((name) => plain.flatMap((one, index) => (one === name ? [index] : [])));
  };
  const one = (role: BankRole): number | null => all(role)[0] ?? null;
  const [date, amount, text] = [one('date'), one('amount'), all('text')];
  const missing = (role: BankRole): string =>
    `no column for the ${role} was found; name it with ${role}=COLUMN; the columns are: ${header.join(', ')}`;
  if (date === null && named.date === undefined) messages.push(missing('date'));
  if (amount === null && named.amount === undefined) messages.push(missing('amount'));
  if (text.length === 0 && named.text === undefined) messages.push(missing('text'));
  const [name, id, currency] = [one('name'), one('id'), one('currency')];
  if (messages.length > 0 || date === null || amount === null) return { ok: false, messages };
  return { ok: true, columns: { date, amount, text, name, id, currency, width: header.length } };
}

function simple(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}

const SEPARATORS = [';', '\t', ','] as const;

/** The separator of the first line that has one, outside of quotes: of those that occur, the most frequent. */
export function separatorOf(start: string): string {
  const first = start.split(/\r?\n/).find((text) => text.trim() !== '') ?? '';
  const bare = first.replaceAll(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => ({ separator, count: bare.split(separator).length - 1 }));
  return counts.toSorted((left, right) => right.count - left.count)[0]?.separator ?? ',';
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

// The words with which banks say that money came in or went out, and whether a payment is booked, in the languages of their files (contract 7.11).

/** Longer cells are no words of a bank. */
export const WORDS_LENGTH_MAX = 60;

/** Without differences of case, accents and signs between words: `Af/Bij` and `AF  BIJ` are `af bij`. */
export function plainWords(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\u2212\u2010-\u2015]/g, '-')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('đ', 'd')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export type Direction = 'in' | 'out';

/** Of bookkeeping: they mean nothing else, so that they count in any column in which they stand alone. */
const PLAIN: Readonly<Record<Direction, string>> = {
  in: 'credit credits credited cr crdt haben gutschrift bij abono haber avere accredito accrediti uznanie credito kredit kreedit kredyt кредит jovairas alacak 入金 收入 贷',
  out: 'debit debits debited withdrawn dr db dbt dbit soll belastung af cargo debe adeudo dare addebito addebiti obciazenie debito debet deebet дебет terheles borc 出金 支出 借',
};
/** They may mean something else elsewhere, and count in a column about the direction or the type only. */
const FURTHER: Readonly<Record<Direction, string>> = {
  in: 'in incoming inbound inward received receipt deposit deposits eingang zugang zufluss einzahlung bijschrijving ontvangen inkomend insattning inbetalning inn ind indbetaling innbetaling inkomen pano hyvitys ingreso entrada recepcion recibido entree versement encaissement recu entrata versamento wplyw wplata przychodzacy przychodzaca prichozi prijem пополнение приход topup',
  out: 'out outgoing outbound outward sent withdrawal withdrawals withdraw withdrew ausgang abgang abfluss auszahlung afschrijving uitgaand uit uttag utbetalning ut ud udbetaling otto veloitus salida retiro gasto pago enviado sortie retrait decaissement uscita wyplata wydatek wychodzacy wychodzaca odchozi vydaj saida расход списание',
};
/** Count where they stand alone in a column about the direction, or in one that holds nothing else: `S` and `H` are Soll and Haben. */
const LETTERS: Readonly<Record<Direction, string>> = { in: 'c h k kt ct ma a', out: 'd s dt wn' };
/** Names of products, which may be money in or out. */
const NEUTRAL =
  /\b(?:direct (?:debit|credit)|credit transfer|(?:credit|debit) card|credit union|lastschrift|incasso|prelevement|autogiro)\b/g;

const wordMap = (...tables: ReadonlyArray<Readonly<Record<Direction, string>>>): ReadonlyMap<string, Direction> =>
  new Map(
    tables.flatMap((table) =>
      (['in', 'out'] as const).flatMap((direction) => table[direction].split(' ').map((word) => [word, direction])),
    ),
  );
const PLAIN_WORDS = wordMap(PLAIN);
const ALONE = wordMap(PLAIN, FURTHER, LETTERS);
const WITHIN = wordMap(PLAIN, FURTHER);
const IN_PHRASES = /^(?:paid in|money in|inn pa konto|incoming payment|payment received)$/;
const OUT_PHRASES = /^(?:paid out|money out|ut fra konto|ut av konto|outgoing payment|payment sent)$/;

/** A cell that holds nothing but a word of bookkeeping. */
export function plainDirection(cell: string): Direction | null {
  return PLAIN_WORDS.get(plainWords(cell)) ?? null;
}

/** A cell that holds nothing but a word, a letter or a sign for the direction. */
export function directionAlone(cell: string): Direction | null {
  const sign = cell.trim();
  if (/^[+]$/.test(sign)) return 'in';
  if (/^[-\u2212\u2013]$/.test(sign)) return 'out';
  const words = plainWords(cell);
  if (IN_PHRASES.test(words)) return 'in';
  if (OUT_PHRASES.test(words)) return 'out';
  return ALONE.get(words) ?? null;
}

/** Of a cell such as `ACH_DEBIT` in a column about the type. `unclear`: it has such words, which leave the direction open. Null: it has none. */
export function directionWithin(cell: string): Direction | 'unclear' | null {
  const alone = directionAlone(cell);
  if (alone !== null) return alone;
  const words = plainWords(cell);
  const rest = words.replaceAll(NEUTRAL, ' ');
  const found = new Set(rest.split(' ').flatMap((word) => WITHIN.get(word) ?? []));
  const [direction, ...others] = found;
  if (direction !== undefined) return others.length > 0 ? 'unclear' : direction;
  return rest === words ? null : 'unclear';
}

/** A name such as `Soll/Haben`, `S/H` or `Deposit or withdrawal`: it has words for both. */
export function namesBothDirections(name: string): boolean {
  const found = new Set(
    plainWords(name)
      .split(' ')
      .flatMap((word) => ALONE.get(word) ?? []),
  );
  return found.size === 2 || /^(?:sh|dc|cd|drcr|crdr|debitcredit|creditdebit|cdtdbtind)$/.test(plainWords(name));
}

/** Prepositions and the like in names of columns, which say nothing there. */
const UNSAID = new Set('in out ind inn ud ut uit af bij'.split(' '));

/** Of a name such as `Debited`, `Outgoing` or `Is credit`, which has words for one direction only. */
export function namedDirection(name: string): Direction | null {
  const words = plainWords(name)
    .split(' ')
    .filter((word) => !UNSAID.has(word));
  const found = new Set(words.flatMap((word) => WITHIN.get(word) ?? []));
  const [direction = null, ...others] = found;
  return others.length > 0 ? null : direction;
}

export type PaymentState = 'booked' | 'pending' | 'undone';

const STATES: Readonly<Record<PaymentState, string>> = {
  booked:
    'booked book posted completed complete cleared settled executed processed success successful succeeded ok done final paid gebucht verbucht ausgefuhrt erledigt abgeschlossen geboekt verwerkt uitgevoerd bokford bokfort bogfort genomford utford contabilizado contabilizada realizado realizada ejecutado ejecutada completado completada comptabilise comptabilisee effectue effectuee execute executee traite contabilizzato contabilizzata eseguito eseguita effettuato zaksiegowana zaksiegowany zaksiegowano zrealizowana zrealizowany wykonana rozliczona rozliczony kirjattu zauctovano проведен исполнен',
  pending:
    'pending pdng processing authorised authorized authorisation authorization hold held reserved scheduled planned futr unbooked unposted uncleared vorgemerkt ausstehend reserverad reservert reserveret vantande kommande gereserveerd pendiente retenido retenida attente oczekujaca oczekujacy blokada sospeso attesa odottaa varaus ожидание',
  undone:
    'reversed reversal reverted returned return rejected rjct refused cancelled canceled canc cancellation void voided failed failure declined denied error expired chargeback chargedback refund refunded bounced dishonoured dishonored storno storniert stornierung zuruckgewiesen zuruckgebucht abgelehnt fehlgeschlagen ruckbuchung ruckgabe rucklastschrift retoure rc rd gestorneerd geweigerd geannuleerd mislukt teruggeboekt aterford makulerad avvisad misslyckad tilbakefort tilbagefort devuelto devuelta devolucion anulado anulada rechazado rechazada annule annulee rejete rejetee retourne impaye extourne stornato stornata annullato annullata respinto respinta restituito insoluto zwrot zwrocona anulowana anulowany odrzucona odrzucony peruutettu отменен',
};
const STATE_WORDS: ReadonlyMap<string, PaymentState> = new Map(
  (['booked', 'pending', 'undone'] as const).flatMap((state) => STATES[state].split(' ').map((word) => [word, state])),
);
const NOT = new Set('not nicht non no ej inte ikke niet pas nie niezaksiegowana nao'.split(' '));
const OPEN_PHRASES =
  /^(?:in (?:bearbeitung|progress|behandeling|transit)|offen|open|en attente|a venir|w trakcie|info|new)$/;

/** Of a cell in a column about the state, also in a phrase such as `Umsatz vorgemerkt`. Null: it says nothing that is known. */
export function stateWithin(cell: string): PaymentState | null {
  const words = plainWords(cell);
  if (OPEN_PHRASES.test(words)) return 'pending';
  const tokens = words.split(' ');
  const found = new Set(tokens.flatMap((word) => STATE_WORDS.get(word) ?? []));
  if (found.has('undone')) return 'undone';
  if (found.has('pending') || tokens.some((word) => NOT.has(word))) return 'pending';
  return found.has('booked') ? 'booked' : null;
}

const FILLERS = new Set('umsatz transaction payment zahlung transaktion buchung the item'.split(' '));

/** A cell in any column that holds nothing but words for a payment that is not booked. */
export function isUnbookedAlone(cell: string): boolean {
  const words = plainWords(cell)
    .split(' ')
    .filter((word) => !FILLERS.has(word));
  return words.length > 0 && words.every((word) => /^(?:pending|undone)$/.test(STATE_WORDS.get(word) ?? ''));
}

const YES = new Set('yes y true 1 ja j si s oui o tak x wahr vrai'.split(' '));
const NO = new Set('no n false 0 nein nee nej non nie falsch faux'.split(' '));

export function saysYes(cell: string): boolean | null {
  const words = plainWords(cell);
  return YES.has(words) ? true : NO.has(words) ? false : null;
}

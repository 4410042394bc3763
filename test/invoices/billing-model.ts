// The model of a partner's billing in tests: a list of transactions from which everything is computed. It shares no code with the ledger, the
// invoices or their calendar.
export type Kind = 'charge' | 'credit' | 'payment' | 'adjustment';
export type Transaction = {
  readonly kind: Kind;
  readonly cents: number;
  readonly at: number;
  invoice: ModelInvoice | null;
};
export type ModelInvoice = {
  readonly month: string;
  readonly subtotal: number;
  readonly credits: number;
  readonly carriedIn: number;
  readonly carriedOut: number;
  /** The invoice that took what this one carries. */
  carriedTo: ModelInvoice | null;
  readonly dueAt: number;
  fromBalance: number;
  paid: number;
  due: number;
  isVoid: boolean;
  /** The number that the service assigned. */
  number: string;
};

const DAYS_14 = 1_209_600_000;

/** By zone: to make one takes far longer than to use it. */
const calendars = new Map<string, Intl.DateTimeFormat>();

function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const known = calendars.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit' });
  calendars.set(timeZone, made);
  return made;
}

/** `2026-10` by the calendar of the zone. */
export function monthIn(timeZone: string, at: number): string {
  const parts = calendarOf(timeZone).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}`;
}

export function createModel() {
  const transactions: Transaction[] = [];
  const invoices: ModelInvoice[] = [];
  let held = 0;
  /** Balance available for invoices. */
  let pot = 0;
  const live = (month: string): ModelInvoice | undefined => invoices.find((one) => one.month === month && !one.isVoid);
  const sum = (list: readonly Transaction[], kind: Kind): number =>
    list.reduce((cents, one) => cents + (one.kind === kind ? one.cents : 0), 0);

  return {
    invoices,
    record(kind: Kind, cents: number, at: number): void {
      transactions.push({ kind, cents, at, invoice: null });
      if (kind === 'payment' || kind === 'adjustment') pot += cents;
    },
    hold: (cents: number): void => void (held += cents),
    held: (): number => held,
    balance: (): number => transactions.reduce((cents, one) => cents + (one.kind === 'charge' ? -1 : 1) * one.cents, 0),
    entries: (): number => transactions.length,
    run(month: string, timeZone: string, now: number): 'month_not_over' | 'exists' | 'none' | ModelInvoice {
      if (monthIn(timeZone, now) <= month) return 'month_not_over';
      if (live(month) !== undefined) return 'exists';
      const lines = transactions.filter((one) => {
        if (one.invoice !== null) return false;
        if (one.kind === 'credit') return monthIn(timeZone, one.at) <= month;
        if (one.kind !== 'charge') return false;
        const own = monthIn(timeZone, one.at);
        return own === month || (own < month && live(own) !== undefined);
      });
      if (lines.length === 0) return 'none';
      const subtotal = sum(lines, 'charge');
      const credits = sum(lines, 'credit');
      const givers = invoices.filter((one) => one.month < month && !one.isVoid && one.carriedTo === null);
      const carriedIn = givers.reduce((cents, one) => cents + one.carriedOut, 0);
      const difference = subtotal - credits - carriedIn;
      const fromBalance = Math.max(0, Math.min(difference, pot));
      pot -= fromBalance;
      const due = Math.max(0, difference) - fromBalance;
      const invoice: ModelInvoice = {
        month,
        subtotal,
        credits,
        carriedIn,
        carriedOut: Math.max(0, -difference),
        carriedTo: null,
        dueAt: now + DAYS_14,
        fromBalance,
        paid: 0,
        due,
        isVoid: false,
        number: '',
      };
      for (const line of lines) line.invoice = invoice;
      for (const one of givers) if (one.carriedOut > 0) one.carriedTo = invoice;
      invoices.push(invoice);
      return invoice;
    },
    pay(invoice: ModelInvoice, cents: number | null, at: number): string {
      if (invoice.isVoid) return 'invoice_void';
      if (invoice.due === 0) return 'invoice_paid';
      if (cents === null) {
        if (pot <= 0) return 'balance_too_low';
        const covered = Math.min(pot, invoice.due);
        pot -= covered;
        invoice.fromBalance += covered;
        invoice.due -= covered;
        return 'ok';
      }
      const covered = Math.min(cents, invoice.due);
      transactions.push({ kind: 'payment', cents, at, invoice: null });
      pot += cents - covered;
      invoice.paid += covered;
      invoice.due -= covered;
      return 'ok';
    },
    void(invoice: ModelInvoice): string {
      if (invoice.isVoid) return 'invoice_void';
      if (invoice.paid > 0) return 'invoice_has_payments';
      if (invoice.carriedTo !== null) return 'invoice_carried';
      pot += invoice.fromBalance;
      for (const one of invoices) if (one.carriedTo === invoice) one.carriedTo = null;
      invoice.isVoid = true;
      invoice.due = 0;
      for (const one of transactions) if (one.invoice === invoice) one.invoice = null;
      return 'ok';
    },
    statusOf({ isVoid, due, dueAt }: ModelInvoice, now: number): string {
      return isVoid ? 'void' : due === 0 ? 'paid' : now >= dueAt ? 'overdue' : 'issued';
    },
  };
}

// The model of the money tests: balance, hold and entry count per account, the moved amounts, and the charges and credits not invoiced yet. It
// shares no code with the ledger or the invoices.
import { monthIn } from '../invoices/billing-model.ts';

export type ModelPartner = {
  readonly buyerKey: string;
  readonly name: string;
  readonly timeZone: string;
  /** Null: no limit. */
  readonly limitCents: number | null;
  /** Hundredths of a percent. */
  readonly taxBasisPoints: number;
};
export type Kind = 'charge' | 'credit' | 'payment' | 'adjustment';
export type ModelInvoice = {
  readonly partner: ModelPartner;
  readonly month: string;
  readonly charges: ReadonlyMap<string, number>;
  readonly subtotal: number;
  /** By month of posting. */
  readonly credits: ReadonlyMap<string, number>;
  readonly credited: number;
  readonly carriedIn: number;
  readonly carriedOut: number;
  readonly tax: number;
  carriedTo: ModelInvoice | null;
  fromBalance: number;
  paid: number;
  due: number;
  isVoid: boolean;
  /** The number that the service assigned. */
  number: string;
};
/** An entry on the partner's own account: its label and its amount. */
export type Moved = { readonly label: number | ModelInvoice; readonly cents: number };
export type ModelAccount = { balance: number; held: number; entries: number };
export type ModelPosting = {
  /** Money moves once per label. */
  readonly label: number;
  readonly kind: Kind;
  readonly partner: ModelPartner;
  /** Negative for an adjustment only. */
  readonly cents: number;
  readonly at: number;
};
export type MoneyModel = ReturnType<typeof createMoneyModel>;

const COUNTERPART = {
  charge: 'revenue',
  credit: 'revenue',
  payment: 'cash',
  adjustment: 'adjustment',
  tax: 'tax',
} as const;

type AccountHistory = {
  readonly moved: Moved[];
  readonly charges: Map<string, number>;
  readonly credits: Map<string, number>;
  /** Credit available for invoices. */
  pot: number;
};

export function createMoneyModel(partners: readonly ModelPartner[]) {
  const accounts = new Map<string, ModelAccount>();
  const histories = new Map<ModelPartner, AccountHistory>();
  for (const partner of partners) {
    histories.set(partner, { moved: [], charges: new Map(), credits: new Map(), pot: 0 });
    for (const kind of ['buyer', 'revenue', 'cash', 'adjustment', 'tax'])
      accounts.set(`${kind}:${partner.buyerKey}`, { balance: 0, held: 0, entries: 0 });
  }
  const posted = new Set<number>();
  const months = new Map<string, string>();
  const invoices: ModelInvoice[] = [];

  const accountOf = (kind: string, partner: ModelPartner): ModelAccount => {
    const account = accounts.get(`${kind}:${partner.buyerKey}`);
    if (account === undefined) throw new Error(`the model has no ${kind} of ${partner.buyerKey}`);
    return account;
  };
  const historyOf = (partner: ModelPartner): AccountHistory => {
    const history = histories.get(partner);
    if (history === undefined) throw new Error(`the model does not know ${partner.buyerKey}`);
    return history;
  };
  const move = (partner: ModelPartner, kind: keyof typeof COUNTERPART, moved: Moved): void => {
    for (const [account, cents] of [
      [accountOf('buyer', partner), moved.cents],
      [accountOf(COUNTERPART[kind], partner), -moved.cents],
    ] as const) {
      account.balance += cents;
      account.entries += 1;
    }
    historyOf(partner).moved.push(moved);
  };
  /** Cached: computing the month is the slowest part, and there are few instants. */
  const monthOf = (timeZone: string, at: number): string => {
    const name = `${at} ${timeZone}`;
    const month = months.get(name) ?? monthIn(timeZone, at);
    months.set(name, month);
    return month;
  };
  const add = (sums: Map<string, number>, month: string, cents: number): void =>
    void sums.set(month, (sums.get(month) ?? 0) + cents);
  const liveOf = (partner: ModelPartner, month: string): boolean =>
    invoices.some((one) => one.partner === partner && one.month === month && !one.isVoid);

  return {
    accounts,
    invoices,
    movedOf: (partner: ModelPartner): readonly Moved[] => historyOf(partner).moved,
    heldOf: (partner: ModelPartner): number => accountOf('buyer', partner).held,
    knows: (label: number): boolean => posted.has(label),
    /** Holds the amount if the funds suffice, and returns whether they did. */
    hold(partner: ModelPartner, cents: number): boolean {
      const account = accountOf('buyer', partner);
      const isRefused = partner.limitCents !== null && account.balance + partner.limitCents - account.held < cents;
      if (!isRefused) account.held += cents;
      return !isRefused;
    },
    release: (partner: ModelPartner, cents: number): void => void (accountOf('buyer', partner).held -= cents),
    /** Returns whether the label is new. */
    post({ label, kind, partner, cents, at }: ModelPosting): boolean {
      if (posted.has(label)) return false;
      posted.add(label);
      move(partner, kind, { label, cents: kind === 'charge' ? -cents : cents });
      const history = historyOf(partner);
      if (kind === 'charge') add(history.charges, monthOf(partner.timeZone, at), cents);
      else if (kind === 'credit') add(history.credits, monthOf(partner.timeZone, at), cents);
      else history.pot += cents;
      return true;
    },
    issue(partner: ModelPartner, month: string, now: number): 'month_not_over' | 'exists' | 'none' | ModelInvoice {
      if (monthIn(partner.timeZone, now) <= month) return 'month_not_over';
      if (liveOf(partner, month)) return 'exists';
      const history = historyOf(partner);
      const charges = new Map(
        [...history.charges].filter(([own]) => own === month || (own < month && liveOf(partner, own))),
      );
      const subtotal = [...charges.values()].reduce((sum, cents) => sum + cents, 0);
      const credits = new Map([...history.credits].filter(([own]) => own <= month));
      const credited = [...credits.values()].reduce((sum, cents) => sum + cents, 0);
      if (subtotal === 0 && credited === 0) return 'none';
      for (const own of charges.keys()) history.charges.delete(own);
      for (const own of credits.keys()) history.credits.delete(own);
      const givers = invoices.filter(
        (one) =>
          one.partner === partner && one.month < month && !one.isVoid && one.carriedOut > 0 && one.carriedTo === null,
      );
      const carriedIn = givers.reduce((sum, one) => sum + one.carriedOut, 0);
      const difference = subtotal - credited - carriedIn;
      const net = Math.max(0, difference);
      // Half up, in whole numbers; the nets of this test are far below 2^53 / 10,000.
      const tax = Math.floor((net * partner.taxBasisPoints + 5000) / 10_000);
      const fromBalance = Math.max(0, Math.min(net + tax, history.pot));
      history.pot -= fromBalance;
      const due = net + tax - fromBalance;
      const carried = { carriedIn, carriedOut: Math.max(0, -difference), carriedTo: null };
      const amounts = { subtotal, credited, tax, ...carried, fromBalance, paid: 0, due };
      const invoice: ModelInvoice = { partner, month, charges, credits, ...amounts, isVoid: false, number: '' };
      for (const one of givers) one.carriedTo = invoice;
      invoices.push(invoice);
      if (tax > 0) move(partner, 'tax', { label: invoice, cents: -tax });
      return invoice;
    },
    /** Null pays from the available balance. */
    pay(invoice: ModelInvoice, cents: number | null): string {
      const history = historyOf(invoice.partner);
      if (invoice.isVoid) return 'invoice_void';
      if (invoice.due === 0) return 'invoice_paid';
      if (cents === null && history.pot <= 0) return 'balance_too_low';
      const covered = Math.min(cents ?? history.pot, invoice.due);
      if (cents === null) {
        invoice.fromBalance += covered;
        history.pot -= covered;
      } else {
        move(invoice.partner, 'payment', { label: invoice, cents });
        invoice.paid += covered;
        history.pot += cents - covered;
      }
      invoice.due -= covered;
      return 'ok';
    },
    void(invoice: ModelInvoice): string {
      if (invoice.isVoid) return 'invoice_void';
      if (invoice.paid > 0) return 'invoice_has_payments';
      const history = historyOf(invoice.partner);
      if (invoice.carriedTo !== null) return 'invoice_carried';
      history.pot += invoice.fromBalance;
      if (invoice.tax > 0) move(invoice.partner, 'tax', { label: invoice, cents: invoice.tax });
      for (const [own, cents] of invoice.credits) add(history.credits, own, cents);
      for (const one of invoices) if (one.carriedTo === invoice) one.carriedTo = null;
      for (const [own, cents] of invoice.charges) add(history.charges, own, cents);
      invoice.isVoid = true;
      invoice.due = 0;
      return 'ok';
    },
  };
}

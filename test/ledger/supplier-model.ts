// The suppliers' side of the model of the money tests: what leads cost, what claims take back, what is paid out, and what statements say. It
// shares no code with the service.
import type { LeadId } from '../../src/base/ids.ts';
import { monthIn } from '../invoices/billing-model.ts';
import type { ModelAccount, ModelPartner } from './money-model.ts';

export type ModelTerms = {
  readonly model: 'none' | 'fixed' | 'share';
  /** Cents of a fixed amount, or hundredths of a percent of the price. */
  readonly rate: number;
  readonly clawbackDays: number | null;
};
export type ModelSupplier = { readonly supplierKey: string; readonly timeZone: string; terms: ModelTerms };
/** An entry of a supplier's own account. Entries of one instant may be in any order. */
type ModelLine = {
  readonly kind: 'earned' | 'clawed_back' | 'paid_out';
  readonly cents: number;
  readonly at: number;
  /** `2026-10-15`: until then it is not paid out. Null for a payout. */
  readonly heldUntil: string | null;
};
export type ModelStatement = {
  readonly supplierKey: string;
  readonly month: string;
  /** Numbers of its first and last entry in the account. */
  readonly from: number;
  readonly upTo: number;
  readonly carried: number;
  readonly leads: number;
  readonly earned: number;
  readonly clawedBack: number;
  readonly paidOut: number;
  readonly total: number;
  readonly held: number;
};

/** A lead with the terms under which it was routed. */
export type ModelLead = {
  readonly leadId: LeadId;
  readonly supplierKey: string;
  readonly terms: ModelTerms;
  /** A partner buys a lead at most once. */
  readonly buyers: Set<ModelPartner>;
  /** Of a fixed amount. */
  isPosted: boolean;
  /** Cents posted and not taken back, of a fixed amount. */
  owed: number;
  /** Of a fixed amount: until when it is held. */
  heldUntil: string;
  /** Sales that are pending, or confirmed and not returned. */
  kept: number;
};
export type ModelSale = { readonly lead: ModelLead; readonly cents: number };
export type SupplierModel = ReturnType<typeof createSupplierModel>;

const DAY_MS = 86_400_000;
/** Days of the terms of all suppliers; the plan has no others. */
export const HOLD_DAYS = 14;

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** `2026-10-15` by the calendar of the zone, so many days after the day of the instant. */
function dayIn(timeZone: string, at: number, daysLater: number): string {
  const format =
    dayFormats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  dayFormats.set(timeZone, format);
  return new Date(Date.parse(format.format(at)) + daysLater * DAY_MS).toISOString().slice(0, 10);
}

export function createSupplierModel(suppliers: readonly ModelSupplier[]) {
  const accounts = new Map<string, ModelAccount>(
    suppliers.flatMap(({ supplierKey }) =>
      ['supplier', 'cost', 'payout', 'supplier_adjustment'].map((kind) => [
        `${kind}:${supplierKey}`,
        { balance: 0, held: 0, entries: 0 },
      ]),
    ),
  );
  const lines = new Map<string, ModelLine[]>(suppliers.map(({ supplierKey }) => [supplierKey, []]));
  const statements: ModelStatement[] = [];
  /** Of shares: until when each is held. */
  const holds = new Map<ModelSale, string>();
  const paidOut = new Map<string, number>();
  const tally = {
    ...{ costs: 0, clawbacks: 0, late: 0, sharedLeads: 0, termChanges: 0 },
    ...{ statements: 0, statementRepeats: 0, payouts: 0, payoutsRefused: 0 },
  };
  const linesOf = (supplierKey: string): ModelLine[] => {
    const own = lines.get(supplierKey);
    if (own === undefined) throw new Error(`the model does not know ${supplierKey}`);
    return own;
  };
  const balanceOf = (supplierKey: string): number => linesOf(supplierKey).reduce((sum, { cents }) => sum + cents, 0);
  const holdOf = (supplierKey: string, at: number): string => {
    const zone = suppliers.find((one) => one.supplierKey === supplierKey)?.timeZone ?? 'UTC';
    return dayIn(zone, at, HOLD_DAYS);
  };
  const move = (supplierKey: string, counterpart: string, { cents, ...line }: ModelLine): void => {
    if (cents === 0) return;
    linesOf(supplierKey).push({ cents, ...line });
    for (const [kind, change] of [
      ['supplier', cents],
      [counterpart, -cents],
    ] as const) {
      const account = accounts.get(`${kind}:${supplierKey}`);
      if (account === undefined) throw new Error(`the model has no ${kind} of ${supplierKey}`);
      account.balance += change;
      account.entries += 1;
    }
  };
  const shareOf = ({ lead, cents }: ModelSale): number =>
    Number((BigInt(cents) * BigInt(lead.terms.rate) + 5000n) / 10_000n);

  return {
    suppliers,
    accounts,
    tally,
    statements,
    linesOf: (supplierKey: string): readonly ModelLine[] => linesOf(supplierKey),
    reserve: ({ lead }: ModelSale): void => void (lead.kept += 1),
    /** For a pending sale that fails. */
    end: ({ lead }: ModelSale): void => void (lead.kept -= 1),
    /** Call it for the first charge of each delivery, with its final price. */
    sell(sale: ModelSale, at: number): void {
      const { lead } = sale;
      const { model, rate } = lead.terms;
      if (model === 'none' || (model === 'fixed' && lead.isPosted)) return;
      lead.isPosted = true;
      const cost = model === 'fixed' ? rate : shareOf(sale);
      if (model === 'fixed') lead.owed = cost;
      if (cost > 0) tally.costs += 1;
      const heldUntil = holdOf(lead.supplierKey, at);
      if (model === 'fixed') lead.heldUntil = heldUntil;
      else holds.set(sale, heldUntil);
      move(lead.supplierKey, 'cost', { kind: 'earned', cents: cost, at, heldUntil });
    },
    /** The approval of a claim that credits the whole price. */
    takeBack(sale: ModelSale, confirmedAt: number, now: number): void {
      const { lead } = sale;
      const { model, clawbackDays } = lead.terms;
      lead.kept -= 1;
      if (model === 'none' || clawbackDays === null) return;
      if (now - confirmedAt > clawbackDays * DAY_MS) return void (tally.late += 1);
      const cents = model === 'share' ? shareOf(sale) : lead.kept === 0 ? lead.owed : 0;
      if (model === 'fixed') lead.owed -= cents;
      if (cents > 0) tally.clawbacks += 1;
      const heldUntil = model === 'fixed' ? lead.heldUntil : (holds.get(sale) ?? null);
      move(lead.supplierKey, 'cost', { kind: 'clawed_back', cents: -cents, at: now, heldUntil });
    },
    balanceOf,
    /** Call it with no other postings under way. */
    payOut(supplierKey: string, reference: string, { cents, at }: { readonly cents: number; readonly at: number }) {
      const known = paidOut.get(`${supplierKey} ${reference}`);
      if (known !== undefined) return known === cents ? 'known' : 'payout_reference_reused';
      if (cents > balanceOf(supplierKey)) {
        tally.payoutsRefused += 1;
        return 'payout_exceeds_balance';
      }
      paidOut.set(`${supplierKey} ${reference}`, cents);
      tally.payouts += 1;
      move(supplierKey, 'payout', { kind: 'paid_out', cents: -cents, at, heldUntil: null });
      return 'new';
    },
    /** While postings are under way, only for a month that was over at the time of all of them. */
    state({ supplierKey, timeZone }: ModelSupplier, month: string, now: number) {
      if (monthIn(timeZone, now) <= month) return 'month_not_over';
      const own = statements.filter((one) => one.supplierKey === supplierKey);
      if (own.some((one) => one.month === month)) {
        tally.statementRepeats += 1;
        return 'exists';
      }
      if (own.some((one) => one.month > month)) return 'none';
      const all = linesOf(supplierKey);
      const after = own.at(-1)?.upTo ?? 0;
      const upTo = Math.max(after, 1 + all.findLastIndex(({ at }) => monthIn(timeZone, at) <= month));
      const carried = own.at(-1)?.total ?? 0;
      if (upTo === after && carried === 0) return 'none';
      const stated = all.slice(after, upTo);
      const sum = (kind: ModelLine['kind']): number =>
        stated.reduce((cents, line) => (line.kind === kind ? cents + line.cents : cents), 0);
      const held = all
        .slice(0, upTo)
        .reduce(
          (cents, line) => (line.heldUntil !== null && line.heldUntil.slice(0, 7) > month ? cents + line.cents : cents),
          0,
        );
      const statement: ModelStatement = {
        ...{ supplierKey, month, from: after + 1, upTo, carried },
        leads: stated.filter(({ kind }) => kind === 'earned').length,
        earned: sum('earned'),
        clawedBack: 0 - sum('clawed_back'),
        paidOut: 0 - sum('paid_out'),
        total: carried + stated.reduce((cents, line) => cents + line.cents, 0),
        held: Math.max(0, held),
      };
      tally.statements += 1;
      statements.push(statement);
      return statement;
    },
  };
}

// Compares the results of a simulation with history: leads, revenue and reasons, by partner and offer.
import { wireAmount } from '../base/money.ts';
import type { LeadOutcome } from './past.ts';

/** How one lead ended. */
export type Ending = {
  readonly outcome: LeadOutcome;
  /** Why it was rejected; null unless it was. */
  readonly reason: string | null;
  /** All its sales in the window. */
  readonly sales: readonly EndedSale[];
};

export type EndedSale = {
  readonly offerKey: string;
  readonly buyerKey: string;
  readonly payoutCents: number;
  readonly appointmentAt: number | null;
  readonly isFailed: boolean;
  readonly isReturned: boolean;
};

/** `from` is the value in history, `to` the one in the simulation. */
export type FromTo = { readonly from: number; readonly to: number };
/** `revenue` is money as on the wire, of sales that neither failed nor were returned. */
export type Totals = {
  readonly routed: number;
  readonly rejected: number;
  readonly held: number;
  readonly revenue: number;
};

export type Comparison = {
  readonly leads: number;
  /** Leads with another outcome than in history. */
  readonly differences: number;
  readonly totals: { readonly history: Totals; readonly simulated: Totals };
  /** Sales that did not fail; a shared lead counts once for each of its partners. */
  readonly partners: ReadonlyArray<{ readonly partner: string; readonly leads: FromTo; readonly revenue: FromTo }>;
  readonly offers: ReadonlyArray<{
    readonly offer: string;
    readonly partner: string;
    readonly leads: FromTo;
    readonly revenue: FromTo;
  }>;
  /** Rejected leads by one reason each: `duplicate`, `not_wanted`, or why the first offer whose filters it passed was left out. */
  readonly unsold: ReadonlyArray<{ readonly reason: string } & FromTo>;
};

type Side = 'from' | 'to';
type Counted = { key: string; partner: string; leads: Record<Side, number>; cents: Record<Side, number> };
type Sums = Record<LeadOutcome, number> & { cents: number };

export type Tally = { add(past: Ending, simulated: Ending): void; result(): Comparison };

export function createTally(): Tally {
  const offers = new Map<string, Counted>();
  const partners = new Map<string, Counted>();
  const reasons = new Map<string, Record<Side, number>>();
  const sums: Record<Side, Sums> = {
    from: { routed: 0, rejected: 0, held: 0, cents: 0 },
    to: { routed: 0, rejected: 0, held: 0, cents: 0 },
  };
  let leads = 0;
  let differences = 0;
  const count = (side: Side, { outcome, reason, sales }: Ending): void => {
    sums[side][outcome] += 1;
    if (reason !== null) rowOf(reasons, reason, () => ({ from: 0, to: 0 }))[side] += 1;
    for (const { offerKey, buyerKey, payoutCents, isFailed, isReturned } of sales) {
      if (isFailed) continue;
      const cents = isReturned ? 0 : payoutCents;
      sums[side].cents += cents;
      for (const row of [
        rowOf(offers, offerKey, () => newRow(offerKey, buyerKey)),
        rowOf(partners, buyerKey, () => newRow(buyerKey, buyerKey)),
      ]) {
        row.leads[side] += 1;
        row.cents[side] += cents;
      }
    }
  };
  return {
    add(past, simulated) {
      leads += 1;
      if (textOf(past) !== textOf(simulated)) differences += 1;
      count('from', past);
      count('to', simulated);
    },
    result: () => ({
      leads,
      differences,
      totals: { history: totalsOf(sums.from), simulated: totalsOf(sums.to) },
      partners: sorted(partners).map((row) => ({ partner: row.key, ...figuresOf(row) })),
      offers: sorted(offers).map((row) => ({ offer: row.key, partner: row.partner, ...figuresOf(row) })),
      unsold: [...reasons]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([reason, sides]) => ({ reason, ...sides })),
    }),
  };
}

/** Equal texts for equal endings. */
function textOf({ outcome, reason, sales }: Ending): string {
  const sold = sales.map((sale) =>
    [sale.offerKey, sale.payoutCents, sale.appointmentAt, sale.isFailed, sale.isReturned].join(' '),
  );
  return [outcome, reason, ...sold.toSorted()].join('\n');
}

function rowOf<Row>(rows: Map<string, Row>, key: string, make: () => Row): Row {
  let row = rows.get(key);
  if (row === undefined) rows.set(key, (row = make()));
  return row;
}

function newRow(key: string, partner: string): Counted {
  return { key, partner, leads: { from: 0, to: 0 }, cents: { from: 0, to: 0 } };
}

function sorted(rows: ReadonlyMap<string, Counted>): Counted[] {
  return [...rows.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

function figuresOf({ leads, cents }: Counted): { leads: FromTo; revenue: FromTo } {
  return { leads, revenue: { from: wireAmount(cents.from), to: wireAmount(cents.to) } };
}

function totalsOf({ routed, rejected, held, cents }: Sums): Totals {
  return { routed, rejected, held, revenue: wireAmount(cents) };
}

// Compares the results of a simulation with history: leads, money and reasons, by partner, offer and supplier.
import { wireAmount } from '../base/money.ts';
import type { LeadCost, LeadOutcome } from './past.ts';

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
  readonly cost: LeadCost | null;
};

/** `from` is the value in history, `to` the one in the simulation. */
export type FromTo = { readonly from: number; readonly to: number };
/**
 * Money as on the wire. `revenue` is of sales that neither failed nor were returned, `cost` is what suppliers are owed for sales that did not
 * fail, less what returns take back, `margin` the difference.
 */
export type Totals = {
  readonly routed: number;
  readonly rejected: number;
  readonly held: number;
  readonly revenue: number;
  readonly cost: number;
  readonly margin: number;
};
type Money = { readonly leads: FromTo; readonly revenue: FromTo; readonly cost: FromTo; readonly margin: FromTo };

export type Comparison = {
  readonly leads: number;
  /** Leads with another outcome than in history. */
  readonly differences: number;
  readonly totals: { readonly history: Totals; readonly simulated: Totals };
  /** Sales that did not fail; a shared lead counts once for each of its partners. */
  readonly partners: ReadonlyArray<{ readonly partner: string } & Money>;
  readonly offers: ReadonlyArray<{ readonly offer: string; readonly partner: string } & Money>;
  readonly suppliers: ReadonlyArray<{ readonly supplier: string } & Money>;
  /** Rejected leads by one reason each: `duplicate`, `not_wanted`, or why the first offer whose filters it passed was left out. */
  readonly unsold: ReadonlyArray<{ readonly reason: string } & FromTo>;
};

type Side = 'from' | 'to';
type Counted = {
  key: string;
  partner: string;
  leads: Record<Side, number>;
  cents: Record<Side, number>;
  costs: Record<Side, number>;
};
type Sums = Record<LeadOutcome, number> & { cents: number; costs: number };

export type Tally = { add(supplierKey: string, past: Ending, simulated: Ending): void; result(): Comparison };

export function createTally(): Tally {
  const offers = new Map<string, Counted>();
  const partners = new Map<string, Counted>();
  const suppliers = new Map<string, Counted>();
  const reasons = new Map<string, Record<Side, number>>();
  const sums: Record<Side, Sums> = {
    from: { routed: 0, rejected: 0, held: 0, cents: 0, costs: 0 },
    to: { routed: 0, rejected: 0, held: 0, cents: 0, costs: 0 },
  };
  let leads = 0;
  let differences = 0;
  const count = (side: Side, supplierKey: string, { outcome, reason, sales }: Ending): void => {
    sums[side][outcome] += 1;
    if (reason !== null) rowOf(reasons, reason, () => ({ from: 0, to: 0 }))[side] += 1;
    const kept = sales.filter(({ isFailed }) => !isFailed);
    const costs = costsOf(kept);
    for (const [index, { offerKey, buyerKey, payoutCents, isReturned }] of kept.entries()) {
      const cents = isReturned ? 0 : payoutCents;
      const cost = costs[index] ?? 0;
      sums[side].cents += cents;
      sums[side].costs += cost;
      for (const row of [
        rowOf(offers, offerKey, () => newRow(offerKey, buyerKey)),
        rowOf(partners, buyerKey, () => newRow(buyerKey, buyerKey)),
        rowOf(suppliers, supplierKey, () => newRow(supplierKey, '')),
      ]) {
        row.leads[side] += 1;
        row.cents[side] += cents;
        row.costs[side] += cost;
      }
    }
  };
  return {
    add(supplierKey, past, simulated) {
      leads += 1;
      if (textOf(past) !== textOf(simulated)) differences += 1;
      count('from', supplierKey, past);
      count('to', supplierKey, simulated);
    },
    result: () => ({
      leads,
      differences,
      totals: { history: totalsOf(sums.from), simulated: totalsOf(sums.to) },
      partners: sorted(partners).map((row) => ({ partner: row.key, ...figuresOf(row) })),
      offers: sorted(offers).map((row) => ({ offer: row.key, partner: row.partner, ...figuresOf(row) })),
      suppliers: sorted(suppliers).map((row) => ({ supplier: row.key, ...figuresOf(row) })),
      unsold: [...reasons]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([reason, sides]) => ({ reason, ...sides })),
    }),
  };
}

/**
 * What each sale of a lead costs in the end. A returned one costs nothing if the terms take it back; whether its return was approved in time
 * is not simulated. A fixed amount counts at the first sale that has one, and is taken back when no sale of the lead is kept.
 */
function costsOf(sales: readonly EndedSale[]): number[] {
  const first = sales.findIndex(({ cost }) => cost?.model === 'fixed');
  const isKept = sales.some(({ isReturned }) => !isReturned);
  return sales.map(({ cost, isReturned }, index) => {
    if (cost === null || (cost.model === 'fixed' && index !== first)) return 0;
    const isUndone = cost.model === 'fixed' ? !isKept : isReturned;
    return isUndone && cost.clawbackDays !== null ? 0 : cost.costCents;
  });
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
  return { key, partner, leads: { from: 0, to: 0 }, cents: { from: 0, to: 0 }, costs: { from: 0, to: 0 } };
}

function sorted(rows: ReadonlyMap<string, Counted>): Counted[] {
  return [...rows.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

function figuresOf({ leads, cents, costs }: Counted): Money {
  const money = ({ from, to }: Record<Side, number>): FromTo => ({ from: wireAmount(from), to: wireAmount(to) });
  const margins = { from: cents.from - costs.from, to: cents.to - costs.to };
  return { leads, revenue: money(cents), cost: money(costs), margin: money(margins) };
}

function totalsOf({ routed, rejected, held, cents, costs }: Sums): Totals {
  const margin = wireAmount(cents - costs);
  return { routed, rejected, held, revenue: wireAmount(cents), cost: wireAmount(costs), margin };
}

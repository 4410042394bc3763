// What a page shows of a simulation: totals, and of partners and offers those that would fare otherwise, by how much.
import type { Comparison, FromTo } from './comparison.rules.ts';

type Row = { readonly leads: FromTo; readonly revenue: FromTo };
export type Shown<Of> = {
  /** The largest difference of money first, then of leads; at most so many as a page can show. */
  readonly rows: readonly Of[];
  /** How many fare otherwise in all, and how many as they did. */
  readonly changed: number;
  readonly unchanged: number;
};

const ROWS_SHOWN = 500;

export function shownPartners({ partners }: Pick<Comparison, 'partners'>): Shown<Comparison['partners'][number]> {
  return shown(partners, ({ partner }) => partner);
}

export function shownOffers({ offers }: Pick<Comparison, 'offers'>): Shown<Comparison['offers'][number]> {
  return shown(offers, ({ offer }) => offer);
}

function shown<Of extends Row>(all: readonly Of[], nameOf: (row: Of) => string): Shown<Of> {
  const changed = all.filter(({ leads, revenue }) => leads.from !== leads.to || revenue.from !== revenue.to);
  const rows = changed
    .toSorted(
      (one, other) =>
        distance(other.revenue) - distance(one.revenue) ||
        distance(other.leads) - distance(one.leads) ||
        (nameOf(one) < nameOf(other) ? -1 : 1),
    )
    .slice(0, ROWS_SHOWN);
  return { rows, changed: changed.length, unchanged: all.length - changed.length };
}

/** Amounts of money have two decimals, so that the hundredfold is whole. */
function distance({ from, to }: FromTo): number {
  return Math.abs(Math.round(to * 100) - Math.round(from * 100));
}

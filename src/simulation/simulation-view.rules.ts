// Selects what the page of a simulation shows: the partners, offers and suppliers with the largest changes.
import type { Comparison, FromTo } from './comparison.rules.ts';

/** Rows of a simulation that an earlier release has stored have no margin. */
type Row = { readonly leads: FromTo; readonly revenue: FromTo; readonly margin?: FromTo };
export type Shown<Of> = {
  /** Largest difference in revenue first, then in leads; limited to what a page can show. */
  readonly rows: readonly Of[];
  /** How many rows changed in total, and how many did not. */
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

export function shownSuppliers({ suppliers }: Pick<Comparison, 'suppliers'>): Shown<Comparison['suppliers'][number]> {
  return shown(suppliers, ({ supplier }) => supplier);
}

function shown<Of extends Row>(all: readonly Of[], nameOf: (row: Of) => string): Shown<Of> {
  const changed = all.filter(
    ({ leads, revenue, margin }) =>
      leads.from !== leads.to || revenue.from !== revenue.to || (margin !== undefined && margin.from !== margin.to),
  );
  const rows = changed
    .toSorted(
      (one, other) =>
        distance(other.revenue) - distance(one.revenue) ||
        distance(other.margin) - distance(one.margin) ||
        distance(other.leads) - distance(one.leads) ||
        (nameOf(one) < nameOf(other) ? -1 : 1),
    )
    .slice(0, ROWS_SHOWN);
  return { rows, changed: changed.length, unchanged: all.length - changed.length };
}

/** In hundredths, which are whole numbers because amounts have two decimals. */
function distance({ from, to }: FromTo = { from: 0, to: 0 }): number {
  return Math.abs(Math.round(to * 100) - Math.round(from * 100));
}

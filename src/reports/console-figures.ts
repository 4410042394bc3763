// What suppliers, partners and offers came to in the last days, for the console's lists: of the rows of one page at a time.
import { wireAmount } from '../base/money.ts';
import { DAY_MS, utcDay } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import { countsBySupplier, offersByBuyer, soldByBuyer, soldByOffer, type SoldRow } from './console-figures.sql.ts';
import { supplierTotals } from './supplier-totals.rules.ts';

/** Four weeks have every weekday equally often. */
const FIGURE_DAYS = 28;

/** Of the days' deliveries as they now stand; money as on the wire. */
export type Sold = {
  /** Neither failed nor returned. */
  readonly sold: number;
  readonly revenue: number;
  readonly returned: number;
  readonly failed: number;
};
export type PartnerFigures = Sold & { readonly offers: number; readonly activeOffers: number };
export type SupplierFigures = {
  readonly submitted: number;
  readonly routed: number;
  /** Percent with one decimal. */
  readonly acceptanceRate: number;
  readonly avgScore: number;
};

const NOTHING_SOLD: Sold = { sold: 0, revenue: 0, returned: 0, failed: 0 };

/** Of every key asked for. */
export async function partnerFigures(
  tx: Tx,
  keys: readonly string[],
  now: Date,
): Promise<(key: string) => PartnerFigures> {
  const sold = soldOf(await tx.query(soldByBuyer, { buyerKeys: keys, ...lastDays(now) }));
  const offers = new Map((await tx.query(offersByBuyer, { keys })).map((row) => [row.key, row]));
  return (key) => {
    const count = offers.get(key);
    return { ...(sold.get(key) ?? NOTHING_SOLD), offers: count?.offers ?? 0, activeOffers: count?.active ?? 0 };
  };
}

export async function offerFigures(
  tx: Tx,
  offers: ReadonlyArray<{ readonly offerKey: string; readonly buyerKey: string }>,
  now: Date,
): Promise<(offerKey: string) => Sold> {
  const offerKeys = offers.map(({ offerKey }) => offerKey);
  const buyerKeys = [...new Set(offers.map(({ buyerKey }) => buyerKey))];
  const sold = soldOf(await tx.query(soldByOffer, { offerKeys, buyerKeys, ...lastDays(now) }));
  return (key) => sold.get(key) ?? NOTHING_SOLD;
}

export async function supplierFigures(
  tx: Tx,
  keys: readonly string[],
  now: Date,
): Promise<(key: string) => SupplierFigures> {
  const rows = await tx.query(countsBySupplier, { supplierKeys: keys, ...lastDays(now) });
  const bySupplier = Map.groupBy(rows, ({ key }) => key);
  return (key) => {
    const { submitted, routed, acceptanceRate, avgScore } = supplierTotals(bySupplier.get(key) ?? []).totals;
    return { submitted, routed, acceptanceRate, avgScore };
  };
}

function soldOf(rows: readonly SoldRow[]): Map<string, Sold> {
  return new Map(
    rows.map(({ key, sold, soldCents, returned, failed }) => [
      key,
      { sold, revenue: wireAmount(soldCents), returned, failed },
    ]),
  );
}

/** UTC days, with today in them. */
function lastDays(now: Date): { readonly firstDay: string; readonly lastDay: string } {
  return { firstDay: utcDay(new Date(now.getTime() - (FIGURE_DAYS - 1) * DAY_MS)), lastDay: utcDay(now) };
}

// Reads sales figures of the last days for given suppliers, partners and offers, for the console's lists and for forecasts of funds.
import { wireAmount } from '../base/money.ts';
import { DAY_MS, utcDay } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import { countsBySupplier, offersByBuyer, soldByBuyer, soldByOffer, type SoldRow } from './sales-figures.sql.ts';
import { supplierTotals } from './supplier-totals.rules.ts';

/** Four weeks contain every weekday equally often. */
const FIGURE_DAYS = 28;

/** The deliveries of these days by their present status; money as on the wire. */
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

/** Returns figures for every given key. */
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

/** A week contains every weekday once. */
const SPENT_DAYS = 7;

/** The average spending of buyers per day over the last whole UTC days, in cents; 0 for a buyer without sales. */
export async function readSpentADay(
  tx: Tx,
  buyerKeys: readonly string[],
  now: Date,
): Promise<(buyerKey: string) => number> {
  if (buyerKeys.length === 0) return () => 0;
  const day = (back: number): string => utcDay(new Date(now.getTime() - back * DAY_MS));
  const rows = await tx.query(soldByBuyer, { buyerKeys, firstDay: day(SPENT_DAYS), lastDay: day(1) });
  const spent = new Map(rows.map(({ key, soldCents }) => [key, soldCents / SPENT_DAYS]));
  return (buyerKey) => spent.get(buyerKey) ?? 0;
}

function soldOf(rows: readonly SoldRow[]): Map<string, Sold> {
  return new Map(
    rows.map(({ key, sold, soldCents, returned, failed }) => [
      key,
      { sold, revenue: wireAmount(soldCents), returned, failed },
    ]),
  );
}

/** UTC days, today included. */
function lastDays(now: Date): { readonly firstDay: string; readonly lastDay: string } {
  return { firstDay: utcDay(new Date(now.getTime() - (FIGURE_DAYS - 1) * DAY_MS)), lastDay: utcDay(now) };
}

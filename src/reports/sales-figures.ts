// Reads sales figures of the last days for given suppliers, partners and offers, for the console's lists and for forecasts of funds.
import { strict as assert } from 'node:assert';

import { wireAmount } from '../base/money.ts';
import { DAY_MS, utcDay } from '../base/time.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { edgesOf, lastPeriods, partOf } from './local-days.rules.ts';
import {
  type CountedDays,
  countsBySupplier,
  offersByBuyer,
  soldByBuyer,
  soldByOffer,
  type SoldRow,
} from './sales-figures.sql.ts';
import { supplierTotals } from './supplier-totals.rules.ts';

/** Four weeks contain every weekday equally often. */
const FIGURE_DAYS = 28;

/** The deliveries of the last days, of the marketplace's time zone, by their present status; money as on the wire. */
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
  const soldBy = await partnerSales(tx, keys, now);
  const offersOf = await countOffers(tx, keys);
  return (key) => ({ ...soldBy(key), ...offersOf(key) });
}

/** The part of the figures that counts deliveries. */
export async function partnerSales(tx: Tx, keys: readonly string[], now: Date): Promise<(key: string) => Sold> {
  const sold = soldOf(await tx.query(soldByBuyer, { buyerKeys: keys, ...(await readLastDays(tx, now)) }));
  return (key) => sold.get(key) ?? NOTHING_SOLD;
}

/** The part of the figures that counts offers. */
export async function countOffers(
  tx: Tx,
  keys: readonly string[],
): Promise<(key: string) => Pick<PartnerFigures, 'offers' | 'activeOffers'>> {
  const rows = new Map((await tx.query(offersByBuyer, { keys })).map((row) => [row.key, row]));
  return (key) => ({ offers: rows.get(key)?.offers ?? 0, activeOffers: rows.get(key)?.active ?? 0 });
}

export async function offerFigures(
  tx: Tx,
  offers: ReadonlyArray<{ readonly offerKey: string; readonly buyerKey: string }>,
  now: Date,
): Promise<(offerKey: string) => Sold> {
  const offerKeys = offers.map(({ offerKey }) => offerKey);
  const buyerKeys = [...new Set(offers.map(({ buyerKey }) => buyerKey))];
  const sold = soldOf(await tx.query(soldByOffer, { offerKeys, buyerKeys, ...(await readLastDays(tx, now)) }));
  return (key) => sold.get(key) ?? NOTHING_SOLD;
}

export async function supplierFigures(
  tx: Tx,
  keys: readonly string[],
  now: Date,
): Promise<(key: string) => SupplierFigures> {
  const rows = await tx.query(countsBySupplier, { supplierKeys: keys, ...(await readLastDays(tx, now)) });
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
  const noPart = { partFrom: now, partUntil: now, partSign: 1 } as const;
  const rows = await tx.query(soldByBuyer, { buyerKeys, firstDay: day(SPENT_DAYS), lastDay: day(1), ...noPart });
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

/** Days of the marketplace's time zone, today included. */
async function readLastDays(tx: Tx, now: Date): Promise<CountedDays> {
  const { settings } = await readSettings(tx);
  const [edge] = edgesOf(lastPeriods('day', FIGURE_DAYS, { now, timeZone: settings.timeZone }));
  assert(edge !== undefined, 'there is a first day');
  const { from, until } = partOf(edge);
  return {
    ...{ firstDay: utcDay(new Date(edge.midnight)), lastDay: utcDay(now) },
    ...{ partFrom: new Date(from), partUntil: new Date(until), partSign: edge.at > edge.midnight ? -1 : 1 },
  };
}

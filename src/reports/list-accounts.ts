// Lists partners and suppliers by name or by a figure. A figure is read for all that the query finds: there are only as many as in the
// marketplace file.
import type { Buyer } from '../buyers/buyer.ts';
import { type BuyerQuery, findBuyers, listBuyers } from '../buyers/read-buyers.ts';
import type { Tx } from '../platform/database/database.ts';
import { readBalances, type SupplierBalance } from '../statements/read-earnings.ts';
import { findSuppliers, listSuppliers, type SupplierQuery } from '../suppliers/read-suppliers.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { readAvailableFunds, readLastLeads, readToday, readTrends } from './account-activity.ts';
import {
  type PartnerMeasure,
  type PartnerOrder,
  readOrder,
  sortedBy,
  type SupplierMeasure,
  type SupplierOrder,
} from './account-list-order.rules.ts';
import { countOffers, partnerSales, type Sold, type SupplierFigures, supplierFigures } from './sales-figures.ts';

/** Partners with equal figures come in the order of their names. */
export async function listPartnersBy(
  tx: Tx,
  { order, ...query }: BuyerQuery & { readonly order: PartnerOrder },
  now: Date,
): Promise<{ readonly total: number; readonly buyers: readonly Buyer[] }> {
  if (order === 'name') return listBuyers(tx, query);
  const buyers = await findBuyers(tx, query);
  const { by, isDescending } = readOrder<PartnerMeasure>(order);
  const valueOf = await partnerValues[by](tx, buyers, now);
  return { total: buyers.length, buyers: slice(sortedBy(buyers, valueOf, isDescending), query) };
}

/** Suppliers with equal figures come in the order of their names. */
export async function listSuppliersBy(
  tx: Tx,
  { order, ...query }: SupplierQuery & { readonly order: SupplierOrder },
  now: Date,
): Promise<{ readonly total: number; readonly suppliers: readonly SupplierConfig[] }> {
  if (order === 'name') return listSuppliers(tx, query);
  const suppliers = await findSuppliers(tx, query);
  const { by, isDescending } = readOrder<SupplierMeasure>(order);
  const valueOf = await supplierValues[by](tx, suppliers, now);
  return { total: suppliers.length, suppliers: slice(sortedBy(suppliers, valueOf, isDescending), query) };
}

type Values<Row> = (tx: Tx, rows: readonly Row[], now: Date) => Promise<(row: Row) => number>;

const partnerValues: Readonly<Record<PartnerMeasure, Values<Buyer>>> = {
  name: inGivenOrder,
  async available(tx, buyers) {
    const availableOf = await readAvailableFunds(tx, buyers);
    return (buyer) => availableOf(buyer) ?? Infinity;
  },
  async last(tx, buyers) {
    const lastOf = await readLastLeads(tx, { of: 'partner', keys: buyers.map(({ buyerKey }) => buyerKey) });
    return ({ buyerKey }) => lastOf(buyerKey)?.getTime() ?? -Infinity;
  },
  async today(tx, buyers, now) {
    const todayOf = await readToday(tx, buyers, now);
    return ({ buyerKey }) => todayOf(buyerKey)?.sold ?? -Infinity;
  },
  async activeOffers(tx, buyers) {
    const keys = buyers.map(({ buyerKey }) => buyerKey);
    const offersOf = await countOffers(tx, keys);
    return ({ buyerKey }) => offersOf(buyerKey).activeOffers;
  },
  sold: ofPartnerSales(({ sold }) => sold),
  revenue: ofPartnerSales(({ revenue }) => revenue),
  returned: ofPartnerSales(({ returned }) => returned),
};

const supplierValues: Readonly<Record<SupplierMeasure, Values<SupplierConfig>>> = {
  name: inGivenOrder,
  async last(tx, suppliers) {
    const lastOf = await readLastLeads(tx, { of: 'supplier', keys: suppliers.map(({ supplierKey }) => supplierKey) });
    return ({ supplierKey }) => lastOf(supplierKey)?.getTime() ?? -Infinity;
  },
  async today(tx, suppliers, now) {
    const keys = suppliers.map(({ supplierKey }) => supplierKey);
    const todayOf = await readTrends(tx, { of: 'supplier', keys, days: 1, now });
    return ({ supplierKey }) => todayOf(supplierKey)[0] ?? 0;
  },
  owed: ofBalances(({ balanceCents }) => balanceCents),
  held: ofBalances(({ heldCents }) => heldCents),
  payable: ofBalances(({ payableCents }) => payableCents),
  submitted: ofSupplierFigures(({ submitted }) => submitted),
  routed: ofSupplierFigures(({ routed }) => routed),
  rate: ofSupplierFigures(({ submitted, acceptanceRate }) => (submitted === 0 ? -Infinity : acceptanceRate)),
  score: ofSupplierFigures(({ submitted, avgScore }) => (submitted === 0 ? -Infinity : avgScore)),
};

/** The rows come in the order of their names. */
async function inGivenOrder<Row>(_tx: Tx, rows: readonly Row[]): Promise<(row: Row) => number> {
  const places = new Map(rows.map((row, index) => [row, index]));
  return (row) => places.get(row) ?? 0;
}

function ofPartnerSales(valueOf: (sales: Sold) => number): Values<Buyer> {
  return async (tx, buyers, now) => {
    const keys = buyers.map(({ buyerKey }) => buyerKey);
    const salesOf = await partnerSales(tx, keys, now);
    return ({ buyerKey }) => valueOf(salesOf(buyerKey));
  };
}

function ofBalances(valueOf: (balance: SupplierBalance) => number): Values<SupplierConfig> {
  return async (tx, suppliers, now) => {
    const balanceOf = await readBalances(tx, suppliers, now);
    return ({ supplierKey }) => valueOf(balanceOf(supplierKey));
  };
}

function ofSupplierFigures(valueOf: (figures: SupplierFigures) => number): Values<SupplierConfig> {
  return async (tx, suppliers, now) => {
    const keys = suppliers.map(({ supplierKey }) => supplierKey);
    const figuresOf = await supplierFigures(tx, keys, now);
    return ({ supplierKey }) => valueOf(figuresOf(supplierKey));
  };
}

function slice<Row>(
  rows: readonly Row[],
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
): readonly Row[] {
  return rows.slice((page - 1) * pageSize, page * pageSize);
}

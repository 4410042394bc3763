// The orders of the console's lists of partners and suppliers: by name or by a figure of the list, `-` for the largest or latest first.

export const partnerMeasures = [
  'name',
  'available',
  'last',
  'today',
  'activeOffers',
  'sold',
  'revenue',
  'returned',
] as const;
export type PartnerMeasure = (typeof partnerMeasures)[number];
export type PartnerOrder = PartnerMeasure | `-${PartnerMeasure}`;
export const partnerOrders: readonly PartnerOrder[] = partnerMeasures.flatMap((name) => [name, `-${name}` as const]);

export const supplierMeasures = ['name', 'last', 'today', 'submitted', 'routed', 'rate', 'score'] as const;
/** What the operator owes a supplier, and what of it is held or can be paid, which the list of balances shows. */
const balanceMeasures = ['owed', 'held', 'payable'] as const;
type BalanceMeasure = (typeof balanceMeasures)[number];
export type SupplierMeasure = (typeof supplierMeasures)[number] | BalanceMeasure;
export type SupplierOrder = SupplierMeasure | `-${SupplierMeasure}`;
export const balanceOrders = (['name', ...balanceMeasures] as const).flatMap((name) => [name, `-${name}` as const]);
type ListedOrder = Exclude<SupplierOrder, BalanceMeasure | `-${BalanceMeasure}`>;
export const supplierOrders: readonly ListedOrder[] = supplierMeasures.flatMap((name) => [name, `-${name}` as const]);

export function readOrder<Measure extends string>(
  order: Measure | `-${Measure}`,
): { readonly by: Measure; readonly isDescending: boolean } {
  const isDescending = order.startsWith('-');
  return { by: (isDescending ? order.slice(1) : order) as Measure, isDescending };
}

/** A sorted copy; rows with equal values keep their order in both directions. */
export function sortedBy<Row>(rows: readonly Row[], valueOf: (row: Row) => number, isDescending: boolean): Row[] {
  const values = new Map(rows.map((row) => [row, valueOf(row)]));
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((row, other) => {
    const [one, two] = [values.get(row) ?? 0, values.get(other) ?? 0];
    return one === two ? 0 : one < two ? -sign : sign;
  });
}

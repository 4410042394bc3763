// The orders of a list with several figures, and which of them a column has.
import { choiceFilter } from './filters.ts';

/** The orders of a list for `useFilters`: by name, or by figures, the smallest first or with `-` the largest. */
export function sortFilter<const Figures extends readonly string[]>(figures: Figures) {
  type Order = 'name' | Figures[number];
  const both = ['name', ...figures].flatMap((name) => [name, `-${name}`]) as ['name', ...Array<Order | `-${Order}`>];
  return choiceFilter(both);
}

/** The orders of a column. */
export function ordersOf(name: string): { readonly ascending: string; readonly descending: string } {
  return { ascending: name, descending: `-${name}` };
}

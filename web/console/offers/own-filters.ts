// The filters of an offer on own fields, in the order in which the service stores them: adding a value and removing it again is no change.
import type { OwnFieldForm, OwnFilter, OwnFilters, OwnFilterValues } from '../configuration/configuration-api.ts';

/** Without conditions that are empty; a filter without any is left out. */
export function withFilter(filters: OwnFilters, name: string, filter: OwnFilter): OwnFilters {
  const { in: wanted = [], notIn = [], min, max, is } = filter;
  const ordered: OwnFilter = {
    ...(wanted.length === 0 ? {} : { in: sorted(wanted) }),
    ...(notIn.length === 0 ? {} : { notIn: sorted(notIn) }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(is === undefined ? {} : { is }),
  };
  const others = Object.entries(filters).filter(([other]) => other !== name);
  const all = Object.keys(ordered).length === 0 ? others : [...others, [name, ordered] as const];
  return Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function sorted(values: OwnFilterValues): OwnFilterValues {
  return values.toSorted((one, other) =>
    typeof one === 'number' && typeof other === 'number' ? one - other : String(one) < String(other) ? -1 : 1,
  );
}

/** The filters that an offer on a vertical with these fields can keep. */
export function filtersWithin(filters: OwnFilters, fields: readonly OwnFieldForm[]): OwnFilters {
  const names = new Set(fields.filter(({ filterable }) => filterable).map(({ name }) => name));
  return Object.fromEntries(Object.entries(filters).filter(([name]) => names.has(name)));
}

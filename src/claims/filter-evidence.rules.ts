// Compares a lead's values with the filters that its offer had at the time of the sale: evidence for the review of a claim about a wrong
// location or filter (contract 7.7). It decides nothing.
import { type JsonValue, isMembers, type Members } from '../base/json.ts';
import { wireAmount } from '../base/money.ts';
import type { OwnFields } from '../leads/lead-fields.ts';
import { failedOwnFilter, type FieldFilter } from '../leads/own-filters.rules.ts';

export type LeadValues = {
  readonly state: string | null;
  readonly debtAmountCents: number | null;
  readonly score: number | null;
  readonly supplierKey: string;
  readonly source: string | null;
  readonly tcpaConsent: boolean;
  readonly hasEmail: boolean;
  readonly hasPhone: boolean;
  readonly own: OwnFields;
};

export type FilterCheck = {
  /** As the marketplace file names it: `states`, `fields.roof`. */
  readonly filter: string;
  /** Of an own field that has one. */
  readonly label?: string;
  readonly wanted: JsonValue;
  readonly found: string | number | boolean | null;
  /** An own field about the person: `found` is null although the lead has it. */
  readonly personal?: true;
  /** Whether the lead passes the filter. */
  readonly holds: boolean;
};

const LOCATION_FILTERS: ReadonlySet<string> = new Set(['states', 'statesNot']);

/**
 * One check per filter that the offer sets; `locationOnly` keeps the filters on states and on ZIP codes of the lead. `filters` comes from the history, where an older
 * program may have written another form: filters in an unknown form are skipped.
 */
export function checkFilters(
  filters: unknown,
  lead: LeadValues,
  { locationOnly }: { locationOnly: boolean },
): FilterCheck[] {
  const stated = isMembers(filters) ? filters : {};
  const checks = [
    ...within(stated, { filter: 'states', found: lead.state }),
    ...without(stated, { filter: 'statesNot', found: lead.state }),
    ...amountBounds(stated, lead.debtAmountCents),
    ...least(stated, lead.score),
    ...within(stated, { filter: 'suppliers', found: lead.supplierKey }),
    ...without(stated, { filter: 'suppliersNot', found: lead.supplierKey }),
    ...within(stated, { filter: 'sources', found: lead.source }),
    ...without(stated, { filter: 'sourcesNot', found: lead.source }),
    ...demand(stated, { filter: 'requireConsent', found: lead.tcpaConsent }),
    ...demand(stated, { filter: 'requireEmail', found: lead.hasEmail }),
    ...demand(stated, { filter: 'requirePhone', found: lead.hasPhone }),
  ];
  const fields = isMembers(stated['fields']) ? stated['fields'] : {};
  const own = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    ...(locationOnly ? checks.filter(({ filter }) => LOCATION_FILTERS.has(filter)) : checks),
    ...own.flatMap(([name, filter]) => {
      const value = Object.hasOwn(lead.own, name) ? lead.own[name] : undefined;
      return locationOnly && value?.type !== 'zip' ? [] : ownCheck(name, fieldFilterOf(filter), lead.own);
    }),
  ];
}

/** The value of a personal field is not copied, as in decisions. */
function ownCheck(name: string, wanted: FieldFilter, own: OwnFields): FilterCheck[] {
  if (Object.keys(wanted).length === 0) return [];
  const { label, personal, value } = (Object.hasOwn(own, name) ? own[name] : undefined) ?? {};
  return [
    {
      filter: `fields.${name}`,
      ...(label === undefined ? {} : { label }),
      wanted,
      found: personal === true ? null : (value ?? null),
      ...(personal === true ? { personal } : {}),
      holds: failedOwnFilter({ [name]: wanted }, own) === null,
    },
  ];
}

function fieldFilterOf(filter: unknown): FieldFilter {
  const { in: wanted, notIn, min, max, is } = isMembers(filter) ? filter : {};
  return {
    ...(isValues(wanted) ? { in: wanted } : {}),
    ...(isValues(notIn) ? { notIn } : {}),
    ...(isValue(min) ? { min } : {}),
    ...(isValue(max) ? { max } : {}),
    ...(typeof is === 'boolean' ? { is } : {}),
  };
}

function isValue(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function isValues(value: unknown): value is Array<string | number> {
  return Array.isArray(value) && value.every(isValue);
}

type Listed = { readonly filter: string; readonly found: string | null };

function within(stated: Members, { filter, found }: Listed): FilterCheck[] {
  const wanted = listOf(stated, filter);
  return wanted.length === 0 ? [] : [{ filter, wanted, found, holds: found !== null && wanted.includes(found) }];
}

function without(stated: Members, { filter, found }: Listed): FilterCheck[] {
  const wanted = listOf(stated, filter);
  return wanted.length === 0 ? [] : [{ filter, wanted, found, holds: found === null || !wanted.includes(found) }];
}

function amountBounds(stated: Members, cents: number | null): FilterCheck[] {
  const bounds = isMembers(stated['debtAmountCents']) ? stated['debtAmountCents'] : {};
  const { min, max } = { min: numberOf(bounds['min']), max: numberOf(bounds['max']) };
  if (min === null && max === null) return [];
  const holds = cents !== null && (min === null || cents >= min) && (max === null || cents <= max);
  const amount = (bound: number | null): number | null => (bound === null ? null : wireAmount(bound));
  return [{ filter: 'debtAmount', wanted: { min: amount(min), max: amount(max) }, found: amount(cents), holds }];
}

function least(stated: Members, score: number | null): FilterCheck[] {
  const wanted = numberOf(stated['minScore']);
  return wanted === null
    ? []
    : [{ filter: 'minScore', wanted, found: score, holds: score !== null && score >= wanted }];
}

function demand(
  stated: Members,
  { filter, found }: { readonly filter: string; readonly found: boolean },
): FilterCheck[] {
  return stated[filter] === true ? [{ filter, wanted: true, found, holds: found }] : [];
}

function listOf(stated: Members, filter: string): string[] {
  const value = stated[filter];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

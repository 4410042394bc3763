// What the map of states and the table of hours show: the measures, short figures, and how dark a figure's ground is. Pure.
import type { ReportMeasure, ReportValues } from '../../../src/reports/report.schema.ts';
import { formatMoney, formatNumber, formatShare } from '../../ui/formats.ts';

export const HEAT_NAMES = ['volume', 'revenue', 'averagePrice', 'unsoldShare'] as const;
export type HeatName = (typeof HEAT_NAMES)[number];

/** All that the measures are calculated from, so that another one needs no request. */
export const HEAT_MEASURES: readonly ReportMeasure[] = [
  'submitted',
  'sold',
  'unsold',
  'sellThrough',
  'deliveries',
  'revenue',
  'averagePrice',
];

export type Heat = {
  readonly name: HeatName;
  readonly label: string;
  /** Null without a value, such as a share of nothing. */
  readonly valueOf: (values: ReportValues) => number | null;
  readonly inWords: (value: number | null, currency: string) => string;
  /** At most six characters, which fit into a tile on a phone. */
  readonly inShort: (value: number | null, currency: string) => string;
  /** The measures of the report that a tile leads to. */
  readonly measures: string;
};

/** Leads have no partner, so the figures of one partner are those of its deliveries. */
export function heatsOf({ isOfPartner }: { readonly isOfPartner: boolean }): readonly Heat[] {
  const [volume, ...others] = HEATS;
  return isOfPartner ? [DELIVERIES, ...others.filter(({ name }) => name !== 'unsoldShare')] : [volume, ...others];
}

const money: Pick<Heat, 'inWords' | 'inShort'> = {
  inWords: (value, currency) => (value === null ? '—' : formatMoney(value, currency)),
  inShort: (value, currency) => (value === null ? '–' : shortMoney(value, currency)),
};
const numbers: Pick<Heat, 'inWords' | 'inShort'> = {
  inWords: (value) => (value === null ? '—' : formatNumber(value)),
  inShort: (value) => (value === null ? '–' : shortNumber(value)),
};

const DELIVERIES: Heat = {
  ...{ name: 'volume', label: 'Deliveries', measures: 'deliveries,revenue,averagePrice', ...numbers },
  valueOf: ({ deliveries }) => deliveries ?? null,
};
const HEATS: readonly [Heat, ...Heat[]] = [
  {
    ...{ name: 'volume', label: 'Leads', measures: 'submitted,sold,unsold,sellThrough', ...numbers },
    valueOf: ({ submitted }) => submitted ?? null,
  },
  {
    ...{ name: 'revenue', label: 'Revenue', measures: 'revenue,deliveries,averagePrice', ...money },
    valueOf: ({ revenue }) => revenue ?? null,
  },
  {
    ...{ name: 'averagePrice', label: 'Average price', measures: 'averagePrice,deliveries,revenue', ...money },
    valueOf: ({ averagePrice }) => averagePrice ?? null,
  },
  {
    ...{ name: 'unsoldShare', label: 'Unsold share', measures: 'unsold,sold,sellThrough' },
    valueOf: ({ sellThrough }) => (sellThrough === null || sellThrough === undefined ? null : 1 - sellThrough),
    inWords: (value) => (value === null ? '—' : formatShare(value)),
    inShort: (value) => (value === null ? '–' : `${Math.round(100 * value)}%`),
  },
];

const COMPACT_FROM = 1000;
/** Below, one decimal fits: 9.9K. */
const DECIMAL_BELOW = 9950;

const compact = (value: number): Intl.NumberFormatOptions => ({
  ...(Math.abs(value) >= COMPACT_FROM ? { notation: 'compact' } : {}),
  maximumFractionDigits: Math.abs(value) >= COMPACT_FROM && Math.abs(value) < DECIMAL_BELOW ? 1 : 0,
  minimumFractionDigits: 0,
});

function shortNumber(value: number): string {
  return value.toLocaleString('en-US', compact(value));
}

function shortMoney(amount: number, currency: string): string {
  const value = Math.round(amount);
  return value.toLocaleString('en-US', {
    ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...compact(value) },
  });
}

/** How dark the ground of a figure is: 0 for none or nothing, else 1 to 5 by its part of the largest. */
export function levelOf(value: number | null, largest: number): number {
  if (value === null || value <= 0 || largest <= 0) return 0;
  return Math.min(LEVELS, Math.max(1, Math.ceil((LEVELS * value) / largest)));
}
const LEVELS = 5;

export function largestOf(values: ReadonlyArray<number | null>): number {
  return Math.max(0, ...values.map((value) => value ?? 0));
}

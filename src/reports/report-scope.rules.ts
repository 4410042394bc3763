// Which dimensions and measures operators, partners and suppliers may ask of a report (contract 12.1).
import type { ReportDimension, ReportMeasure, ReportQuery } from './report.schema.ts';
import { reportDimensions, reportMeasures } from './report.schema.ts';
import type { ReportFault } from './report-span.rules.ts';

/** Whose rows a report counts. */
export type ReportScope =
  | { readonly kind: 'operator' }
  | { readonly kind: 'partner' | 'supplier'; readonly key: string };

type Allowed = { readonly dimensions: readonly ReportDimension[]; readonly measures: readonly ReportMeasure[] };

const TIMES = ['day', 'week', 'month', 'hour', 'weekday'] as const;

/**
 * A partner sees what it bought: `revenue` is what it spent. A supplier sees its own leads: `cost` is what it earned. Neither may ask what
 * would show the other side: the partner not where leads came from, the supplier not who bought them or for how much.
 */
export const allowedInReports: Readonly<Record<ReportScope['kind'], Allowed>> = {
  operator: { dimensions: reportDimensions, measures: reportMeasures },
  partner: {
    dimensions: [...TIMES, 'offer', 'eventType', 'state', 'priceBand'],
    measures: [
      'deliveries',
      'failed',
      'rejectionRate',
      'returned',
      'returnRate',
      'revenue',
      'averagePrice',
      'medianSeconds',
    ],
  },
  supplier: {
    dimensions: [...TIMES, 'source', 'campaign', 'state', 'scoreBand'],
    measures: ['submitted', 'accepted', 'refused', 'sold', 'unsold', 'sellThrough', 'returned', 'returnRate', 'cost'],
  },
};

/** The parameter that may not be asked for in this scope, and the reason, or null. */
export function scopeError(
  { dimensions, measures, filters = {} }: Pick<ReportQuery, 'dimensions' | 'measures' | 'filters'>,
  { kind }: ReportScope,
): ReportFault | null {
  const allowed = allowedInReports[kind];
  const filtered = reportDimensions.filter((name) => filters[name] !== undefined);
  const dimension = [...dimensions, ...filtered].find((name) => !allowed.dimensions.includes(name));
  if (dimension !== undefined) {
    const field = dimensions.includes(dimension) ? 'by' : dimension;
    return { field, fault: `The dimension ${dimension} is not available in reports of a ${kind}.` };
  }
  const measure = measures.find((name) => !allowed.measures.includes(name));
  return measure === undefined
    ? null
    : { field: 'measures', fault: `The measure ${measure} is not available in reports of a ${kind}.` };
}

// Reads the marketplace's leads, deliveries and money of today, by the days of its time zone, as reports count them (contract 12.1).
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import { readReport } from './read-report.ts';
import type { ReportMeasure } from './report.schema.ts';

const MEASURES = [
  ...(['submitted', 'accepted', 'refused', 'sold', 'unsold'] as const),
  ...(['deliveries', 'failed', 'returned', 'revenue'] as const),
] satisfies ReportMeasure[];

export type Today = {
  /** `YYYY-MM-DD` in the marketplace's time zone. */
  readonly day: string;
  /** `submitted` = `refused` + `sold` + `unsold` + `pending`. Money as on the wire. */
  readonly figures: Readonly<Record<(typeof MEASURES)[number] | 'pending', number>>;
};

export async function readToday(tx: Tx, now: Date): Promise<Today> {
  const question = { dimensions: [], measures: [...MEASURES], span: 'today' as const };
  const outcome = await readReport(tx, question, { kind: 'operator' }, now);
  assert(outcome.ok, 'a report of today is always allowed');
  const { until, totals } = outcome.value;
  const of = (name: ReportMeasure): number => totals[name] ?? 0;
  return {
    day: until,
    figures: {
      ...{ submitted: of('submitted'), accepted: of('accepted'), refused: of('refused') },
      ...{ sold: of('sold'), unsold: of('unsold'), pending: of('accepted') - of('sold') - of('unsold') },
      ...{ deliveries: of('deliveries'), failed: of('failed'), returned: of('returned'), revenue: of('revenue') },
    },
  };
}

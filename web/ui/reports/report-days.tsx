// The days of a report in words, and those that it is compared with.
import type { ReactNode } from 'react';

import type { Report } from '../../../src/reports/report.schema.ts';
import { formatDate } from '../formats.ts';

export function ReportDays({ report }: { readonly report: Report }): ReactNode {
  const { from, until, before, timeZone, isComplete } = report;
  const span = (first: string, last: string): string =>
    first === last ? formatDate(first) : `${formatDate(first)} to ${formatDate(last)}`;
  return (
    <>
      {span(from, until)}, days in {timeZone}
      {before === null ? '' : `; compared with ${span(before.from, before.until)}`}
      {isComplete ? '' : '. Leads from before the upgrade are still being counted'}
    </>
  );
}

// The tiles of the overview: what is earned and kept, against the span before, and day by day.
import { Box } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Report, ReportSpanName } from '../../../src/reports/report.schema.ts';
import { dayIn } from '../../ui/days.ts';
import { Figure, Figures } from '../../ui/facts.tsx';
import { chartRows } from '../../ui/reports/chart-rows.ts';
import { changeInWords, MEASURE_NAMES, valueInWords } from '../../ui/reports/words.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { DECIDED_BY, useReport } from './use-report.ts';

export function Totals({
  report: { totals, totalsBefore, currency },
  span,
}: {
  readonly report: Report;
  readonly span: ReportSpanName;
}): ReactNode {
  const days = useReport({ by: 'day', measures: DECIDED_BY.join(','), span });
  return (
    <Figures>
      {DECIDED_BY.map((name) => (
        <Figure
          key={name}
          name={MEASURE_NAMES[name]}
          value={valueInWords(name, totals[name], currency)}
          note={
            <>
              {changeText(
                changeInWords(name, { now: totals[name], before: totalsBefore?.[name] }),
                valueInWords(name, totalsBefore?.[name], currency),
              )}
              {/* Without its height the tiles would grow when the days are there. */}
              <Box h={24} mt={6}>
                {days.data !== undefined && <Sparkline values={valuesByDay(days.data, name)} />}
              </Box>
            </>
          }
        />
      ))}
    </Figures>
  );
}

function changeText(change: string | null, before: string): string {
  if (change === null) return 'No value in the previous period';
  if (change === 'unchanged') return 'Same as the previous period';
  if (change === 'none before') return 'None in the previous period';
  return `${change.replace(/ than before$/, '')} ${change.endsWith('×') ? 'the' : 'vs.'} previous period (${before})`;
}

/** A day without leads counts as 0. Today is left out: until it is over it would look like a fall. */
function valuesByDay(report: Report, measure: (typeof DECIDED_BY)[number]): number[] {
  const values = chartRows(report, measure, '').rows.map(({ now }) => Number(now));
  return report.until === dayIn(report.timeZone, new Date(report.asOf)) ? values.slice(0, -1) : values;
}

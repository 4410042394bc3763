// Hours of the day by weekdays as a table of figures on grounds from light to dark.
import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Report } from '../../../src/reports/report.schema.ts';
import { keyInWords } from '../../ui/reports/words.ts';
import { type Heat, largestOf, levelOf } from './heat.ts';
import css from './heat.module.css';

const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '7'];
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
const SHORT = 3;

export function HourTable({
  report: { rows, currency },
  heat,
}: {
  /** By hour and weekday. */
  readonly report: Report;
  readonly heat: Heat;
}): ReactNode {
  const values = new Map(rows.map((row) => [row.keys.join(' '), heat.valueOf(row.values)]));
  const largest = largestOf([...values.values()]);
  return (
    <table className={css['hours']}>
      <VisuallyHidden component="caption">{`${heat.label} by hour of the day and weekday`}</VisuallyHidden>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>Hour</VisuallyHidden>
          </th>
          {WEEKDAYS.map((weekday) => (
            <th key={weekday} scope="col">
              <abbr title={keyInWords('weekday', weekday)} style={{ textDecoration: 'none' }}>
                {keyInWords('weekday', weekday).slice(0, SHORT)}
              </abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {HOURS.map((hour) => (
          <tr key={hour}>
            <th scope="row">{hour}:00</th>
            {WEEKDAYS.map((weekday) => {
              const value = values.get(`${hour} ${weekday}`) ?? null;
              return (
                <td
                  key={weekday}
                  className={css['heat']}
                  data-level={levelOf(value, largest)}
                  title={`${keyInWords('weekday', weekday)} ${hour}:00: ${heat.inWords(value, currency)}`}
                >
                  {heat.inShort(value, currency)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

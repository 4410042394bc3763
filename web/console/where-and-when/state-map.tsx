// US states as a map of tiles, each with its figure and a link to the report of the state. For the pointer: the table beside it has the same
// figures and links for the keyboard and for assistive technology.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Report } from '../../../src/reports/report.schema.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Heat, largestOf, levelOf } from './heat.ts';
import css from './heat.module.css';
import { STATE_TILES, stateName } from './us-states.ts';

type Search = Readonly<Record<string, string>>;
type Props = {
  /** By state. */
  readonly report: Report;
  readonly heat: Heat;
  /** The report of one state, by its code; null for leads without one. */
  readonly searchOf: (code: string | null) => Search;
};

export function StateMap({ report: { rows, currency }, heat, searchOf }: Props): ReactNode {
  const values = new Map(rows.map((row) => [row.keys[0] ?? null, heat.valueOf(row.values)]));
  const largest = largestOf(STATE_TILES.map(({ code }) => values.get(code) ?? null));
  return (
    <div className={css['map']} aria-hidden="true">
      {STATE_TILES.map(({ code, name, column, row }) => {
        const value = values.get(code) ?? null;
        return (
          <Link
            key={code}
            to="/reports"
            search={searchOf(code)}
            tabIndex={-1}
            className={`${css['tile']} ${css['heat']}`}
            data-level={levelOf(value, largest)}
            style={{ gridColumn: column, gridRow: row }}
            title={`${name}: ${heat.inWords(value, currency)}`}
          >
            <span className={css['code']}>{code}</span>
            <span>{heat.inShort(value, currency)}</span>
          </Link>
        );
      })}
    </div>
  );
}

type Row = { readonly code: string | null; readonly values: Report['rows'][number]['values'] };
type TableProps = Props & { readonly heats: readonly Heat[] };

/** The largest of the measure first. */
export function StateTable(props: TableProps): ReactNode {
  const { report, heat } = props;
  const rows = report.rows
    .map(({ keys, values }): Row => ({ code: keys[0] ?? null, values }))
    .toSorted((one, other) => (heat.valueOf(other.values) ?? -1) - (heat.valueOf(one.values) ?? -1));
  return (
    <DataTable
      caption="States"
      columns={columnsOf(props)}
      rows={rows}
      rowKey={({ code }) => code ?? ''}
      empty={<Empty title="Nothing in these days" />}
    />
  );
}

function columnsOf({ report: { currency }, heat, heats, searchOf }: TableProps): ReadonlyArray<Column<Row>> {
  return [
    {
      key: 'state',
      title: 'State',
      cell: ({ code }) => (
        <PageLink to="/reports" search={searchOf(code)}>
          {stateName(code)}
        </PageLink>
      ),
    },
    ...heats.map((one): Column<Row> => ({
      ...{ key: one.name, title: one.label, numeric: true },
      sorted: one.name === heat.name ? 'descending' : undefined,
      cell: ({ values }) => one.inWords(one.valueOf(values), currency),
    })),
  ];
}

// The table of a report: the total first, then a row for each combination of values, sorted by a click on a heading.
import { Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Report, ReportDimension, ReportMeasure } from '../../../src/reports/report.schema.ts';
import { type Column, DataTable } from '../data-table.tsx';
import { Empty } from '../states.tsx';
import { changeInWords, DIMENSION_NAMES, keyInWords, valueInWords } from './words.ts';

type Row = Report['rows'][number];
type ShownRow = Row & { readonly isTotal: boolean };

export type KeyLink = (dimension: ReportDimension, key: string, name: string) => ReactNode;

export type ReportTableProps = {
  readonly report: Report;
  readonly measureNames: Readonly<Record<ReportMeasure, string>>;
  /** For assistive technology; `Report` by default. */
  readonly caption?: string;
  /** `-margin` sorts by the margin, the largest first; '' is the order of the service. */
  readonly sort: string;
  readonly onSort?: (sort: string) => void;
  readonly isStale?: boolean;
  /** A link to the page of what the key stands for, by its name. */
  readonly keyLink?: KeyLink;
};

export function ReportTable(props: ReportTableProps): ReactNode {
  const { report, caption = 'Report', isStale = false } = props;
  const total: ShownRow = {
    keys: [],
    values: report.totals,
    ...(report.totalsBefore === null ? {} : { before: report.totalsBefore }),
    isTotal: true,
  };
  const rows = [total, ...report.rows.map((row): ShownRow => ({ ...row, isTotal: false }))];
  return (
    <DataTable
      caption={caption}
      columns={columnsOf(props)}
      rows={rows}
      rowKey={({ isTotal, keys }) => (isTotal ? 'total' : JSON.stringify(keys))}
      isHighlighted={({ isTotal }) => isTotal}
      isStale={isStale}
      empty={<Empty title="Nothing in these days" />}
    />
  );
}

function columnsOf({ report, measureNames, sort, onSort, keyLink }: ReportTableProps): ReadonlyArray<Column<ShownRow>> {
  const { dimensions, measures, currency, before } = report;
  const heading = (name: ReportDimension | ReportMeasure, title: string, firstDescending: boolean) => ({
    label: title,
    title: onSort === undefined ? title : <SortButton {...{ name, title, sort, onSort, firstDescending }} />,
    sorted: sort === name ? ('ascending' as const) : sort === `-${name}` ? ('descending' as const) : undefined,
  });
  const first: Column<ShownRow> = { key: 'total', title: '', cell: () => 'Total' };
  const keys = dimensions.map((name, place): Column<ShownRow> => ({
    key: name,
    ...heading(name, DIMENSION_NAMES[name], false),
    cell: ({ isTotal, keys: found }) => {
      if (isTotal) return place === 0 ? 'Total' : '';
      const key = found[place] ?? null;
      const words = keyInWords(name, key, report.names);
      return (key === null ? null : keyLink?.(name, key, words)) ?? words;
    },
  }));
  const figures = measures.map((name): Column<ShownRow> => ({
    key: name,
    ...heading(name, measureNames[name], true),
    numeric: true,
    cell: ({ values, before: earlier }) => (
      <>
        {valueInWords(name, values[name], currency)}
        {before !== null && (
          <Text size="xs" c="dimmed">
            {changeInWords(name, { now: values[name], before: earlier?.[name] }) ?? '—'}
          </Text>
        )}
      </>
    ),
  }));
  return [...(keys.length === 0 ? [first] : keys), ...figures];
}

function SortButton({
  name,
  title,
  sort,
  onSort,
  firstDescending,
}: {
  readonly name: string;
  readonly title: string;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly firstDescending: boolean;
}): ReactNode {
  const [one, other] = firstDescending ? [`-${name}`, name] : [name, `-${name}`];
  const mark = sort === name ? ' ↑' : sort === `-${name}` ? ' ↓' : '';
  return (
    <UnstyledButton
      onClick={() => onSort(sort === one ? other : sort === other ? '' : one)}
      fz="inherit"
      fw="inherit"
      style={{ textDecoration: 'underline dotted' }}
    >
      {title}
      <span aria-hidden="true">{mark}</span>
    </UnstyledButton>
  );
}

// A data table with a caption for assistive technology, horizontal scrolling, and an empty state.
import { Box, Table } from '@mantine/core';
import type { ReactNode } from 'react';

export type Column<Row> = {
  readonly key: string;
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** For numbers and money: right-aligned. */
  readonly numeric?: boolean;
  /** The column whose cell is the row's header for assistive technology. The first column by default. */
  readonly isRowHeader?: boolean;
  readonly width?: number | string;
  /** How the rows are sorted by this column, if they are. */
  readonly sorted?: 'ascending' | 'descending' | undefined;
};

export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  empty,
  isStale = false,
  isHighlighted,
}: {
  /** What the table shows, for screen readers only. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
  /** The rows are the previous ones while new ones load. */
  readonly isStale?: boolean;
  readonly isHighlighted?: (row: Row) => boolean;
}): ReactNode {
  if (rows.length === 0) return empty;
  const header = columns.find(({ isRowHeader }) => isRowHeader) ?? columns[0];
  return (
    <Box
      className="lm-card"
      role="region"
      aria-label={caption}
      aria-busy={isStale}
      tabIndex={0}
      style={{ overflowX: 'auto', opacity: isStale ? 0.6 : 1, transition: 'opacity 120ms' }}
    >
      <Table className="lm-table" highlightOnHover aria-label={caption}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ key, title, numeric, width, sorted }) => (
              <Table.Th
                key={key}
                scope="col"
                ta={numeric === true ? 'right' : 'left'}
                w={width}
                {...(sorted === undefined ? {} : { 'aria-sort': sorted })}
                style={{ whiteSpace: 'nowrap' }}
              >
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)} {...(isHighlighted?.(row) === true ? { bg: 'var(--lm-quiet-ground)' } : {})}>
              {columns.map((column) => {
                const align = column.numeric === true ? 'right' : 'left';
                const style = column.numeric === true ? { whiteSpace: 'nowrap' as const } : {};
                return column === header ? (
                  <Table.Th key={column.key} scope="row" ta={align} fw={500} style={style}>
                    {column.cell(row)}
                  </Table.Th>
                ) : (
                  <Table.Td key={column.key} ta={align} style={style}>
                    {column.cell(row)}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

// The table of all lists: a click opens a row, rows stay still while they are read, and selected rows get bulk actions.
import { Box, Group, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { CaretDownIcon, CaretSortIcon, CaretUpIcon } from '@radix-ui/react-icons';
import { type ReactNode, useRef } from 'react';

import { useHeldRows } from './use-held-rows.ts';
import { useColumnChoice } from './list-columns.ts';
import type { FileOf } from './list-file.ts';
import { ColumnsMenu, FileButton, ListToolbar } from './list-toolbar.tsx';
import { openClickedRow, openFocusedRow } from './open-row.ts';
import { type Selection, useSelection } from './selection.ts';
import { RowCheckbox, SelectAll } from './select-rows.tsx';
import { useIsRead } from './is-read.ts';

export type Column<Row> = {
  readonly key: string;
  readonly title: ReactNode;
  /** Names the values on a phone if the title is no text. */
  readonly label?: string;
  readonly cell: (row: Row) => ReactNode;
  /** For numbers and money: right-aligned. */
  readonly numeric?: boolean;
  /**
   * The column whose cell is the row's header for assistive technology; a click anywhere on the row follows its first link. The first column by
   * default.
   */
  readonly isRowHeader?: boolean;
  readonly width?: number | string;
  /** Values of the list's `sort` for the orders that this column has; its title is then a button. */
  readonly orders?: { readonly ascending?: string; readonly descending?: string };
  /** How the rows are sorted by this column, if they are. */
  readonly sorted?: 'ascending' | 'descending' | undefined;
};

/** Makes the table the list of its page: J, K and the arrows move between its rows, and new rows wait while it is read. */
export type ListSettings<Row> = {
  /** Names the list in the browser's storage, where its hidden columns are kept. */
  readonly name: string;
  /** Filters and page as text: with others it is another list, of which all rows are shown and none is selected. */
  readonly at: string;
  /** A later page: its rows never move by themselves. */
  readonly isLater?: boolean;
  /** The order of the rows, one of the values in `orders` of the columns. */
  readonly sort?: Sort;
  /** Requests the list as a CSV file: `listFile('leads', query, search)`. The keys of rows and columns are those of the server's list. */
  readonly fileOf?: FileOf;
  /**
   * Buttons above the list while rows are selected, for actions on them:
   * `renderBulkActions: ({ rows, clear }) => <Button onClick={() => retry(rows).then(clear)}>Retry</Button>`. Rows that leave the list leave
   * the selection. With it or with `fileOf` every row has a checkbox; shift-click selects a range.
   */
  readonly renderBulkActions?: (selected: SelectedRows<Row>) => ReactNode;
};

export type SelectedRows<Row> = {
  /** In the order of the list; at least one. */
  readonly rows: readonly Row[];
  /** Ends the selection, after an action on it. */
  readonly clear: () => void;
};

type TableProps<Row> = {
  /** What the table shows, for screen readers only. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The rows are the previous ones while new ones load. */
  readonly isStale?: boolean;
  readonly isHighlighted?: (row: Row) => boolean;
  /** The order of the rows, one of the values in `orders` of the columns. A page's list has it in `list`. */
  readonly sort?: Sort;
};

type Sort = { readonly by: string; readonly onChange: (by: string) => void };

export function DataTable<Row>({
  empty,
  list,
  ...table
}: TableProps<Row> & {
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
  readonly list?: ListSettings<Row>;
}): ReactNode {
  if (list !== undefined) return <ListTable {...table} empty={empty} list={list} />;
  return table.rows.length === 0 ? empty : <TableCard {...table} />;
}

const NONE: ReadonlySet<string> = new Set();

function ListTable<Row>({
  list: { name, at, isLater = false, sort, renderBulkActions, fileOf },
  empty,
  ...table
}: TableProps<Row> & { readonly empty: ReactNode; readonly list: ListSettings<Row> }): ReactNode {
  const wrapper = useRef<HTMLDivElement>(null);
  const { isRead, handlers } = useIsRead(wrapper);
  const selection = useSelection(at);
  const choice = useColumnChoice(name);
  const { rowKey } = table;
  const { rows, waiting, joined, showAll } = useHeldRows({
    incoming: table.rows,
    keyOf: rowKey,
    at,
    isHeld: isRead || isLater || selection.size > 0,
    isStale: table.isStale ?? false,
  });
  const keys = rows.map(rowKey);
  selection.keep(keys);
  const selected = rows.filter((row) => selection.has(rowKey(row)));
  const header = headerOf(table.columns);
  const columns = table.columns.filter((column) => column === header || !choice.isHidden(column.key));
  const clear = (): void => selection.setAll(keys, false);
  const ids = selected.length === 0 ? null : selected.map(rowKey);
  const isSelectable = renderBulkActions !== undefined || fileOf !== undefined;
  // The wrapper stays while the list is empty: it notices whether the pointer is in it.
  return (
    <Box ref={wrapper} data-list {...handlers}>
      <ListToolbar
        list={name}
        isEmpty={rows.length === 0}
        waiting={waiting.length}
        onShow={showAll}
        selected={selected.length}
        onClear={clear}
        actions={selected.length > 0 && renderBulkActions?.({ rows: selected, clear })}
      >
        {rows.length > 0 && (
          <>
            <ColumnsMenu columns={table.columns.filter((column) => column !== header)} choice={choice} />
            {fileOf !== undefined && (
              <FileButton fileOf={fileOf} shown={{ columns: columns.map(({ key }) => key), ids }} />
            )}
          </>
        )}
      </ListToolbar>
      {rows.length === 0 ? (
        empty
      ) : (
        <TableCard
          {...table}
          columns={columns}
          rows={rows}
          joined={joined}
          {...(isSelectable ? { selection } : {})}
          {...(sort === undefined ? {} : { sort })}
          isList
        />
      )}
    </Box>
  );
}

function headerOf<Row>(columns: readonly Column<Row>[]): Column<Row> | undefined {
  return columns.find(({ isRowHeader }) => isRowHeader) ?? columns[0];
}

type CardProps<Row> = TableProps<Row> & {
  readonly joined?: ReadonlySet<string>;
  readonly selection?: Selection;
  readonly isList?: boolean;
};

function TableCard<Row>(props: CardProps<Row>): ReactNode {
  const { caption, columns, rows, rowKey, isStale = false, selection, sort } = props;
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
            {selection !== undefined && (
              <Table.Td w={40} pr={0}>
                <SelectAll keys={rows.map(rowKey)} selection={selection} />
              </Table.Td>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} sort={sort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <TableRow key={rowKey(row)} {...props} row={row} />
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

function HeaderCell<Row>({
  column: { title, numeric, width, sorted, orders },
  sort,
}: {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
}): ReactNode {
  const direction =
    sort === undefined || orders === undefined
      ? sorted
      : sort.by === orders.ascending
        ? 'ascending'
        : sort.by === orders.descending
          ? 'descending'
          : undefined;
  return (
    <Table.Th
      scope="col"
      ta={numeric === true ? 'right' : 'left'}
      w={width}
      {...(direction === undefined ? {} : { 'aria-sort': direction })}
      style={{ whiteSpace: 'nowrap' }}
    >
      {sort === undefined || orders === undefined ? (
        title
      ) : (
        <SortButton direction={direction} orders={orders} sort={sort}>
          {title}
        </SortButton>
      )}
    </Table.Th>
  );
}

function SortButton({
  direction,
  orders: { ascending, descending },
  sort,
  children,
}: {
  readonly direction: 'ascending' | 'descending' | undefined;
  readonly orders: NonNullable<Column<never>['orders']>;
  readonly sort: Sort;
  readonly children: ReactNode;
}): ReactNode {
  const next = direction === 'ascending' ? (descending ?? ascending) : (ascending ?? descending);
  const Icon = direction === undefined ? CaretSortIcon : direction === 'ascending' ? CaretUpIcon : CaretDownIcon;
  return (
    <UnstyledButton fz="inherit" fw="inherit" c="inherit" onClick={() => sort.onChange(next ?? '')}>
      <Group component="span" gap={2} wrap="nowrap">
        {children}
        <Icon aria-hidden="true" />
      </Group>
    </UnstyledButton>
  );
}

function TableRow<Row>({
  row,
  columns,
  rows,
  rowKey,
  isHighlighted,
  joined = NONE,
  selection,
  isList = false,
}: CardProps<Row> & { readonly row: Row }): ReactNode {
  const key = rowKey(row);
  const header = headerOf(columns);
  const isMarked = isHighlighted?.(row) === true || joined.has(key) || selection?.has(key) === true;
  const headerId = selection === undefined ? undefined : `row-${key}`;
  return (
    <Table.Tr
      {...(isMarked ? { bg: 'var(--lm-quiet-ground)' } : {})}
      {...(isList ? { tabIndex: -1 } : {})}
      {...(joined.has(key) ? { 'data-new': true } : {})}
      onClick={openClickedRow}
      onKeyDown={openFocusedRow}
    >
      {selection !== undefined && headerId !== undefined && (
        <Table.Td pr={0} data-select>
          <RowCheckbox rowKey={key} labelledBy={headerId} keys={() => rows.map(rowKey)} selection={selection} />
        </Table.Td>
      )}
      {columns.map((column) => {
        const align = column.numeric === true ? 'right' : 'left';
        const style = column.numeric === true ? { whiteSpace: 'nowrap' as const } : {};
        return column === header ? (
          <Table.Th key={column.key} id={headerId} scope="row" ta={align} fw={500} style={style}>
            {column.cell(row)}
            {joined.has(key) && <VisuallyHidden>New</VisuallyHidden>}
          </Table.Th>
        ) : (
          <Table.Td key={column.key} ta={align} style={style} {...labelOf(column)}>
            {column.cell(row)}
          </Table.Td>
        );
      })}
    </Table.Tr>
  );
}

/** Names the value where the rows are cards, on a phone. */
function labelOf<Row>({ title, label }: Column<Row>): { 'data-label'?: string } {
  const name = label ?? title;
  return typeof name === 'string' ? { 'data-label': name } : {};
}

// The first rows of a file that is to be uploaded into a list: which columns hold what, and what each value is compared as.
import { Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

import type { ListView } from '../../../src/scopes/lists.schema.ts';
import { type Column, DataTable } from '../data-table.tsx';
import { readCsv } from './csv-rows.ts';
import { hashValue, isHash, normalValue } from './normal-value.ts';
import { isSplitNumber, type UploadChoice, valueIn } from './upload-rows.ts';

const PREVIEW_ROWS = 5;

export type Preview = { readonly rows: ReadonlyArray<readonly string[]>; readonly hasHeader: boolean };

/** All that the form decides about a file. */
export type Choice = Omit<UploadChoice, 'kind' | 'file'>;

type PreviewRow = { readonly number: number; readonly value: string; readonly sent: string | null | undefined };

export function PreviewTable({
  preview,
  choice: { hasHeader, valueColumn, areaColumn, toHash },
  kind,
}: {
  readonly preview: Preview;
  readonly choice: Choice;
  readonly kind: ListView['kind'];
}): ReactNode {
  const values = (hasHeader ? preview.rows.slice(1) : preview.rows)
    .slice(0, PREVIEW_ROWS)
    .map((cells) => valueIn(cells, { valueColumn, areaColumn }));
  const sent = useSent(values, kind, toHash);
  return (
    <DataTable
      caption="First rows of the file"
      columns={[...PREVIEW_COLUMNS, toHash ? HASHED_COLUMN : COMPARED_COLUMN]}
      rows={values.map((value, index) => ({ number: index + 1, value, sent: sent[index] }))}
      rowKey={({ number }) => String(number)}
      empty={<Text size="sm">The file has no rows.</Text>}
    />
  );
}

const PREVIEW_COLUMNS: ReadonlyArray<Column<PreviewRow>> = [
  { key: 'row', title: 'Row', numeric: true, cell: ({ number }) => number },
  { key: 'value', title: 'In the file', cell: ({ value }) => value },
];
const COMPARED_COLUMN: Column<PreviewRow> = { key: 'sent', title: 'Compared as', cell: sentCell };
const HASHED_COLUMN: Column<PreviewRow> = { key: 'sent', title: 'Sent as SHA-256', cell: sentCell };

function sentCell({ sent }: PreviewRow): ReactNode {
  if (sent !== null) return <span style={{ overflowWrap: 'anywhere' }}>{sent}</span>;
  return (
    <Text component="span" inherit c="var(--lm-bad)">
      not a value of this list
    </Text>
  );
}

/** What is sent for each value, or compared; null for none. */
function useSent(
  values: readonly string[],
  kind: ListView['kind'],
  toHash: boolean,
): ReadonlyArray<string | null | undefined> {
  const [sent, setSent] = useState<ReadonlyArray<string | null>>([]);
  const key = JSON.stringify(values);
  useEffect(() => {
    let isCurrent = true;
    const all = JSON.parse(key) as readonly string[];
    const work = all.map(async (value) => {
      if (toHash) return hashValue(kind, value);
      return isHash(kind, value) ? value.trim().toLowerCase() : normalValue(kind, value);
    });
    void Promise.all(work).then((found) => {
      if (isCurrent) setSent(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [key, kind, toHash]);
  return sent;
}

export async function firstRows(file: Blob, kind: ListView['kind']): Promise<Preview> {
  const rows: Array<readonly string[]> = [];
  for await (const piece of readCsv(file)) {
    rows.push(...piece.rows.slice(0, PREVIEW_ROWS + 1 - rows.length));
    if (rows.length > PREVIEW_ROWS) break;
  }
  const [first = []] = rows;
  const hasHeader = rows.length > 0 && !first.some((cell) => isValue(kind, cell)) && areaOf(first, kind) === null;
  return { rows, hasHeader };
}

function isValue(kind: ListView['kind'], cell: string): boolean {
  return normalValue(kind, cell) !== null || isHash(kind, cell);
}

/** The column of an area code, whose number is in the next one. */
function areaOf(cells: readonly string[], kind: ListView['kind']): number | null {
  const at = kind === 'phone' ? cells.findIndex((cell, index) => isSplitNumber(cell, cells[index + 1] ?? '')) : -1;
  return at < 0 ? null : at;
}

/** The column of the values by its name, else the first one that holds a value in the first row. */
export function columnsOf(
  { rows, hasHeader }: Preview,
  kind: ListView['kind'],
): Pick<Choice, 'hasHeader' | 'valueColumn' | 'areaColumn' | 'expiresColumn'> {
  const [head = [], next = []] = rows;
  const names = hasHeader ? head.map((name) => name.trim().toLowerCase()) : [];
  const named = names.findIndex((name) => name === 'value' || name === kind);
  const values = hasHeader ? next : head;
  const holding = values.findIndex((cell) => isValue(kind, cell));
  const area = holding < 0 ? areaOf(values, kind) : null;
  const dated = names.indexOf('expires');
  return {
    hasHeader,
    valueColumn: area !== null ? area + 1 : named >= 0 ? named : Math.max(holding, 0),
    areaColumn: area,
    expiresColumn: dated >= 0 ? dated : null,
  };
}

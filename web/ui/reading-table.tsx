// How a submission was read: each field with what was sent, the value read from it and its error, and the members that are no fields.
import { Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Submission } from '../../src/portal/supplier/submissions.schema.ts';
import { type Column, DataTable } from './data-table.tsx';
import { Empty } from './states.tsx';
import { Status } from './status.tsx';

type Reading = Submission['reading'];
type ReadField = Reading['fields'][number];

export function ReadingTable({
  reading: { fields, extra },
  isRejected,
}: {
  readonly reading: Reading;
  readonly isRejected: boolean;
}): ReactNode {
  // A rejected submission is no lead: nothing was read from it, and its valid fields are not to be taken for unread.
  const columns = isRejected ? COLUMNS.filter(({ key }) => key !== 'read') : COLUMNS;
  return (
    <>
      <DataTable
        caption="Fields and how they were read"
        columns={columns}
        rows={fields}
        rowKey={({ field }) => field}
        isHighlighted={({ fault }) => fault !== null}
        empty={<Empty title="No fields read">No name in the body is the name of a field.</Empty>}
      />
      {extra.length > 0 && (
        <Text size="sm">
          Stored with the lead, not read as fields:{' '}
          {extra.map((name, index) => (
            <span key={name}>
              {index > 0 && ', '}
              <Code style={{ overflowWrap: 'anywhere' }}>{name}</Code>
            </span>
          ))}
        </Text>
      )}
    </>
  );
}

const COLUMNS: readonly Column<ReadField>[] = [
  { key: 'field', title: 'Field', cell: ({ field }) => <Code>{field}</Code> },
  {
    key: 'from',
    title: 'From',
    cell: ({ field, from, isConstant }) =>
      isConstant ? 'Constant' : from === null ? <None /> : from === field ? 'Same name' : <Code>{from}</Code>,
  },
  { key: 'sent', title: 'Sent', cell: ({ sent }) => <Value text={sent} /> },
  { key: 'read', title: 'Read as', cell: ({ read: value }) => <Value text={value} /> },
  {
    key: 'fault',
    title: 'Error',
    cell: ({ fault, isLeftOut = false }) =>
      fault === null ? isLeftOut ? 'Unreadable, left out' : null : <Status tone="bad">{fault}</Status>,
  },
];

function Value({ text }: { readonly text: string | null }): ReactNode {
  if (text === null) return <None />;
  return (
    <Text size="sm" miw={150} maw={360} style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  );
}

export function None(): ReactNode {
  return <span aria-label="none">—</span>;
}

// The table of a delivery's attempts with the response to each.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Attempt } from '../../../../sdk/typescript/client.ts';
import { CodeBlock } from '../../../ui/copy.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { formatSpan } from '../../../ui/formats.ts';
import { Empty } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';
import { Time } from '../../../ui/zone.tsx';

export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }): ReactNode {
  return (
    <DataTable
      caption="Attempts, newest first"
      columns={COLUMNS}
      rows={attempts.toReversed()}
      rowKey={({ attemptId }) => attemptId}
      empty={
        <Empty title="No attempts">
          Nothing was sent. Without a push channel you read your leads here and through the API.
        </Empty>
      }
    />
  );
}

const COLUMNS: readonly Column<Attempt>[] = [
  { key: 'attempt', title: 'Attempt', cell: ({ attempt, channel }) => `${attempt} by ${channel}` },
  { key: 'at', title: 'Time', cell: ({ at }) => <Time at={at} /> },
  {
    key: 'state',
    title: 'Status',
    cell: ({ state, nextAttemptAt }) => (
      <>
        <Status>{state}</Status>
        {nextAttemptAt !== null && (
          <Text size="xs" c="dimmed">
            next <Time at={nextAttemptAt} kind="short" />
          </Text>
        )}
      </>
    ),
  },
  {
    key: 'target',
    title: 'Target',
    cell: ({ target }) => (
      <Text size="sm" miw={160} style={{ overflowWrap: 'anywhere' }}>
        {target}
      </Text>
    ),
  },
  {
    key: 'latency',
    title: 'Duration',
    numeric: true,
    cell: ({ latencyMs }) => (latencyMs === null ? '' : formatSpan(latencyMs)),
  },
  { key: 'answer', title: 'Response', cell: (attempt) => <ResponseText attempt={attempt} /> },
];

function ResponseText({ attempt }: { readonly attempt: Attempt }): ReactNode {
  const { responseCode, error, responseSnippet, attempt: number, channel } = attempt;
  return (
    <>
      <Text size="sm" miw={160}>
        {responseCode === null ? (error ?? 'None yet') : `${responseCode}${error === null ? '' : `: ${error}`}`}
      </Text>
      {responseSnippet !== null && responseSnippet !== '' && (
        <details>
          <summary>Response body</summary>
          <CodeBlock text={responseSnippet} label={`Response to attempt ${number} by ${channel}`} />
        </details>
      )}
    </>
  );
}

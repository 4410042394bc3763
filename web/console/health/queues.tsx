// The table of queues with length and age.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatNumber } from '../../ui/formats.ts';
import { Status } from '../../ui/status.tsx';
import type { HealthQueue } from '../../../src/console/health.schema.ts';

const WORDS: Readonly<Record<HealthQueue['queue'], { readonly name: string; readonly later: string }>> = {
  routing: { name: 'Leads to be routed', later: 'held until an offer opens' },
  sending: { name: 'Deliveries to be sent', later: 'retries' },
  messages: { name: 'Callbacks and notices', later: 'retries' },
};

/** The same limit as in src/reports/overview.rules.ts. */
const OLD_SECONDS = 30;

const COLUMNS: ReadonlyArray<Column<HealthQueue>> = [
  { key: 'queue', title: 'Queue', cell: ({ queue }) => WORDS[queue].name },
  { key: 'waiting', title: 'Due now', numeric: true, cell: (queue) => amount(queue.waiting, queue) },
  {
    key: 'inFlight',
    title: 'In progress',
    numeric: true,
    cell: (queue) =>
      queue.inFlight === null ? <span aria-label="not counted">—</span> : amount(queue.inFlight, queue),
  },
  { key: 'later', title: 'Due later', numeric: true, cell: (queue) => amount(queue.later, queue) },
  { key: 'what', title: 'Due later are', cell: ({ queue }) => WORDS[queue].later },
  { key: 'age', title: 'Oldest due', cell: (queue) => <Age queue={queue} /> },
];

export function Queues({ queues }: { readonly queues: readonly HealthQueue[] }): ReactNode {
  return (
    <Section title="Queues">
      <DataTable caption="Queues" columns={COLUMNS} rows={queues} rowKey={({ queue }) => queue} empty={null} />
      <Text size="sm" c="dimmed">
        Normal: due work starts within a second or two, so the first column is near zero. The age excludes deliveries
        that wait for a failing endpoint.
      </Text>
    </Section>
  );
}

function amount(value: number, { isMore }: HealthQueue): string {
  return `${formatNumber(value)}${isMore && value > 0 ? '+' : ''}`;
}

function Age({ queue: { ageSeconds, waiting } }: { readonly queue: HealthQueue }): ReactNode {
  if (ageSeconds === null && waiting > 0) return <Status tone="warn">wait for failing endpoints</Status>;
  if (ageSeconds === null) return <Status tone="good">none due</Status>;
  return <Status tone={ageSeconds > OLD_SECONDS ? 'bad' : 'good'}>{spanInWords(ageSeconds)}</Status>;
}

function spanInWords(seconds: number): string {
  if (seconds < 2) return 'under 2 seconds';
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} hours`;
}

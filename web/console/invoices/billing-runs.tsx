// What the monthly runs did by themselves: the last ones, their errors, and when the next one is.
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { BillingRuns as Runs } from '../../../src/console/billing-runs.schema.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatDate, formatNumber } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/zone.tsx';
import { request } from '../console-api.ts';
import { monthName } from './months.ts';

type Routine = Runs['routines'][number];
type Run = Routine['runs'][number];
type Failure = Routine['failures'][number];

const NAMES = { invoices: 'Invoices', statements: 'Statements to suppliers' } as const;
/** A run is left behind when a partner fails, which the next hour may repair. */
const REFETCH_EVERY_MS = 60_000;

export function BillingRuns(): ReactNode {
  const query = useQuery({
    queryKey: ['invoices', 'runs'],
    queryFn: ({ signal }) => request('GET /console/api/billing-runs', { signal }),
    refetchInterval: REFETCH_EVERY_MS,
  });
  return (
    <Section title="Automatic runs">
      <Loaded query={query} what="Loading the automatic runs">
        {({ routines, runOn }) => (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
            {routines.map((routine) => (
              <RoutineState key={routine.kind} routine={routine} runOn={runOn} />
            ))}
          </SimpleGrid>
        )}
      </Loaded>
    </Section>
  );
}

function RoutineState({ routine, runOn }: { readonly routine: Routine; readonly runOn: number }): ReactNode {
  const { kind, isOn, nextRun, coveredFrom, runs, failures } = routine;
  return (
    <Stack gap="xs" miw={0}>
      <Text fw={650}>
        {NAMES[kind]} <Status tone={isOn ? 'good' : 'idle'}>{isOn ? 'on' : 'off'}</Status>
      </Text>
      <Text size="sm">
        {isOn ? (
          <>
            On day {runOn} of each month, next on {nextRun === null ? '—' : formatDate(nextRun)}, from midnight in each
            time zone.
            {coveredFrom !== null && ` Covers ${monthName(coveredFrom)} and later months.`}
          </>
        ) : (
          <>
            Switched off. Switch it on under <PageLink to="/marketplace">Marketplace</PageLink>, or run months by hand.
          </>
        )}
      </Text>
      <DataTable
        caption={`Automatic runs: ${NAMES[kind]}`}
        columns={RUN_COLUMNS}
        rows={runs}
        rowKey={({ month }) => month}
        empty={<Empty title="No run yet">The first one follows the first month that is covered.</Empty>}
      />
      {failures.length > 0 && (
        <DataTable
          caption={`Failed, tried again every hour: ${NAMES[kind]}`}
          columns={FAILURE_COLUMNS}
          rows={failures}
          rowKey={({ month, owner }) => `${month} ${owner}`}
          empty={null}
        />
      )}
    </Stack>
  );
}

const RUN_COLUMNS: ReadonlyArray<Column<Run>> = [
  { key: 'month', title: 'Month', cell: ({ month }) => monthName(month) },
  {
    key: 'state',
    title: 'Status',
    cell: ({ completedAt, failed }) =>
      completedAt === null ? (
        <Status tone={failed > 0 ? 'bad' : 'warn'}>{failed > 0 ? 'failed for some' : 'in progress'}</Status>
      ) : (
        <>
          done <Time at={completedAt} kind="day" />
        </>
      ),
  },
  { key: 'issued', title: 'Issued', numeric: true, cell: ({ issued }) => formatNumber(issued) },
  { key: 'existed', title: 'By hand before', numeric: true, cell: ({ existed }) => formatNumber(existed) },
  { key: 'none', title: 'Nothing to bill', numeric: true, cell: ({ none }) => formatNumber(none) },
  { key: 'failed', title: 'Failed', numeric: true, cell: ({ failed }) => formatNumber(failed) },
];

const FAILURE_COLUMNS: ReadonlyArray<Column<Failure>> = [
  { key: 'month', title: 'Month', cell: ({ month }) => monthName(month) },
  { key: 'owner', title: 'Key', cell: ({ owner }) => owner },
  { key: 'error', title: 'Error', cell: ({ error }) => error },
  { key: 'at', title: 'Tried', cell: ({ at }) => <Time at={at} /> },
];

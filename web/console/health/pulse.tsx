// Charts of the last hour by minute: submitted leads, and deliveries sent (excludes those that partners poll through the API).
import { SimpleGrid } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';

import { Bars, ChartSection } from '../../ui/chart-section.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { formatNumber, formatShortTime } from '../../ui/formats.ts';
import { Empty } from '../../ui/states.tsx';
import { useZone } from '../../ui/zone.tsx';
import type { HealthMinute } from '../../../src/console/health.schema.ts';

const INCOMING = [
  { name: 'accepted', label: 'Accepted', color: 'accent.6' },
  { name: 'refused', label: 'Rejected', color: 'orange.6' },
] as const;
const OUTGOING = [
  { name: 'confirmed', label: 'Confirmed', color: 'accent.6' },
  { name: 'retried', label: 'To be retried', color: 'yellow.6' },
  { name: 'failed', label: 'Failed', color: 'red.6' },
] as const;

type Series = typeof INCOMING | typeof OUTGOING;

export function Pulse({ minutes }: { readonly minutes: readonly HealthMinute[] }): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <ByMinute title="Leads by minute" minutes={minutes} series={INCOMING} />
      <ByMinute title="Deliveries sent by minute" minutes={minutes} series={OUTGOING} />
    </SimpleGrid>
  );
}

function ByMinute({
  title,
  minutes,
  series,
}: {
  readonly title: string;
  readonly minutes: readonly HealthMinute[];
  readonly series: Series;
}): ReactNode {
  const zone = useZone();
  const rows = useMemo(
    () => minutes.map((minute) => ({ ...minute, time: clockOf(minute.minute, zone) })),
    [minutes, zone],
  );
  return (
    <ChartSection
      title={title}
      height={220}
      chart={<Bars data={rows} x="time" series={series} format={formatNumber} />}
      table={<MinuteTable title={title} minutes={minutes} series={series} />}
    />
  );
}

function MinuteTable({
  title,
  minutes,
  series,
}: {
  readonly title: string;
  readonly minutes: readonly HealthMinute[];
  readonly series: Series;
}): ReactNode {
  const zone = useZone();
  const columns: ReadonlyArray<Column<HealthMinute>> = [
    { key: 'minute', title: 'Minute', cell: ({ minute }) => formatShortTime(minute, zone) },
    ...series.map(({ name, label }): Column<HealthMinute> => ({
      key: name,
      title: label,
      numeric: true,
      cell: (minute) => formatNumber(minute[name]),
    })),
  ];
  const busy = minutes.filter((minute) => series.some(({ name }) => minute[name] > 0)).toReversed();
  return (
    <DataTable
      caption={`${title}, newest first, without empty minutes`}
      columns={columns}
      rows={busy}
      rowKey={({ minute }) => minute}
      empty={<Empty title="None in the last hour" />}
    />
  );
}

function clockOf(at: string, zone: string): string {
  return new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: zone }).format(new Date(at));
}

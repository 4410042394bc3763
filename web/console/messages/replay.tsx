// Replays: sends the deliveries of one partner and one time again, after a count of what would be sent, and shows the latest with their
// progress.
import { Button, Group, Progress, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { Replay, ReplayPlan, ReplayWindow } from '../../../src/console/replays.schema.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { DayFields, DayPresets, ReversedDays } from '../../ui/day-presets.tsx';
import { isReversed } from '../../ui/days.ts';
import { Section } from '../../ui/facts.tsx';
import { choiceFilter, dayFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { count, formatNumber } from '../../ui/formats.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Time, useZone, ZoneNote } from '../../ui/zone.tsx';
import { request } from '../console-api.ts';
import { useMay } from '../allowed.tsx';
import { endOfDay, startOfDay } from '../day-bounds.ts';
import { PartnerField } from '../ledger/partner-field.tsx';
import { PARTNER_COLUMN } from '../partners/partner-column.tsx';

const FILTERS = {
  partner: textFilter,
  status: choiceFilter(['Failed', 'Confirmed']),
  from: dayFilter,
  to: dayFilter,
};
const STATUSES = [
  { value: 'Failed', label: 'Failed deliveries' },
  { value: 'Confirmed', label: 'Confirmed deliveries, as copies' },
];
/** While a replay runs. */
const REFETCH_EVERY_MS = 1000;

const CAUSES: Readonly<Record<Replay['skipped'][number]['cause'], string>> = {
  not_found: 'no longer exist',
  in_progress: 'are being sent already',
  returned: 'were returned',
  erased: 'are of erased leads',
  other_channel: 'were not sent by webhook',
  sold_elsewhere: 'were sold to another partner',
  no_webhook: 'have no webhook URL to go to',
  endpoint_disabled: 'wait for a disabled endpoint: enable it first',
  not_available: 'are not available: sold to others or on a list meanwhile, or caps, budget or funds do not suffice',
  internal_error: 'were not sent because of an error of the service, which is in its log',
};

export function ReplayPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const may = useMay('operate');
  const zone = useZone();
  const { partner, status, from, to } = filters;
  const isComplete = partner !== '' && from !== '' && to !== '' && !isReversed(filters);
  const window = { partner, status, from: startOfDay(from, zone), until: endOfDay(to, zone) };
  return (
    <Page
      title="Replay"
      description={
        <>
          Sends the deliveries that a partner got on certain days to its webhook again. <ZoneNote />
        </>
      }
    >
      {may && (
        <Section title="What to send again">
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
            <PartnerField value={partner} onChange={(key) => setFilters({ partner: key })} />
            <Select
              label="Deliveries"
              data={STATUSES}
              value={status}
              allowDeselect={false}
              onChange={(value) => setFilters({ status: FILTERS.status.read(value ?? undefined) })}
            />
            <DayFields days={filters} labels={['Routed from', 'Routed through']} onChange={setFilters} />
          </SimpleGrid>
          <DayPresets days={filters} onChange={setFilters} />
          {isReversed(filters) && <ReversedDays />}
          {isComplete ? (
            <Planned window={window} />
          ) : (
            <Text size="sm" c="dimmed">
              Choose a partner and days.
            </Text>
          )}
        </Section>
      )}
      <Latest />
    </Page>
  );
}

function Planned({ window }: { readonly window: ReplayWindow }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ['messages', 'replay-plan', window],
    queryFn: ({ signal }) => request('GET /console/api/replays/plan', { query: window, signal }),
  });
  const start = async (): Promise<void> => {
    await request('POST /console/api/replays', { body: window });
    await queries.invalidateQueries({ queryKey: ['messages'] });
  };
  const isCopy = window.status === 'Confirmed';
  return (
    <Loaded query={query} what="Counting deliveries">
      {(plan) => (
        <Stack gap="sm">
          <PlanWords plan={plan} />
          {plan.ready > 0 && !plan.isTooMany && (
            <Group>
              <Button onClick={() => setAsking(true)}>Replay {count(plan.ready, 'message', 'messages')}</Button>
            </Group>
          )}
          <Confirm
            isOpen={isAsking}
            title={`Send ${count(plan.ready, 'message', 'messages')} again`}
            action="Start replay"
            onConfirm={start}
            onClose={() => setAsking(false)}
          >
            <Text size="sm">
              {isCopy
                ? 'The partner gets the same messages again, with the same ids. Nothing is charged, and no delivery changes.'
                : 'Each delivery is Pending again, takes cap and funds of today, and is charged once when the partner takes it. Leads that were sold elsewhere meanwhile are skipped.'}{' '}
              Each is sent at most once by this replay.
            </Text>
          </Confirm>
        </Stack>
      )}
    </Loaded>
  );
}

function PlanWords({
  plan: { deliveries, ready, skipped, isTooMany, atMost },
}: {
  readonly plan: ReplayPlan;
}): ReactNode {
  if (isTooMany) {
    return <Text size="sm">More than {formatNumber(atMost)} deliveries. Choose fewer days.</Text>;
  }
  return (
    <div role="status">
      <Text size="sm" fw={600}>
        {deliveries === 0
          ? 'No deliveries on these days.'
          : `${count(ready, 'message', 'messages')} will be sent again, of ${count(deliveries, 'delivery', 'deliveries')}.`}
      </Text>
      <SkippedWords skipped={skipped} />
    </div>
  );
}

function SkippedWords({ skipped }: Pick<Replay, 'skipped'>): ReactNode {
  return skipped.map(({ cause, deliveries }) => (
    <Text key={cause} size="sm" c="dimmed">
      {formatNumber(deliveries)} {CAUSES[cause]}.
    </Text>
  ));
}

function Latest(): ReactNode {
  const query = useQuery({
    queryKey: ['messages', 'replays'],
    queryFn: ({ signal }) => request('GET /console/api/replays', { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ state }) => state === 'running') === true ? REFETCH_EVERY_MS : false,
  });
  return (
    <Loaded query={query} what="Loading replays">
      {({ data }) => (
        <Section title="Latest replays">
          <DataTable
            caption="Replays, newest first"
            columns={COLUMNS}
            rows={data}
            rowKey={({ replayId }) => replayId}
            empty={<Empty title="No replays yet" />}
          />
        </Section>
      )}
    </Loaded>
  );
}

const COLUMNS: ReadonlyArray<Column<Replay>> = [
  {
    key: 'started',
    title: 'Started',
    cell: ({ createdAt, operator }) => (
      <>
        <Time at={createdAt} />
        <Text size="xs" c="dimmed">
          {operator}
        </Text>
      </>
    ),
  },
  PARTNER_COLUMN,
  {
    key: 'window',
    title: 'Deliveries',
    cell: ({ status, from, until }) => (
      <>
        {status}
        <Text size="xs" c="dimmed">
          <Time at={from} kind="short" /> – <Time at={until} kind="short" />
        </Text>
      </>
    ),
  },
  { key: 'state', title: 'Status', cell: (replay) => <ReplayState replay={replay} /> },
  { key: 'queued', title: 'Sent again', numeric: true, cell: ({ queued }) => formatNumber(queued) },
  { key: 'skipped', title: 'Skipped', cell: ({ skipped }) => <SkippedWords skipped={skipped} /> },
];

function ReplayState({ replay }: { readonly replay: Replay }): ReactNode {
  const { replayId, state, planned, queued, skipped } = replay;
  const queries = useQueryClient();
  const may = useMay('operate');
  if (state !== 'running') return <Status tone={state === 'done' ? 'good' : 'idle'}>{state}</Status>;
  const handled = skipped.reduce((sum, { deliveries }) => sum + deliveries, queued);
  const stop = async (): Promise<void> => {
    await request('POST /console/api/replays/:replayId/stop', { params: { replayId } });
    await queries.invalidateQueries({ queryKey: ['messages'] });
  };
  return (
    <Stack gap={4} miw={140}>
      <Progress value={planned === 0 ? 0 : (100 * handled) / planned} aria-label="Progress of the replay" />
      <Text size="xs">
        {formatNumber(handled)} of {formatNumber(planned)}
      </Text>
      {may && (
        <Button size="compact-xs" variant="default" onClick={() => void stop()}>
          Stop
        </Button>
      )}
    </Stack>
  );
}

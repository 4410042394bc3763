// Pacing of each offer against its caps: a table with a bar per cap. Import this file only through `lazyPart`.
import { Box, Group, Progress, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Stats } from '../../../../src/portal/buyer/stats.schema.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Section } from '../../../ui/facts.tsx';
import { formatMoney, formatNumber } from '../../../ui/formats.ts';
import { Empty } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';
import { Time } from '../../../ui/zone.tsx';
import { OwnLimits } from './own-limits.tsx';
import { type Stop, stopWords, useOfferStates } from './offer-states.ts';

type Offer = Stats['offers'][number];
type Pace = Stats['pacing'][number];

const WINDOWS = { daily: 'Today', weekly: 'This week', monthly: 'This month' } as const;
const STATES = {
  on_pace: 'on pace',
  ahead: 'ahead of pace',
  behind: 'behind pace',
  capped: 'cap full',
} as const;

export function Pacing({ stats: { offers, pacing, currency } }: { readonly stats: Stats }): ReactNode {
  const states = useOfferStates().data?.offers;
  const rows = offers.map((offer): Row => ({
    offer,
    paces: pacing.filter(({ offerKey }) => offerKey === offer.offerKey),
    stop: states?.find(({ offerKey }) => offerKey === offer.offerKey)?.stop,
  }));
  return (
    <Section title="Pacing against caps">
      <DataTable
        caption="Offers, with the pace against their caps"
        columns={columnsOf(currency)}
        rows={rows}
        rowKey={({ offer }) => offer.offerKey}
        empty={<Empty title="No offers">The operator sets up your offers. Their caps appear here.</Empty>}
      />
    </Section>
  );
}

type Row = {
  readonly offer: Offer;
  readonly paces: readonly Pace[];
  /** Why the offer receives no leads; undefined until known. */
  readonly stop: Stop | null | undefined;
};

function columnsOf(currency: string): ReadonlyArray<Column<Row>> {
  return [
    {
      key: 'offer',
      title: 'Offer',
      cell: ({ offer: { name, eventType } }) => (
        <>
          {name}
          <Text size="xs" c="dimmed">
            {eventType}
          </Text>
        </>
      ),
    },
    { key: 'price', title: 'Price', numeric: true, cell: ({ offer }) => formatMoney(offer.payout, currency) },
    {
      key: 'caps',
      title: 'Caps',
      width: '45%',
      cell: ({ offer, paces }) =>
        paces.length === 0 ? (
          'No caps'
        ) : (
          <Stack gap="xs" py={6} data-wide>
            {paces.map((pace) => (
              <CapBar key={pace.window} pace={pace} offerName={offer.name} />
            ))}
          </Stack>
        ),
    },
    { key: 'status', title: 'Status', cell: StatusCell },
    {
      key: 'limits',
      title: <VisuallyHidden>Limits</VisuallyHidden>,
      cell: ({ offer: { offerKey, name, status } }) =>
        status !== 'closed' && <OwnLimits offerKey={offerKey} name={name} />,
    },
  ];
}

function StatusCell({ offer: { status }, stop }: Row): ReactNode {
  const [tone, word] = stop === undefined ? [undefined, status] : stopWords(stop);
  return (
    <>
      <Status {...(tone === undefined ? {} : { tone })}>{word}</Status>
      {stop !== undefined && stop !== null && (
        <Text size="xs" c="dimmed" maw={240}>
          {stop.text}
        </Text>
      )}
    </>
  );
}

function CapBar({ pace, offerName }: { readonly pace: Pace; readonly offerName: string }): ReactNode {
  const { window, cap, used, expectedByNow, projected, state, resetsAt } = pace;
  const share = cap === 0 ? 1 : Math.min(1, used / cap);
  const text = `${formatNumber(used)} of ${formatNumber(cap)}`;
  return (
    <Box miw={{ base: 0, sm: 220 }}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          {WINDOWS[window]}: {text}
        </Text>
        <Text size="sm">{STATES[state]}</Text>
      </Group>
      <Box pos="relative" my={4}>
        <Progress.Root size="md">
          <Progress.Section
            value={share * 100}
            color={state === 'capped' ? 'yellow.8' : 'accent.6'}
            aria-label={`${offerName}, ${WINDOWS[window].toLowerCase()}: ${text} used, about ${formatNumber(expectedByNow)} expected by now`}
          />
        </Progress.Root>
        {cap > 0 && <Expected share={Math.min(1, expectedByNow / cap)} />}
      </Box>
      <Text size="xs" c="dimmed">
        About {formatNumber(projected)} by the end. Resets <Time at={resetsAt} kind="short" />.
      </Text>
    </Box>
  );
}

/** A mark at the place of the bar that even pacing would have reached. */
function Expected({ share }: { readonly share: number }): ReactNode {
  return (
    <Box
      aria-hidden="true"
      pos="absolute"
      top={-3}
      bottom={-3}
      w={2}
      bg="var(--mantine-color-text)"
      style={{ left: `calc(${share * 100}% - 1px)` }}
    />
  );
}

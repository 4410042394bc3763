// Pacing of each offer against its caps: a bar and text per cap. Import this file only through `lazyPart`.
import { Box, Group, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Stats } from '../../../../src/portal/buyer/stats.schema.ts';
import { Section } from '../../../ui/facts.tsx';
import { formatMoney, formatNumber, formatShare } from '../../../ui/formats.ts';
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
  return (
    <Section title="Pacing against caps">
      {offers.length === 0 ? (
        <Empty title="No offers">The operator sets up your offers. Their caps appear here.</Empty>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="lg">
          {offers.map((offer) => (
            <OfferPacing
              key={offer.offerKey}
              offer={offer}
              currency={currency}
              paces={pacing.filter(({ offerKey }) => offerKey === offer.offerKey)}
              stop={states?.find(({ offerKey }) => offerKey === offer.offerKey)?.stop}
            />
          ))}
        </SimpleGrid>
      )}
    </Section>
  );
}

function OfferPacing({
  offer,
  paces,
  currency,
  stop,
}: {
  readonly offer: Offer;
  readonly paces: readonly Pace[];
  readonly currency: string;
  /** Why the offer receives no leads; undefined until known. */
  readonly stop: Stop | null | undefined;
}): ReactNode {
  const { name, eventType, payout, status } = offer;
  const [tone, word] = stop === undefined ? [undefined, status] : stopWords(stop);
  return (
    <Stack gap="xs" style={{ minWidth: 0 }}>
      <Group justify="space-between" gap="xs">
        <Title order={3} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <Group gap="xs">
          <Text size="sm" component="span">
            <Status {...(tone === undefined ? {} : { tone })}>{word}</Status>
          </Text>
          {status !== 'closed' && <OwnLimits offerKey={offer.offerKey} name={name} />}
        </Group>
      </Group>
      <Text size="xs" c="dimmed">
        {eventType}, {formatMoney(payout, currency)} each
      </Text>
      {stop !== undefined && stop !== null && <Text size="sm">{stop.text}</Text>}
      {paces.length === 0 && <Text size="sm">No caps</Text>}
      {paces.map((pace) => (
        <CapBar key={pace.window} pace={pace} offerName={name} />
      ))}
    </Stack>
  );
}

function CapBar({ pace, offerName }: { readonly pace: Pace; readonly offerName: string }): ReactNode {
  const { window, cap, used, remaining, expectedByNow, projected, state, resetsAt } = pace;
  const share = cap === 0 ? 1 : Math.min(1, used / cap);
  const text = `${formatNumber(used)} of ${formatNumber(cap)}`;
  return (
    <Box>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          {WINDOWS[window]}: {text}
        </Text>
        <Text size="sm">{STATES[state]}</Text>
      </Group>
      <Box pos="relative" my={4}>
        <Progress.Root size="lg">
          <Progress.Section
            value={share * 100}
            color={state === 'capped' ? 'yellow.8' : 'accent.6'}
            aria-label={`${offerName}, ${WINDOWS[window].toLowerCase()}: ${text} used`}
          />
        </Progress.Root>
        {cap > 0 && <Expected share={Math.min(1, expectedByNow / cap)} />}
      </Box>
      <Text size="xs" c="dimmed">
        {formatShare(share)} used, {formatNumber(remaining)} left. About {formatNumber(expectedByNow)} expected by now
        (the mark), {formatNumber(projected)} by the end. Resets <Time at={resetsAt} kind="short" />.
      </Text>
    </Box>
  );
}

/** A mark at the end of the bar for even pacing. */
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

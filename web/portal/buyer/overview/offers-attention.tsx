// Notices about offers that receive no leads: which, why, and the page that fixes it.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Offers } from '../../../../src/portal/buyer/stats.schema.ts';
import { count, formatMoney } from '../../../ui/formats.ts';
import { PageLink } from '../../../ui/link.tsx';
import { Time } from '../../../ui/zone.tsx';
import { CHANNEL_NAMES } from '../../../ui/channel-names.ts';
import { useChannels } from '../settings/account.ts';
import { type Stop, useOfferStates } from './offer-states.ts';
import { Notice } from '../notice.tsx';

type Help = { readonly to: string; readonly label: string };

const HELP: Readonly<Record<string, Help>> = {
  channel_not_ready: { to: '/settings', label: 'Set it under Settings' },
  endpoint_disabled: { to: '/settings', label: 'Enable it under Settings' },
  paused_by_partner: { to: '/settings', label: 'Receive leads again under Settings' },
  funds_paused: { to: '/billing', label: 'See Billing' },
  funds_missing: { to: '/billing', label: 'See Billing' },
};

/** Stops that end by themselves and are intended. */
const EXPECTED = new Set(['paused_by_partner', 'cap_reached', 'budget_reached']);

type Stopped = Offers['offers'][number] & { readonly stop: Stop };

/** Renders nothing while every active offer can receive leads and every channel accepts them. */
export function OffersAttention(): ReactNode {
  return (
    <>
      <OfferNotices />
      <FailingChannels />
    </>
  );
}

function OfferNotices(): ReactNode {
  const { data } = useOfferStates();
  if (data === undefined) return null;
  const active = data.offers.filter(({ isActive }) => isActive);
  const stopped = active.filter((offer): offer is Stopped => offer.stop !== null);
  return (
    <>
      {stopped.length > 0 && <StoppedOffers stopped={stopped} active={active.length} />}
      <LowFunds states={data} />
    </>
  );
}

function StoppedOffers({
  stopped,
  active,
}: {
  readonly stopped: readonly Stopped[];
  readonly active: number;
}): ReactNode {
  const isExpected = stopped.every(({ stop }) => EXPECTED.has(stop.code));
  const verb = stopped.length === 1 ? 'receives' : 'receive';
  const which = active === 1 ? 'Your offer' : `${stopped.length} of your ${active} active offers`;
  const groups = [
    ...Map.groupBy(stopped, ({ stop }) => `${stop.text} ${stop.since ?? ''} ${stop.resetsAt ?? ''}`).values(),
  ];
  return (
    <Notice tone={isExpected ? 'warn' : 'bad'} title={`${which} ${verb} no leads`}>
      <Stack component="ul" gap={4} m={0} pl="lg">
        {groups.map((offers) => (
          <Reason key={offers[0]?.offerKey} offers={offers} />
        ))}
      </Stack>
    </Notice>
  );
}

function Reason({ offers }: { readonly offers: readonly Stopped[] }): ReactNode {
  const [first] = offers;
  if (first === undefined) return null;
  const { code, text, since, resetsAt } = first.stop;
  const help = HELP[code];
  return (
    <Text component="li" size="sm">
      {offers.map(({ name }) => name).join(', ')}: {text}.
      {since !== null && (
        <>
          {' '}
          Since <Time at={since} kind="short" />.
        </>
      )}
      {resetsAt !== null && (
        <>
          {' '}
          {code === 'rejections_paused' || code === 'paused_by_partner' ? 'It receives leads again' : 'Resets'}{' '}
          <Time at={resetsAt} kind="short" />.
        </>
      )}
      {help !== undefined && (
        <>
          {' '}
          <PageLink to={help.to}>{help.label}</PageLink>
        </>
      )}
    </Text>
  );
}

/** Health changes with every attempt, but the live topic `account` reports changes of settings only. */
const REFETCH_EVERY_MS = 15_000;

function FailingChannels(): ReactNode {
  const channels = useChannels(REFETCH_EVERY_MS).data?.channels ?? [];
  return channels.map(({ name, isPrimary, trouble }) =>
    typeof trouble?.waitingSince !== 'string' ? null : (
      <Notice key={name} tone="bad" title={`${CHANNEL_NAMES[name] ?? name}: failing`}>
        <Text size="sm">
          It has accepted nothing since <Time at={trouble.waitingSince} kind="short" />: {trouble.lastError}. Its
          deliveries wait and are retried automatically.
          {isPrimary && ' If this goes on, your offers receive no leads.'}{' '}
          <PageLink to="/settings">Test it under Settings</PageLink>
        </Text>
      </Notice>
    ),
  );
}

function LowFunds({ states: { available, leadsLeft, currency } }: { readonly states: Offers }): ReactNode {
  if (available === null || leadsLeft === null) return null;
  return (
    <Notice tone="warn" title="Your funds are running low">
      <Text size="sm">
        {formatMoney(available, currency)} available, enough for {count(leadsLeft, 'more lead')}. You receive no leads
        that cost more. <PageLink to="/billing">See Billing</PageLink>
      </Text>
    </Notice>
  );
}

// The timeline and attempts of a delivery, if the beta tool is enabled for the partner.
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  CalendarIcon,
  CheckCircledIcon,
  CheckIcon,
  CircleBackslashIcon,
  ClockIcon,
  Cross2Icon,
  EnvelopeClosedIcon,
  ExclamationTriangleIcon,
  MinusCircledIcon,
  PlusCircledIcon,
  ResetIcon,
  UpdateIcon,
} from '@radix-ui/react-icons';

import type { Delivery, Timeline as DeliveryEvents } from '../../../../sdk/typescript/client.ts';
import { Section } from '../../../ui/facts.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { request } from '../../portal-api.ts';
import { usePortalSession } from '../../session.ts';
import { Attempts } from './attempts.tsx';
import { type Mark, Timeline } from '../../../ui/timeline.tsx';
import { Time } from '../../../ui/zone.tsx';

export function DeliveryTimeline({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const { betaTools } = usePortalSession();
  if (betaTools?.includes('timeline') !== true) return <WithoutTimeline delivery={delivery} />;
  return <WithTimeline deliveryId={delivery.deliveryId} />;
}

function WithTimeline({ deliveryId }: { readonly deliveryId: string }): ReactNode {
  const query = useQuery({
    queryKey: ['deliveries', 'timeline', deliveryId],
    queryFn: ({ signal }) =>
      request('GET /portal/api/v1/buyer/leads/:deliveryId/timeline', { params: { deliveryId }, signal }),
  });
  return (
    <>
      <Section title="Timeline">
        <Loaded query={query} what="Loading the timeline">
          {({ events }) => <EventList events={events} />}
        </Loaded>
      </Section>
      <Section title="Attempts">
        <Loaded query={query} what="Loading the attempts">
          {({ attempts }) => <Attempts attempts={attempts} />}
        </Loaded>
      </Section>
    </>
  );
}

/** The state of the delivery, for accounts without the beta tool. */
function WithoutTimeline({
  delivery: { deliveryRef, deliveredAt, status },
}: {
  readonly delivery: Delivery;
}): ReactNode {
  const words = {
    Pending: 'Being delivered.',
    Confirmed: 'Accepted and charged.',
    Failed: 'Could not be delivered. You are not charged.',
    Returned: 'Accepted, later returned with an approved claim.',
  };
  return (
    <Section title="Timeline">
      <Stack gap="sm">
        <EventList
          events={[
            { at: deliveredAt, type: 'delivery.routed', message: `The lead was routed to you as ${deliveryRef}.` },
          ]}
        />
        <Text size="sm">Now: {words[status]}</Text>
        <Text size="sm" c="dimmed">
          Every step and attempt with its response can be shown here. It is a beta tool: ask the operator to enable
          timeline for your account.
        </Text>
      </Stack>
    </Section>
  );
}

type Event = DeliveryEvents['events'][number];

const MARKS: Readonly<Record<Event['type'], Mark>> = {
  'delivery.routed': { title: 'Routed to you', tone: 'good', icon: EnvelopeClosedIcon },
  'appointment.booked': { title: 'Appointment booked', tone: 'good', icon: CalendarIcon },
  'attempt.scheduled': { title: 'Attempt scheduled', tone: 'warn', icon: ClockIcon },
  'attempt.succeeded': { title: 'Attempt succeeded', tone: 'good', icon: CheckIcon },
  'attempt.failed': { title: 'Attempt failed', tone: 'warn', icon: Cross2Icon },
  'attempt.exhausted': { title: 'Last attempt failed', tone: 'bad', icon: Cross2Icon },
  'endpoint.disabled': { title: 'Webhook disabled', tone: 'bad', icon: ExclamationTriangleIcon },
  'endpoint.enabled': { title: 'Webhook enabled', tone: 'good', icon: CheckIcon },
  'delivery.confirmed': { title: 'Confirmed', tone: 'good', icon: CheckCircledIcon },
  'delivery.charged': { title: 'Charged', tone: 'idle', icon: MinusCircledIcon },
  'delivery.failed': { title: 'Failed', tone: 'bad', icon: CircleBackslashIcon },
  'delivery.redelivery_requested': { title: 'Sent again', tone: 'idle', icon: UpdateIcon },
  'delivery.returned': { title: 'Returned', tone: 'idle', icon: ResetIcon },
  'delivery.credited': { title: 'Credited', tone: 'good', icon: PlusCircledIcon },
};
/** For event types that are added later. */
const OTHER: Mark = { title: 'Event', tone: 'idle', icon: ClockIcon };

function EventList({ events }: { readonly events: readonly Event[] }): ReactNode {
  return (
    <Timeline
      moments={events.map(({ at, type, message }) => ({
        key: `${type} ${at} ${message}`,
        at,
        mark: (MARKS as Readonly<Record<string, Mark>>)[type] ?? OTHER,
        text: <WithTimes text={message} />,
      }))}
    />
  );
}

const INSTANT = /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)/;

/** Shows the UTC times in a message in the partner's zone. */
function WithTimes({ text }: { readonly text: string }): ReactNode {
  return text.split(INSTANT).map((part) => (INSTANT.test(part) ? <Time key={part} at={part} /> : part));
}

// What happened to a delivery, drawn from top to bottom, and every attempt to hand it over: where the timeline is enabled.
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Delivery } from '../../../../sdk/typescript/client.ts';
import { Section } from '../../../ui/facts.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { request } from '../../portal-api.ts';
import { usePortalSession } from '../../session.ts';
import { Attempts } from './attempts.tsx';
import { EventList } from './event-list.tsx';

export function DeliveryLife({ delivery }: { readonly delivery: Delivery }): ReactNode {
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

/** What the delivery itself tells. */
function WithoutTimeline({
  delivery: { deliveryRef, deliveredAt, status },
}: {
  readonly delivery: Delivery;
}): ReactNode {
  const words = {
    Pending: 'It is on its way to you.',
    Confirmed: 'It was taken, and you were charged for it.',
    Failed: 'It could not be handed over to you. You are not charged for it.',
    Returned: 'It was taken, and later returned with an approved claim.',
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
          Every step and every attempt with its answer can be shown here. It is a beta tool: ask the operator to enable
          the timeline for your account.
        </Text>
      </Stack>
    </Section>
  );
}

// The page of one delivery: lead, consent, filing, timeline and attempts.
import { Alert, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Facts, Section } from '../../../ui/facts.tsx';
import { formatMoney } from '../../../ui/formats.ts';
import { ListLink } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import { RequestError } from '../../../ui/request.ts';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';
import { Time, ZoneNote } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { useMay, usePortalSession } from '../../session.ts';
import type { DeliveryDetail } from '../../../../src/portal/buyer/deliveries.schema.ts';
import { DeliveryFiling } from '../claims/filing.tsx';
import { ConsentRecord, LeadFacts } from './lead-facts.tsx';
import { DeliveryTimeline } from './timeline.tsx';
import { Purchase } from './purchase.tsx';
import { Redeliver, WhyNotAgain } from './redeliver.tsx';

export function DeliveryPage(): ReactNode {
  const { deliveryId = '' } = useParams({ strict: false }) as { readonly deliveryId?: string };
  const query = useQuery({
    queryKey: ['deliveries', 'one', deliveryId],
    queryFn: ({ signal }) =>
      request('GET /portal/api/buyer/deliveries/:deliveryId', { params: { deliveryId }, signal }),
  });
  const mayResend = useMay('settings');
  const isMissing = query.error instanceof RequestError && query.error.status === 404;
  return (
    <Page
      title={query.data === undefined ? 'Delivery' : `Delivery ${query.data.delivery.deliveryRef}`}
      description={<ZoneNote />}
      actions={
        <>
          <ListLink to="/deliveries">All deliveries</ListLink>
          {mayResend && query.data !== undefined && <Redeliver detail={query.data} />}
        </>
      }
    >
      {isMissing ? (
        <Empty title="Delivery not found">
          The address may be mistyped, or the delivery belongs to another account.
        </Empty>
      ) : (
        <Loaded query={query} what="Loading the delivery">
          {(detail) => <Parts detail={detail} />}
        </Loaded>
      )}
    </Page>
  );
}

function Parts({ detail }: { readonly detail: DeliveryDetail }): ReactNode {
  const { delivery, isErased } = detail;
  return (
    <Stack gap="lg">
      {isErased && (
        <Alert variant="outline" color="gray" title="Personal data erased" role="note">
          This person requested erasure, so their personal data was deleted here. Delete your own copy as well.
        </Alert>
      )}
      <Section title="Lead">
        <LeadFacts detail={detail} />
      </Section>
      <Section title="Delivery">
        <DeliveryFacts detail={detail} />
        <WhyNotAgain detail={detail} />
      </Section>
      {delivery.status !== 'Failed' && (
        <Section title="Why you got it">
          <Purchase detail={detail} />
        </Section>
      )}
      <Section title="Record of consent">
        <ConsentRecord detail={detail} />
      </Section>
      <DeliveryFiling deliveryId={delivery.deliveryId} />
      <DeliveryTimeline delivery={delivery} />
    </Stack>
  );
}

function DeliveryFacts({ detail: { delivery } }: { readonly detail: DeliveryDetail }): ReactNode {
  const { currency } = usePortalSession();
  const { status, eventType, payout, deliveredAt, confirmedAt, appointmentAt, buyerReference, deliveryId } = delivery;
  return (
    <Facts
      columns={3}
      facts={[
        ['Status', <Status key="status">{status}</Status>],
        ['Price', formatMoney(payout, currency)],
        ['Event type', eventType],
        ['Delivered', <Time key="at" at={deliveredAt} />],
        ...(confirmedAt === null ? [] : [['Confirmed', <Time key="confirmed" at={confirmedAt} />] as const]),
        ...(appointmentAt === undefined
          ? []
          : [['Appointment', <Time key="appointment" at={appointmentAt} />] as const]),
        ...(buyerReference === undefined ? [] : [['Your reference', buyerReference] as const]),
        ['Delivery id', deliveryId],
      ]}
    />
  );
}

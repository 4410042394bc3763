// Sending a delivery again to the partner's webhook, after a question, or why that cannot be done.
import { Button, Text } from '@mantine/core';
import { UpdateIcon } from '@radix-ui/react-icons';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../../../ui/confirm.tsx';
import { PageLink } from '../../../ui/link.tsx';
import { notify } from '../../../ui/notify.tsx';
import { request } from '../../portal-api.ts';
import { usePortalSession } from '../../session.ts';
import type { DeliveryDetail } from '../../../../src/portal/buyer/deliveries.schema.ts';

export function Redeliver({ detail: { delivery, redelivery } }: { readonly detail: DeliveryDetail }): ReactNode {
  const { deliveryId, deliveryRef } = delivery;
  const { betaTools } = usePortalSession();
  const [isAsked, setAsked] = useState(false);
  const queries = useQueryClient();
  if (!redelivery.allowed) return null;
  const redeliver = async (): Promise<void> => {
    await request('POST /portal/api/v1/buyer/leads/:deliveryId/redeliver', { params: { deliveryId } });
    const isSeen = betaTools?.includes('timeline') === true;
    notify(
      `${deliveryRef} is being sent again. ${isSeen ? 'The timeline shows what comes of it.' : 'Watch your webhook for it.'}`,
    );
    await queries.invalidateQueries({ queryKey: ['deliveries'] });
  };
  return (
    <>
      <Button variant="default" leftSection={<UpdateIcon aria-hidden="true" />} onClick={() => setAsked(true)}>
        Send again
      </Button>
      <Confirm
        isOpen={isAsked}
        title={`Send ${deliveryRef} again?`}
        action="Send it again"
        onConfirm={redeliver}
        onClose={() => setAsked(false)}
      >
        <Text size="sm">
          The same message goes to your webhook once more, with the same webhook-id, so that a receiver which knows it
          can tell.{' '}
          {delivery.status === 'Failed'
            ? 'The delivery is Pending again, and you are charged once your webhook takes it.'
            : 'It is not charged again, and its status stays as it is.'}
        </Text>
      </Confirm>
    </>
  );
}

/** Nothing where it can be sent again, or where waiting is all there is to do. */
export function WhyNotAgain({ detail: { delivery, redelivery } }: { readonly detail: DeliveryDetail }): ReactNode {
  if (redelivery.allowed || delivery.status === 'Pending') return null;
  return (
    <Text size="sm" c="dimmed">
      It cannot be sent again: <Reason code={redelivery.code} />
    </Text>
  );
}

function Reason({ code }: { readonly code: string | null }): ReactNode {
  if (code === 'webhook_not_configured') {
    return (
      <>
        there is no webhook to send to. <PageLink to="/settings">Set one in the settings</PageLink>.
      </>
    );
  }
  if (code === 'endpoint_disabled') {
    return (
      <>
        your webhook is out of use, because it answered 410 Gone or nothing good for a long time.{' '}
        <PageLink to="/settings">Enable it in the settings</PageLink>.
      </>
    );
  }
  return 'only what went to your webhook can be, while its person is not erased and, if it failed, while nobody else has its lead and your offer and funds have room for it.';
}

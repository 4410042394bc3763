// The button that sends a delivery to the partner's webhook again, or the reason why that is not possible.
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
    notify(`${deliveryRef} is being sent again. ${isSeen ? 'The timeline shows the result.' : 'Check your webhook.'}`);
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
        action="Send again"
        onConfirm={redeliver}
        onClose={() => setAsked(false)}
      >
        <Text size="sm">
          The same message is sent to your webhook again, with the same webhook-id, so that your receiver can detect the
          repetition.{' '}
          {delivery.status === 'Failed'
            ? 'The delivery becomes Pending again, and you are charged once your webhook accepts it.'
            : 'You are not charged again, and the status does not change.'}
        </Text>
      </Confirm>
    </>
  );
}

/** Renders nothing if the delivery can be sent again or is still pending. */
export function WhyNotAgain({ detail: { delivery, redelivery } }: { readonly detail: DeliveryDetail }): ReactNode {
  if (redelivery.allowed || delivery.status === 'Pending') return null;
  return (
    <Text size="sm" c="dimmed">
      Cannot be sent again: <Reason code={redelivery.code} />
    </Text>
  );
}

function Reason({ code }: { readonly code: string | null }): ReactNode {
  if (code === 'webhook_not_configured') {
    return (
      <>
        you have no webhook URL. <PageLink to="/settings">Set one in the settings</PageLink>.
      </>
    );
  }
  if (code === 'endpoint_disabled') {
    return (
      <>
        your webhook is disabled, because it responded 410 Gone or failed for a long time.{' '}
        <PageLink to="/settings">Enable it in the settings</PageLink>.
      </>
    );
  }
  return 'only deliveries to your webhook can be, unless the personal data is erased. A failed one also needs an unsold lead, an active offer with caps left, and funds.';
}

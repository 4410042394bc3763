// The button that has a failed delivery sent to its partner's webhook again, with what that means.
import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.tsx';
import { useMay } from '../allowed.tsx';
import { request } from '../console-api.ts';

export function RetryDelivery({
  deliveryId,
  deliveryRef,
  partnerName,
}: {
  readonly deliveryId: string;
  readonly deliveryRef: string;
  readonly partnerName: string;
}): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const may = useMay('operate');
  const retry = async (): Promise<void> => {
    await request('POST /console/api/deliveries/:deliveryId/retry', { params: { deliveryId } });
    notify(`${deliveryRef} will be sent again.`);
    void queries.invalidateQueries({ queryKey: ['leads'] });
    void queries.invalidateQueries({ queryKey: ['deliveries'] });
  };
  if (!may) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => setAsking(true)}
        aria-label={`Send again: ${deliveryRef}`}
      >
        Send again
      </Button>
      <Confirm
        isOpen={isAsking}
        title={`Send ${deliveryRef} again`}
        action="Send again"
        onConfirm={retry}
        onClose={() => setAsking(false)}
      >
        <Text size="sm">
          {partnerName} gets the same message once more at its webhook, with retries. It is not charged for it, and the
          delivery stays as it is in the books. If the partner already has it, its system can tell by the id of the
          message.
        </Text>
      </Confirm>
    </>
  );
}

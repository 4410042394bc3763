// The button that sends a failed delivery to the partner's webhook again.
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
    void queries.invalidateQueries({ queryKey: ['messages'] });
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
          {partnerName} gets the same message at its webhook again, with retries. The delivery is Pending again, takes
          cap and funds, and is charged once it is taken. If the partner already has the message, it can detect this by
          the id.
        </Text>
      </Confirm>
    </>
  );
}

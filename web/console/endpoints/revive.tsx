// The button that enables an endpoint, or retries a failing one at once.
import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.tsx';
import type { Endpoint, Revived } from '../../../src/console/endpoints.schema.ts';
import { useMay } from '../allowed.tsx';
import { request } from '../console-api.ts';

const RESULTS: Readonly<Record<Revived['result'], string>> = {
  enabled: 'Endpoint enabled. The partner receives new leads again.',
  asked: 'Retrying now. If the endpoint accepts, its queue is sent at once.',
  asked_when_due: 'Its queue is empty, so the next message is the retry.',
  was_well: 'The endpoint is healthy already.',
};

export function Revive({ endpoint }: { readonly endpoint: Endpoint }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const may = useMay('operate');
  const { ownerKind, ownerKey, channel, name, state } = endpoint;
  if (!may || (state !== 'failing' && state !== 'disabled')) return null;
  const action = state === 'disabled' ? 'Enable' : 'Retry now';
  const revive = async (): Promise<void> => {
    const params = { ownerKind, ownerKey, channel };
    const { result } = await request('POST /console/api/endpoints/:ownerKind/:ownerKey/:channel/enable', { params });
    notify(RESULTS[result]);
    await queries.invalidateQueries({ queryKey: ['endpoints'] });
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => setAsking(true)}
        aria-label={`${action}: ${name}, ${channel}`}
      >
        {action}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={state === 'disabled' ? `Enable the endpoint of ${name}` : `Retry the endpoint of ${name} now`}
        action={action}
        onConfirm={revive}
        onClose={() => setAsking(false)}
      >
        <Stack gap="xs">{state === 'disabled' ? <EnableWords /> : <RetryWords endpoint={endpoint} />}</Stack>
      </Confirm>
    </>
  );
}

function EnableWords(): ReactNode {
  return (
    <>
      <Text size="sm">
        It was disabled because it responded 410 Gone or failed for a long time. Once it is enabled, the partner’s
        offers receive leads again.
      </Text>
      <Text size="sm">
        Deliveries that failed meanwhile are not sent again automatically. Send them again from the page Failures.
      </Text>
    </>
  );
}

function RetryWords({ endpoint: { waiting } }: { readonly endpoint: Endpoint }): ReactNode {
  return (
    <Text size="sm">
      {waiting === 0
        ? 'Its queue is empty, so the next message is the retry.'
        : 'The oldest queued message is sent at once. If it is accepted, the rest follows; otherwise the endpoint is retried automatically later.'}
    </Text>
  );
}

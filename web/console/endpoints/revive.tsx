// The button that puts an endpoint into use again, or has it asked at once whether it is back, with what that means.
import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.tsx';
import type { Endpoint, Revived } from '../../../src/console/endpoints.schema.ts';
import { useMay } from '../allowed.tsx';
import { request } from '../console-api.ts';

const RESULTS: Readonly<Record<Revived['result'], string>> = {
  enabled: 'The endpoint is enabled. The partner gets new leads again.',
  asked: 'The endpoint is being asked now. If it answers well, what waits is sent at once.',
  asked_when_due: 'Nothing waits for the endpoint now. The next thing that is for it asks whether it is back.',
  was_well: 'Nothing was wrong with the endpoint any more.',
};

export function Revive({ endpoint }: { readonly endpoint: Endpoint }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const may = useMay('operate');
  const { ownerKind, ownerKey, channel, name, state } = endpoint;
  if (!may || (state !== 'failing' && state !== 'disabled')) return null;
  const action = state === 'disabled' ? 'Enable' : 'Ask now';
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
        title={state === 'disabled' ? `Enable the endpoint of ${name}` : `Ask the endpoint of ${name} now`}
        action={action}
        onConfirm={revive}
        onClose={() => setAsking(false)}
      >
        <Stack gap="xs">{state === 'disabled' ? <EnableWords /> : <AskWords endpoint={endpoint} />}</Stack>
      </Confirm>
    </>
  );
}

function EnableWords(): ReactNode {
  return (
    <>
      <Text size="sm">
        It was disabled because it answered 410 Gone, or nothing good for a long time. Once it is enabled, the partner’s
        offers take part again and leads are sent to it.
      </Text>
      <Text size="sm">
        Deliveries that failed meanwhile are not sent by this: have them sent again from the page of dead letters.
      </Text>
    </>
  );
}

function AskWords({ endpoint: { waiting } }: { readonly endpoint: Endpoint }): ReactNode {
  return (
    <Text size="sm">
      {waiting === 0
        ? 'Nothing waits for it now, so the next thing that is for it asks whether it is back.'
        : 'The oldest thing that waits for it is sent at once. If that is taken, the rest follows; if not, everything stays as it is and the endpoint is asked again later by itself.'}
    </Text>
  );
}

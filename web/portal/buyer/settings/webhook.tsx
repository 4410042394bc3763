// The webhook beside its address: whether it is out of use, and a test that shows request and answer.
import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Account } from '../../../../sdk/typescript/client.ts';
import type { Channels } from '../../../../src/portal/buyer/channels.schema.ts';
import { notify } from '../../../ui/notify.tsx';
import { RequestError } from '../../../ui/request.ts';
import { Failure } from '../../../ui/states.tsx';
import { Time } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { type AccountRead, useChangeAccount } from './account.ts';
import { Notice } from '../notice.tsx';
import { TestResult } from './test-result.tsx';

export function EndpointState({
  current,
  ways,
}: {
  readonly current: AccountRead;
  readonly ways: Channels;
}): ReactNode {
  const { mutate, isPending, error } = useChangeAccount();
  const { webhookUrl, editableFields } = current.account;
  if (ways.webhookDisabledAt === null) return null;
  const enable = (): void =>
    mutate(
      { patch: { webhookUrl }, expected: current.etag },
      { onSuccess: () => notify('The webhook is in use again.') },
    );
  return (
    <Notice tone="bad" title="Your webhook is out of use">
      <Text size="sm">
        It answered 410 Gone, or nothing good for a long time: since <Time at={ways.webhookDisabledAt} /> no leads are
        sold to you by it. Put the receiving end right and test it below; then take it back into use.
      </Text>
      {error !== null && <Failure error={error} />}
      {webhookUrl !== null && editableFields.includes('webhookUrl') ? (
        <Button size="xs" onClick={enable} loading={isPending}>
          Take it back into use
        </Button>
      ) : (
        <Text size="sm">The operator can do that: ask them.</Text>
      )}
    </Notice>
  );
}

type Target = 'preview' | 'webhook';

export function WebhookTest({ account, isDirty }: { readonly account: Account; readonly isDirty: boolean }): ReactNode {
  const queries = useQueryClient();
  const { mutate, isPending, variables, data, error } = useMutation({
    mutationFn: (target: Target) => request('POST /portal/api/buyer/test-delivery', { body: { target } }),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['deliveries', 'attempts'] }),
  });
  if (!account.betaTools.includes('test-delivery')) {
    return (
      <Text size="sm" c="dimmed">
        Test deliveries are a beta tool that is not enabled for your account. The operator can enable it: ask for
        test-delivery.
      </Text>
    );
  }
  const isUnset = account.webhookUrl === null;
  // Not disabled meanwhile: a button that is loses the focus.
  const start = (target: Target): void => {
    if (!isPending) mutate(target);
  };
  const note = isDirty ? 'The test goes to the address that is saved. ' : isUnset ? 'Save an address first. ' : '';
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button variant="default" onClick={() => start('webhook')} disabled={isUnset}>
          Send a test
        </Button>
        <Button variant="subtle" onClick={() => start('preview')}>
          Show the request only
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {note}A test sends a full sample message. Nothing is sold, counted or charged.
      </Text>
      <div role="status" aria-live="polite">
        {isPending && variables === 'webhook' && (
          <Group gap="xs">
            <Loader size="xs" aria-hidden="true" />
            <Text size="sm">Waiting for your endpoint, 25 seconds at most …</Text>
          </Group>
        )}
        {!isPending && data !== undefined && error === null && <TestResult response={data} />}
      </div>
      {!isPending && error !== null && <Refused error={error} />}
    </Stack>
  );
}

function Refused({ error }: { readonly error: unknown }): ReactNode {
  const code = error instanceof RequestError ? error.code : '';
  if (code === 'webhook_url_blocked') return <Failure error={error} title="This address is never sent to" />;
  return <Failure error={error} title="No test was sent" />;
}

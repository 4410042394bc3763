// The webhook's state with a button to enable it, and a test delivery that shows request and response.
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
    mutate({ patch: { webhookUrl }, expected: current.etag }, { onSuccess: () => notify('Webhook enabled.') });
  return (
    <Notice tone="bad" title="Your webhook is disabled">
      <Text size="sm">
        It responded 410 Gone or failed for a long time, so you receive no leads since{' '}
        <Time at={ways.webhookDisabledAt} />. Fix your endpoint and test it below, then enable the webhook.
      </Text>
      {error !== null && <Failure error={error} />}
      {webhookUrl !== null && editableFields.includes('webhookUrl') ? (
        <Button size="xs" onClick={enable} loading={isPending}>
          Enable webhook
        </Button>
      ) : (
        <Text size="sm">Ask the operator to enable it.</Text>
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
        Test deliveries are a beta tool that is not enabled for your account. Ask the operator to enable test-delivery.
      </Text>
    );
  }
  const isUnset = account.webhookUrl === null;
  // Not disabled during the test: a disabled button loses the focus.
  const start = (target: Target): void => {
    if (!isPending) mutate(target);
  };
  const note = isDirty ? 'The test goes to the saved URL. ' : isUnset ? 'Save a URL first. ' : '';
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button variant="default" onClick={() => start('webhook')} disabled={isUnset}>
          Send test
        </Button>
        <Button variant="subtle" onClick={() => start('preview')}>
          Preview request
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {note}A test sends a full sample message. Nothing is sold, counted or charged.
      </Text>
      <div role="status" aria-live="polite">
        {isPending && variables === 'webhook' && (
          <Group gap="xs">
            <Loader size="xs" aria-hidden="true" />
            <Text size="sm">Waiting for your endpoint, at most 25 seconds …</Text>
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
  if (code === 'webhook_url_blocked') return <Failure error={error} title="This address is not allowed" />;
  return <Failure error={error} title="No test was sent" />;
}

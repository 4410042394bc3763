// Tries a webhook format out: a preview of the request with a sample or a delivery, and a test that shows the response and its rule.
import { Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { WebhookTest } from '../../../src/console/partner-webhook.schema.ts';
import type { ShownRequest, WebhookPreview } from '../../../src/scopes/webhook-trial.schema.ts';
import { CodeBlock } from '../copy.tsx';
import { Facts, Section } from '../facts.tsx';
import { formatSpan } from '../formats.ts';
import { Failure } from '../states.tsx';
import { Status } from '../status.tsx';
import type { WebhookFormat } from './format-form.ts';

export function FormatPreview({
  format,
  preview,
  previewDelivery,
}: {
  /** As in the form, saved or not. */
  readonly format: WebhookFormat;
  readonly preview: (format: WebhookFormat) => Promise<WebhookPreview>;
  /** With a delivery of the partner instead of a sample lead; left out for those who may not read its data. */
  readonly previewDelivery?: (format: WebhookFormat, deliveryId: string) => Promise<WebhookPreview>;
}): ReactNode {
  const [deliveryId, setDeliveryId] = useState('');
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      previewDelivery === undefined || deliveryId.trim() === ''
        ? preview(format)
        : previewDelivery(format, deliveryId.trim()),
  });
  const reasons = data === undefined ? [] : faultsIn(data);
  return (
    <Section title="Preview">
      <Text size="sm" c="dimmed">
        The request that the form above makes of a sample lead, also before it is saved. Secrets are shown as ••••, and
        nothing is sent.
      </Text>
      {previewDelivery !== undefined && (
        <TextInput
          label="Delivery"
          description="The id of a delivery of this partner, to use its lead instead. The audit log records that you read it."
          placeholder="dlv_…"
          value={deliveryId}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          onChange={({ currentTarget }) => setDeliveryId(currentTarget.value)}
          maw={420}
        />
      )}
      <Group>
        <Button
          variant="default"
          onClick={() => {
            if (!isPending) mutate();
          }}
        >
          Preview request
        </Button>
      </Group>
      <div role="status">
        {error === null && reasons.length > 0 && (
          <Text size="sm" c="var(--lm-bad)">
            No request can be made: {reasons.join('; ')}
          </Text>
        )}
      </div>
      {error === null && data !== undefined && data.request !== null && (
        <RequestText request={data.request} label="the previewed request" />
      )}
      {error !== null && <Failure error={error} />}
    </Section>
  );
}

function faultsIn({ error, faults }: WebhookPreview): readonly string[] {
  const places = faults.map(({ path, message, line, column }) =>
    line === null || column === null ? `${path} ${message}` : `${path}, line ${line}, column ${column}: ${message}`,
  );
  return error === null ? places : [error, ...places];
}

/** What a test has shown, at the console or in the portal. */
export type Trial = Pick<
  WebhookTest,
  'delivered' | 'error' | 'rule' | 'request' | 'responseCode' | 'responseSnippet' | 'latencyMs'
>;

export function FormatTest({
  test,
  isDirty,
}: {
  readonly test: () => Promise<Trial>;
  readonly isDirty: boolean;
}): ReactNode {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: test });
  return (
    <Section title="Test">
      <Text size="sm" c="dimmed">
        Sends a sample lead to the webhook URL{isDirty ? ', in the format as it was saved last' : ''}. Nothing is sold,
        counted or charged.
      </Text>
      <Group>
        <Button
          variant="default"
          onClick={() => {
            if (!isPending) mutate();
          }}
        >
          Send test
        </Button>
      </Group>
      <div role="status">
        {isPending && (
          <Group gap="xs">
            <Loader size="xs" aria-hidden="true" />
            <Text size="sm">Waiting for the endpoint, at most 25 seconds …</Text>
          </Group>
        )}
        {!isPending && data !== undefined && error === null && <TrialVerdict trial={data} />}
      </div>
      {!isPending && data !== undefined && error === null && <TrialDetails trial={data} />}
      {!isPending && error !== null && <Failure error={error} title="No test was sent" />}
    </Section>
  );
}

function TrialVerdict({
  trial: { delivered: accepted, error, rule, responseCode },
}: {
  readonly trial: Trial;
}): ReactNode {
  const words = accepted ? 'This response accepts a lead.' : `This response does not accept a lead. ${error ?? ''}`;
  const by = rule === null ? (responseCode === null ? '' : 'No rule matched.') : `Rule ${rule + 1} matched.`;
  return (
    <Text size="sm">
      <Status tone={accepted ? 'good' : 'bad'}>{accepted ? 'accepted' : 'not accepted'}</Status> {words} {by}
    </Text>
  );
}

function TrialDetails({
  trial: { request, responseCode, responseSnippet, latencyMs },
}: {
  readonly trial: Trial;
}): ReactNode {
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          ['Response code', responseCode],
          ['Response time', formatSpan(latencyMs)],
        ]}
      />
      {responseSnippet !== null && responseSnippet !== '' && <CodeBlock text={responseSnippet} label="the response" />}
      {request !== null && (
        <>
          <Text size="sm" fw={600}>
            Request as sent
          </Text>
          <RequestText request={request} label="the request as sent" />
        </>
      )}
    </Stack>
  );
}

function RequestText({
  request: { method, url, headers, body },
  label,
}: {
  readonly request: ShownRequest;
  readonly label: string;
}): ReactNode {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return <CodeBlock text={[`${method} ${url}`, ...lines, '', body ?? ''].join('\n').trimEnd()} label={label} />;
}

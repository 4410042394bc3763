// Tries the format of the partner's webhook out: a preview, a test with the rule that read the response, and the names of its secrets.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Account } from '../../../../sdk/typescript/client.ts';
import type { TestDelivery } from '../../../../src/portal/buyer/test-delivery.schema.ts';
import type { PreviewBody } from '../../../../src/scopes/webhook-trial.schema.ts';
import { Section } from '../../../ui/facts.tsx';
import { Loaded } from '../../../ui/states.tsx';
import type { WebhookFormat } from '../../../ui/webhook-format/format-form.ts';
import { FormatPreview, FormatTest, type Trial } from '../../../ui/webhook-format/format-trial.tsx';
import { SecretsTable } from '../../../ui/webhook-format/named-secrets.tsx';
import { request } from '../../portal-api.ts';

export function FormatTrial({
  format,
  isDirty,
  isEditable,
  account,
  onTested,
}: {
  /** As in the form, saved or not; null for the standard format. */
  readonly format: WebhookFormat | null;
  readonly isDirty: boolean;
  readonly isEditable: boolean;
  readonly account: Account;
  readonly onTested: () => void;
}): ReactNode {
  return (
    <>
      {format !== null && (
        <FormatPreview
          format={format}
          preview={(next) => {
            // Only a format that may be changed can be another one than the saved one.
            const body: PreviewBody = isEditable ? { webhook: next } : {};
            return request('POST /portal/api/buyer/webhook-format/preview', { body });
          }}
        />
      )}
      {account.webhookUrl === null || !account.betaTools.includes('test-delivery') ? (
        <Section title="Test">
          <Text size="sm" c="dimmed">
            {account.webhookUrl === null
              ? 'Save a webhook URL under Settings to send a test.'
              : 'Test deliveries are a beta tool that is not enabled for your account. Ask the operator to enable test-delivery.'}
          </Text>
        </Section>
      ) : (
        <FormatTest
          isDirty={isDirty}
          test={async () => {
            const tested = await request('POST /portal/api/buyer/test-delivery', { body: { target: 'webhook' } });
            onTested();
            return trialOf(tested);
          }}
        />
      )}
    </>
  );
}

function trialOf(tested: TestDelivery): Trial {
  if (tested.target === 'preview') throw new Error('a test was sent and its preview came back');
  const { delivered, error, rule, responseCode, responseSnippet, latencyMs, request: sent } = tested;
  const shown =
    sent === null
      ? null
      : {
          ...{ method: sent.method, url: sent.url ?? '', body: sent.body },
          headers: Object.fromEntries(sent.headers.map(({ name, value }) => [name, value ?? ''])),
        };
  return { delivered, error, rule, responseCode, responseSnippet, latencyMs, request: shown };
}

export function OwnSecrets(): ReactNode {
  const query = useQuery({
    queryKey: ['account', 'webhook-secrets'],
    queryFn: ({ signal }) => request('GET /portal/api/buyer/webhook-format/secrets', { signal }),
  });
  return (
    <Section title="Secrets">
      <Text size="sm" c="dimmed">
        Templates name them as {'{{ secret.api_token }}'}. Their values are stored encrypted and never shown; the
        operator sets them.
      </Text>
      <Loaded query={query} what="Loading the secrets">
        {({ data }) => <SecretsTable secrets={data} />}
      </Loaded>
    </Section>
  );
}

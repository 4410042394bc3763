// The format of a partner's webhook: the form with its difference and dry run, trying it out, secrets, and the latest responses.
import { Stack } from '@mantine/core';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { ShownPartner } from '../../../src/console/partners.schema.ts';
import { Section } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { FormatPreview, FormatTest } from '../../ui/webhook-format/format-trial.tsx';
import { NamedSecrets } from '../../ui/webhook-format/named-secrets.tsx';
import { FormatEditor } from '../../ui/webhook-format/format-editor.tsx';
import type { WebhookFormat } from '../../ui/webhook-format/format-form.ts';
import { LatestResponses } from '../../ui/webhook-format/latest-responses.tsx';
import type { LeadResponses, WebhookPreview } from '../../../src/scopes/webhook-trial.schema.ts';
import { Allowed, useMay } from '../allowed.tsx';
import { request } from '../console-api.ts';
import { useDraft } from '../configuration/draft.ts';
import { EditFrame } from '../configuration/edit-frame.tsx';
import type { TriedChange } from '../simulations/simulation-queries.tsx';

type FormatForm = { readonly webhook: WebhookFormat | null };

export function WebhookTab({
  response: { partner, version },
  tried,
}: {
  readonly response: ShownPartner;
  readonly tried: TriedChange | null;
}): ReactNode {
  const may = useMay('configure');
  const mayReadPersons = useMay('persons');
  const queries = useQueryClient();
  const responses = useResponses(partner.key);
  const latest = responses.data?.data ?? [];
  const overlay = tried?.fragment?.partners?.[0] as Partial<FormatForm> | undefined;
  const draft = useDraft<FormatForm>(
    { webhook: partner.webhook },
    version,
    overlay?.webhook === undefined ? {} : { webhook: overlay.webhook },
  );
  const { webhook } = draft.values;
  return (
    <Stack gap="lg">
      <EditFrame
        draft={draft}
        input={{ fragment: { partners: [{ key: partner.key, webhook }] } }}
        root="partners[0]"
        label="Format of the webhook"
      >
        {(faults) => (
          <Section title="Format">
            <FormatEditor
              key={draft.generation}
              format={webhook}
              onChange={(next) => draft.set('webhook', next)}
              faultOf={(path) => faults.of(`webhook.${path}`)}
              isReadOnly={!may}
              // Rules that were moved or removed in the form have other numbers.
              responses={draft.isDirty ? [] : latest}
            />
          </Section>
        )}
      </EditFrame>
      {webhook !== null && (
        <FormatPreview
          format={webhook}
          preview={(format) => previewOf(partner.key, format)}
          {...(mayReadPersons
            ? { previewDelivery: (format, deliveryId) => previewOfDelivery(partner.key, format, deliveryId) }
            : {})}
        />
      )}
      <Allowed to="configure">
        <FormatTest
          isDirty={draft.isDirty}
          test={async () => {
            const tested = await request('POST /console/api/partners/:ownerKey/webhook/test', {
              params: { ownerKey: partner.key },
              body: { target: 'webhook' },
            });
            await queries.invalidateQueries({ queryKey: responsesKey(partner.key) });
            return tested;
          }}
        />
      </Allowed>
      {partner.webhook !== null && (
        <Loaded query={responses} what="Loading the latest responses">
          {({ data }) => <LatestResponses responses={data} />}
        </Loaded>
      )}
      <Secrets partnerKey={partner.key} />
    </Stack>
  );
}

function previewOf(ownerKey: string, webhook: WebhookFormat): Promise<WebhookPreview> {
  return request('POST /console/api/partners/:ownerKey/webhook/preview', { params: { ownerKey }, body: { webhook } });
}

function previewOfDelivery(ownerKey: string, webhook: WebhookFormat, deliveryId: string): Promise<WebhookPreview> {
  return request('POST /console/api/partners/:ownerKey/webhook/preview-delivery', {
    params: { ownerKey },
    body: { webhook, deliveryId },
  });
}

const responsesKey = (ownerKey: string) => ['deliveries', 'webhook-responses', ownerKey] as const;

function useResponses(ownerKey: string): UseQueryResult<LeadResponses> {
  return useQuery({
    queryKey: responsesKey(ownerKey),
    queryFn: ({ signal }) =>
      request('GET /console/api/partners/:ownerKey/webhook/responses', { params: { ownerKey }, signal }),
  });
}

function Secrets({ partnerKey: ownerKey }: { readonly partnerKey: string }): ReactNode {
  const queries = useQueryClient();
  const may = useMay('credentials');
  const queryKey = ['configuration', 'secrets', ownerKey];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => request('GET /console/api/partners/:ownerKey/secrets', { params: { ownerKey }, signal }),
  });
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey });
  return (
    <Loaded query={query} what="Loading the secrets">
      {({ data }) => (
        <NamedSecrets
          secrets={data}
          isReadOnly={!may}
          onSet={async (body) => {
            await request('POST /console/api/partners/:ownerKey/secrets', { params: { ownerKey }, body });
            await refresh();
          }}
          onRemove={async (name) => {
            await request('POST /console/api/partners/:ownerKey/secrets/:name/remove', { params: { ownerKey, name } });
            await refresh();
          }}
        />
      )}
    </Loaded>
  );
}

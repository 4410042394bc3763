// The page for the format of the partner's own webhook: shown and tried out by all, changed where the operator allows it.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import type { Account } from '../../../../sdk/typescript/client.ts';
import type { ShownWebhookFormat } from '../../../../src/portal/buyer/webhook-format.schema.ts';
import type { WebhookResponses } from '../../../../src/scopes/webhook-trial.schema.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { Section } from '../../../ui/facts.tsx';
import { PageLink } from '../../../ui/link.tsx';
import { notify } from '../../../ui/notify.tsx';
import { Page } from '../../../ui/page.tsx';
import { RequestError } from '../../../ui/request.ts';
import { Failure, Loaded } from '../../../ui/states.tsx';
import { FormatDifference } from '../../../ui/webhook-format/format-difference.tsx';
import { FormatEditor } from '../../../ui/webhook-format/format-editor.tsx';
import type { WebhookFormat } from '../../../ui/webhook-format/format-form.ts';
import { LatestResponses } from '../../../ui/webhook-format/latest-responses.tsx';
import { request } from '../../portal-api.ts';
import { useAccount } from './account.ts';
import { FormatTrial, OwnSecrets } from './format-trial.tsx';

const FORMAT_KEY = ['account', 'webhook-format'];

export function WebhookFormatPage(): ReactNode {
  const account = useAccount();
  const query = useQuery({
    queryKey: FORMAT_KEY,
    queryFn: ({ signal }) => request('GET /portal/api/buyer/webhook-format', { signal }),
  });
  return (
    <Page title="Webhook format" description={<PageLink to="/settings">Settings</PageLink>}>
      <Loaded query={account} what="Loading your account">
        {(current) => (
          <Loaded query={query} what="Loading the format">
            {(shown) => <Format shown={shown} account={current.account} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

const RESPONSES_KEY = ['deliveries', 'webhook-responses'];

function useResponses(): UseQueryResult<WebhookResponses> {
  return useQuery({
    queryKey: RESPONSES_KEY,
    queryFn: ({ signal }) => request('GET /portal/api/buyer/webhook-format/responses', { signal }),
  });
}

function Format({ shown, account }: { readonly shown: ShownWebhookFormat; readonly account: Account }): ReactNode {
  const queries = useQueryClient();
  const responses = useResponses();
  const [draft, setDraft] = useState({ format: formatOf(shown), isDirty: false });
  const isCustom = formatOf(shown) !== null;
  return (
    <Stack gap="lg">
      <Editor shown={shown} responses={responses.data?.data ?? []} onDraft={setDraft} />
      {(isCustom || draft.format !== null) && (
        <FormatTrial
          format={draft.format}
          isDirty={draft.isDirty}
          isEditable={shown.isEditable}
          account={account}
          onTested={() => void queries.invalidateQueries({ queryKey: RESPONSES_KEY })}
        />
      )}
      {isCustom && (
        <Loaded query={responses} what="Loading the latest responses">
          {({ data }) => <LatestResponses responses={data} />}
        </Loaded>
      )}
      <OwnSecrets />
    </Stack>
  );
}

type Draft = { readonly format: WebhookFormat | null; readonly isDirty: boolean };

function Editor({
  shown,
  responses,
  onDraft,
}: {
  readonly shown: ShownWebhookFormat;
  readonly responses: WebhookResponses['data'];
  readonly onDraft: (draft: Draft) => void;
}): ReactNode {
  const queries = useQueryClient();
  const [base, setBase] = useState(shown);
  const [format, setFormat] = useState(formatOf(shown));
  const [generation, setGeneration] = useState(0);
  const [isReviewed, setReviewed] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const form = useRef<HTMLFormElement>(null);
  const isDirty = JSON.stringify(format) !== JSON.stringify(base.format);
  const reset = (to: ShownWebhookFormat): void => {
    setBase(to);
    setFormat(formatOf(to));
    setGeneration((before) => before + 1);
    setError(null);
  };
  // A change from elsewhere replaces the form unless it was edited.
  if (!isDirty && shown.version !== base.version) reset(shown);
  useEffect(() => onDraft({ format, isDirty }), [format, isDirty, onDraft]);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-faults]')?.focus();
  }, [error]);
  const faults = error instanceof RequestError ? error.faults : [];
  const faultOf = (path: string): string | undefined => {
    const found = faults.filter(
      ({ field }) => field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`),
    );
    return found.length === 0 ? undefined : found.map(({ message }) => message).join('. ');
  };
  const save = async (): Promise<void> => {
    setError(null);
    try {
      const body = { format: format as ShownWebhookFormat['format'], version: base.version };
      const saved = await request('PUT /portal/api/buyer/webhook-format', { body });
      queries.setQueryData(FORMAT_KEY, saved);
      reset(saved);
      notify('The format is saved. The next leads are sent in it.');
    } catch (failure) {
      // Shown at the form's fields, behind the dialog.
      setError(failure);
    }
  };
  return (
    <>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          setReviewed(true);
        }}
        aria-label="Format of the webhook"
        noValidate
      >
        <Stack gap="lg">
          <Section title="Format">
            {!shown.isEditable && (
              <Text size="sm" c="dimmed">
                Only the operator can change this.
              </Text>
            )}
            <FormatEditor
              key={generation}
              format={format}
              onChange={setFormat}
              faultOf={faultOf}
              isReadOnly={!shown.isEditable}
              // Rules that were moved or removed in the form have other numbers.
              responses={isDirty ? [] : responses}
            />
          </Section>
          {error !== null && <Failure error={error} title="Nothing was saved" />}
          {faults.length > 0 && (
            <Text size="sm" c="var(--lm-bad)">
              {faults.map(({ field, message }) => `${field} ${message}`).join('; ')}
            </Text>
          )}
          {shown.isEditable && (
            <Group>
              <Button type="submit" disabled={!isDirty}>
                Review change
              </Button>
              <Button variant="default" disabled={!isDirty} onClick={() => reset(shown)}>
                Discard changes
              </Button>
              <Text size="sm" c="dimmed" role="status">
                {isDirty ? 'Not saved yet' : ''}
              </Text>
            </Group>
          )}
        </Stack>
      </form>
      <Confirm
        isOpen={isReviewed}
        title="Change the format?"
        action="Save"
        onClose={() => setReviewed(false)}
        onConfirm={save}
      >
        <FormatDifference before={formatOf(base)} after={format} />
        <Text size="sm">The next leads are sent in the new format. Preview and test it first.</Text>
      </Confirm>
    </>
  );
}

/** The service has checked it against the schema of the marketplace file. */
function formatOf({ format }: ShownWebhookFormat): WebhookFormat | null {
  return format as unknown as WebhookFormat | null;
}

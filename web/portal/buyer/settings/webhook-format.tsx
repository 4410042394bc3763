// The page for the format of the partner's own webhook: shown to all, changed where the operator allows it.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import type { ShownWebhookFormat } from '../../../../src/portal/buyer/webhook-format.schema.ts';
import { Section } from '../../../ui/facts.tsx';
import { PageLink } from '../../../ui/link.tsx';
import { notify } from '../../../ui/notify.tsx';
import { Page } from '../../../ui/page.tsx';
import { RequestError } from '../../../ui/request.ts';
import { Failure, Loaded } from '../../../ui/states.tsx';
import { FormatEditor } from '../../../ui/webhook-format/format-editor.tsx';
import type { WebhookFormat } from '../../../ui/webhook-format/format-form.ts';
import { request } from '../../portal-api.ts';

const FORMAT_KEY = ['account', 'webhook-format'];

export function WebhookFormatPage(): ReactNode {
  const query = useQuery({
    queryKey: FORMAT_KEY,
    queryFn: ({ signal }) => request('GET /portal/api/buyer/webhook-format', { signal }),
  });
  return (
    <Page title="Webhook format" description={<PageLink to="/settings">Settings</PageLink>}>
      <Loaded query={query} what="Loading the format">
        {(shown) => <Editor shown={shown} />}
      </Loaded>
    </Page>
  );
}

function Editor({ shown }: { readonly shown: ShownWebhookFormat }): ReactNode {
  const queries = useQueryClient();
  const [base, setBase] = useState(shown);
  const [format, setFormat] = useState(formatOf(shown));
  const [generation, setGeneration] = useState(0);
  const [isBusy, setBusy] = useState(false);
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
    setBusy(true);
    setError(null);
    try {
      const body = { format: format as ShownWebhookFormat['format'], version: base.version };
      const saved = await request('PUT /portal/api/buyer/webhook-format', { body });
      queries.setQueryData(FORMAT_KEY, saved);
      reset(saved);
      notify('The format is saved. The next leads are sent in it.');
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
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
            <Button type="submit" loading={isBusy} disabled={!isDirty}>
              Save
            </Button>
            <Button variant="default" disabled={!isDirty || isBusy} onClick={() => reset(shown)}>
              Discard changes
            </Button>
            <Text size="sm" c="dimmed" role="status">
              {isDirty ? 'Not saved yet' : ''}
            </Text>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** The service has checked it against the schema of the marketplace file. */
function formatOf({ format }: ShownWebhookFormat): WebhookFormat | null {
  return format as unknown as WebhookFormat | null;
}

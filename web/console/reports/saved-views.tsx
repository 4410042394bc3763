// Saved views of reports: links to the questions that operators keep under a name, and dialogs to save, rename and delete them.
import { Button, Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import type { ReportView } from '../../../src/console/report-views.schema.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { parseSearch } from '../../ui/filters.ts';
import { PageLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/states.tsx';
import { request } from '../console-api.ts';

const KEY = ['report-views'];
const NAME_MAX = 80;

type Dialog = { readonly kind: 'save' } | { readonly kind: 'rename' | 'delete'; readonly view: ReportView };

export function SavedViews(): ReactNode {
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => request('GET /console/api/report-views', { signal }),
  });
  const [dialog, setDialog] = useState<Dialog | null>(null);
  return (
    <Section
      title="Saved views"
      actions={
        <Button size="xs" variant="default" onClick={() => setDialog({ kind: 'save' })}>
          Save this view
        </Button>
      }
    >
      <Loaded query={query} what="Loading the saved views">
        {({ data }) => (
          <DataTable
            caption="Saved views"
            columns={columns(setDialog)}
            rows={data}
            rowKey={({ id }) => id}
            empty={
              <Text size="sm" c="dimmed">
                No saved views yet. Ask a question below, then save it here.
              </Text>
            }
          />
        )}
      </Loaded>
      {dialog !== null && dialog.kind !== 'delete' && <NameDialog dialog={dialog} onClose={() => setDialog(null)} />}
      {dialog?.kind === 'delete' && <DeleteDialog view={dialog.view} onClose={() => setDialog(null)} />}
    </Section>
  );
}

const columns = (open: (dialog: Dialog) => void): ReadonlyArray<Column<ReportView>> => [
  {
    key: 'name',
    title: 'Name',
    cell: ({ name, question }) => (
      <PageLink to="/reports" search={parseSearch(question)}>
        {name}
      </PageLink>
    ),
  },
  { key: 'for', title: 'For', cell: ({ isShared, author }) => (isShared ? `All operators, by ${author}` : 'You') },
  {
    key: 'change',
    title: 'Change',
    cell: (view) =>
      view.mayChange && (
        <Group gap="xs" wrap="nowrap">
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Rename ${view.name}`}
            onClick={() => open({ kind: 'rename', view })}
          >
            Rename
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Delete ${view.name}`}
            onClick={() => open({ kind: 'delete', view })}
          >
            Delete
          </Button>
        </Group>
      ),
  },
];

function NameDialog({
  dialog,
  onClose,
}: {
  readonly dialog: Exclude<Dialog, { readonly kind: 'delete' }>;
  readonly onClose: () => void;
}): ReactNode {
  const queries = useQueryClient();
  const question = useRouterState({ select: ({ location }) => location.searchStr.replace(/^\?/, '') });
  const [name, setName] = useState(dialog.kind === 'rename' ? dialog.view.name : '');
  const [isShared, setShared] = useState(false);
  const save = async (): Promise<void> => {
    await (dialog.kind === 'save'
      ? request('POST /console/api/report-views', { body: { name: name.trim(), question, isShared } })
      : request('PUT /console/api/report-views/:viewId', {
          params: { viewId: dialog.view.id },
          body: { name: name.trim() },
        }));
    await queries.invalidateQueries({ queryKey: KEY });
  };
  return (
    <Confirm
      isOpen
      title={dialog.kind === 'save' ? 'Save this view' : 'Rename the view'}
      action={dialog.kind === 'save' ? 'Save view' : 'Rename view'}
      isReady={name.trim() !== ''}
      onConfirm={save}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={NAME_MAX}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      {dialog.kind === 'save' && (
        <Checkbox
          label="For all operators"
          description="They see your name with it"
          checked={isShared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
      )}
    </Confirm>
  );
}

function DeleteDialog({
  view: { id, name, isShared },
  onClose,
}: {
  readonly view: ReportView;
  readonly onClose: () => void;
}): ReactNode {
  const queries = useQueryClient();
  const remove = async (): Promise<void> => {
    await request('DELETE /console/api/report-views/:viewId', { params: { viewId: id } });
    await queries.invalidateQueries({ queryKey: KEY });
  };
  return (
    <Confirm isOpen title="Delete the view" action="Delete view" isDangerous onConfirm={remove} onClose={onClose}>
      <Text size="sm">
        {isShared ? `${name} is deleted for all operators.` : `${name} is deleted.`} Links to the same report still
        work.
      </Text>
    </Confirm>
  );
}

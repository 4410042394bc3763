// The dialogs of a list's saved views: save, rename, delete.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { ListView, NewListView } from '../../src/list-views/list-views.schema.ts';
import { Confirm } from './confirm.tsx';
import type { ListViewsApi } from './list-views-api.ts';
import { notify } from './notify.tsx';

const NAME_MAX = 80;

type Change = { readonly kind: 'rename' | 'delete'; readonly view: ListView };

export function ViewDialogs({
  dialog,
  views,
  shown,
  leavesOutSearch,
  api,
  onClose,
}: {
  readonly dialog: 'save' | 'manage';
  /** Those of the list. */
  readonly views: readonly ListView[];
  /** What a new view is made of. */
  readonly shown: Pick<NewListView, 'list' | 'query' | 'hiddenColumns'>;
  readonly leavesOutSearch: boolean;
  readonly api: ListViewsApi;
  readonly onClose: () => void;
}): ReactNode {
  const [change, setChange] = useState<Change | null>(null);
  if (dialog === 'save') {
    return <SaveView views={views} shown={shown} leavesOutSearch={leavesOutSearch} api={api} onClose={onClose} />;
  }
  const back = (): void => setChange(null);
  if (change?.kind === 'rename') return <RenameView view={change.view} api={api} onClose={back} />;
  if (change?.kind === 'delete') return <DeleteView view={change.view} api={api} onClose={back} />;
  return (
    <Modal opened onClose={onClose} title="Saved views of this list" centered>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {views.map((view) => (
          <Group key={view.id} component="li" justify="space-between" wrap="nowrap" gap="xs">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {view.name}
            </Text>
            <Group gap="xs" wrap="nowrap">
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Rename ${view.name}`}
                onClick={() => setChange({ kind: 'rename', view })}
              >
                Rename
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Delete ${view.name}`}
                onClick={() => setChange({ kind: 'delete', view })}
              >
                Delete
              </Button>
            </Group>
          </Group>
        ))}
      </Stack>
      {views.length === 0 && <Text size="sm">There are no saved views of this list.</Text>}
    </Modal>
  );
}

function SaveView({
  views,
  shown,
  leavesOutSearch,
  api,
  onClose,
}: {
  readonly views: readonly ListView[];
  readonly shown: Pick<NewListView, 'list' | 'query' | 'hiddenColumns'>;
  readonly leavesOutSearch: boolean;
  readonly api: ListViewsApi;
  readonly onClose: () => void;
}): ReactNode {
  const [text, setText] = useState('');
  const name = text.trim();
  const replaces = views.some((view) => view.name === name);
  const save = async (): Promise<void> => {
    await api.save({ ...shown, name, replaces });
    notify(`Saved the view ${name}.`);
  };
  return (
    <Confirm
      isOpen
      title="Save view"
      action={replaces ? 'Replace view' : 'Save view'}
      isReady={name !== ''}
      onConfirm={save}
      onClose={onClose}
    >
      <Text size="sm">
        Keeps the filters, the order and the columns of this list under a name. Only your account sees it.
        {leavesOutSearch && ' The search is left out, because it may be about a person.'}
      </Text>
      <NameField value={text} onChange={setText} />
      {replaces && (
        <Text size="sm" role="status">
          You have a view with this name. It is replaced.
        </Text>
      )}
    </Confirm>
  );
}

function RenameView({ view, api, onClose }: Pick<Change, 'view'> & Dialog): ReactNode {
  const [text, setText] = useState(view.name);
  const name = text.trim();
  return (
    <Confirm
      isOpen
      title="Rename view"
      action="Rename view"
      isReady={name !== ''}
      onConfirm={() => api.rename(view, name)}
      onClose={onClose}
    >
      <NameField value={text} onChange={setText} />
    </Confirm>
  );
}

type Dialog = { readonly api: ListViewsApi; readonly onClose: () => void };

function DeleteView({ view, api, onClose }: Pick<Change, 'view'> & Dialog): ReactNode {
  return (
    <Confirm
      isOpen
      title="Delete view"
      action="Delete view"
      isDangerous
      onConfirm={() => api.remove(view)}
      onClose={onClose}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {view.name} is deleted. The list itself stays as it is.
      </Text>
    </Confirm>
  );
}

function NameField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (name: string) => void;
}): ReactNode {
  return (
    <TextInput
      label="Name"
      value={value}
      maxLength={NAME_MAX}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
    />
  );
}

// The menu of a list's saved views: open one, save what is shown, rename and delete.
import { Button, Menu, Text } from '@mantine/core';
import { BookmarkIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { Filters, ValuesOf } from './filters.ts';
import { lazyPart } from './lazy-part.tsx';
import { useColumnChoice } from './list-columns.ts';
import { hasPrivate, useListViewsApi, viewQuery, viewValues } from './list-views-api.ts';

const ViewDialogs = lazyPart(async () => (await import('./view-dialogs.tsx')).ViewDialogs, 'Loading');

export function ViewsMenu<Of extends Filters>({
  list,
  filters,
  values,
  onOpen,
}: {
  readonly list: string;
  readonly filters: Of;
  readonly values: Readonly<Record<string, unknown>>;
  readonly onOpen: (values: Partial<ValuesOf<Of>>) => void;
}): ReactNode {
  const { api, views } = useListViewsApi();
  const [isOpen, setOpen] = useState(false);
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const query = useQuery({ ...views, enabled: isOpen || dialog !== null });
  const columns = useColumnChoice(list);
  const saved = query.data?.data.filter((view) => view.list === list) ?? [];
  return (
    <>
      {/* Inside of the page's landmark, and with nothing but items in it. */}
      <Menu
        position="bottom-end"
        opened={isOpen}
        onChange={setOpen}
        withinPortal={false}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <Button
            size="compact-sm"
            px={5}
            variant="default"
            style={{ flexShrink: 0 }}
            leftSection={<BookmarkIcon aria-hidden="true" />}
          >
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown maw={320} mah="60vh" style={{ overflowY: 'auto' }}>
          {query.isError && query.data === undefined && <Menu.Label>The views could not be loaded</Menu.Label>}
          {query.data !== undefined && saved.length === 0 && <Menu.Label>No saved views of this list yet</Menu.Label>}
          {saved.map((view) => (
            <Menu.Item
              key={view.id}
              onClick={() => {
                columns.setHidden(view.hiddenColumns);
                onOpen(viewValues(filters, view.query));
              }}
            >
              <Text span inherit style={{ overflowWrap: 'anywhere' }}>
                {view.name}
              </Text>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => setDialog('save')}>Save view …</Menu.Item>
          {saved.length > 0 && <Menu.Item onClick={() => setDialog('manage')}>Manage views …</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {dialog !== null && (
        <ViewDialogs
          dialog={dialog}
          views={saved}
          shown={{ list, query: viewQuery(filters, values), hiddenColumns: [...columns.hidden] }}
          leavesOutSearch={hasPrivate(filters, values)}
          api={api}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

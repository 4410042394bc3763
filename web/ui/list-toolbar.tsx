// The line above a list: new rows that wait, the actions on selected rows, the saved views, the choice of columns, and the CSV file.
import { Box, Button, Group, Menu, Text } from '@mantine/core';
import { ArrowUpIcon, DownloadIcon, MixerHorizontalIcon } from '@radix-ui/react-icons';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { formatNumber } from './formats.ts';
import type { ColumnChoice } from './list-columns.ts';
import type { FileOf, ShownInFile } from './list-file.ts';
import { notify, notifyFailure } from './notify.tsx';
import { saveFile } from './save-file.ts';
import { useOfferViewsSlot } from './views-slot.ts';

export function ListToolbar({
  list,
  isEmpty,
  waiting,
  onShow,
  selected,
  onClear,
  actions,
  children,
}: {
  /** The name of the list, for its saved views. */
  readonly list: string;
  /** Without rows there is no room for the line unless the list has saved views. */
  readonly isEmpty: boolean;
  /** New rows that are not shown. */
  readonly waiting: number;
  readonly onShow: () => void;
  readonly selected: number;
  readonly onClear: () => void;
  /** On the selected rows. */
  readonly actions: ReactNode;
  /** On the list. */
  readonly children: ReactNode;
}): ReactNode {
  const slot = useOfferViewsSlot(list);
  return (
    <>
      {waiting > 0 && <NewRows waiting={waiting} onShow={onShow} />}
      <Group gap="xs" mih={isEmpty ? 0 : 30} mb={isEmpty ? 0 : 'xs'}>
        {selected > 0 && (
          <Group gap="xs" role="group" aria-label="Selected rows">
            <Text size="sm" fw={600} role="status">
              {formatNumber(selected)} selected
            </Text>
            {actions}
            <Button size="compact-sm" variant="subtle" color="gray" c="inherit" onClick={onClear}>
              Clear selection
            </Button>
          </Group>
        )}
        {/* As narrow as this to stand in one row on a phone. */}
        <Group gap={4} ml="auto">
          <Box ref={slot} display="contents" />
          {children}
        </Group>
      </Group>
    </>
  );
}

/** Stays below the header of the page while the list is scrolled. */
function NewRows({ waiting, onShow }: { readonly waiting: number; readonly onShow: () => void }): ReactNode {
  return (
    <Box pos="sticky" top={HEADER_PX} mb="xs" style={{ zIndex: 2 }}>
      <Button
        size="compact-sm"
        radius="xl"
        title="Shows the new rows"
        leftSection={<ArrowUpIcon aria-hidden="true" />}
        onClick={() => {
          onShow();
          scrollTo({ top: 0 });
        }}
      >
        {formatNumber(waiting)} new
      </Button>
    </Box>
  );
}

/** Of the header, and a little air. */
const HEADER_PX = 64;

export function ColumnsMenu({
  columns,
  choice,
}: {
  /** Those that can be hidden. */
  readonly columns: ReadonlyArray<{ readonly key: string; readonly title: ReactNode }>;
  readonly choice: ColumnChoice;
}): ReactNode {
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button size="compact-sm" px={5} variant="default" leftSection={<MixerHorizontalIcon aria-hidden="true" />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(({ key, title }) => (
          <Menu.CheckboxItem
            key={key}
            checked={!choice.isHidden(key)}
            onChange={(isShown) => choice.show(key, isShown)}
          >
            {title}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function FileButton({ fileOf, shown }: { readonly fileOf: FileOf; readonly shown: ShownInFile }): ReactNode {
  const { mutate, isPending } = useMutation({
    mutationFn: async (isForExcel: boolean) => saveFile(await fileOf({ ...shown, isForExcel })),
    onSuccess: (name) => notify(`Saved ${name}.`),
    onError: notifyFailure,
  });
  const { ids } = shown;
  const start = (isForExcel: boolean): void => {
    // Not disabled during the export: a disabled button loses the focus.
    if (!isPending) mutate(isForExcel);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="compact-sm"
          px={5}
          variant="default"
          leftSection={<DownloadIcon aria-hidden="true" />}
          title={
            ids === null
              ? 'Exports all rows of this list with its filters, search and columns'
              : 'Exports the selected rows with the columns shown'
          }
          aria-busy={isPending}
        >
          {isPending ? 'Exporting …' : ids === null ? 'Export CSV' : 'Export selected'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => start(false)}>CSV</Menu.Item>
        <Menu.Item onClick={() => start(true)}>CSV for Excel</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

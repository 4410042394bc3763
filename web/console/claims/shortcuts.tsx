// The single-key shortcuts of the review of a claim, and the dialog that lists them.
import { Kbd, Modal, Stack, Switch, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { useKeys } from '../../ui/shortcuts.ts';

export type Shortcut = { readonly key: string; readonly what: string; readonly act: () => void };

export function useShortcuts(shortcuts: readonly Shortcut[], isOn: boolean): void {
  useKeys((pressed, { isRepeated }) => {
    const found = isRepeated ? undefined : shortcuts.find(({ key }) => key === pressed);
    found?.act();
    return found !== undefined;
  }, isOn);
}

/** Shown beside a button's label; `aria-keyshortcuts` announces it to assistive technology. */
export function KeyHint({ children, isOn }: { readonly children: string; readonly isOn: boolean }): ReactNode {
  if (!isOn) return null;
  return (
    <Kbd size="xs" aria-hidden="true">
      {children.toUpperCase()}
    </Kbd>
  );
}

export function ShortcutHelp({
  shortcuts,
  isOpen,
  onClose,
  isOn,
  onSwitch,
}: {
  readonly shortcuts: readonly Shortcut[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
}): ReactNode {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Shortcuts" centered>
      <Stack>
        <Table aria-label="Shortcuts of this page">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Key</Table.Th>
              <Table.Th scope="col">Action</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shortcuts.map(({ key, what }) => (
              <Table.Tr key={key}>
                <Table.Th scope="row">
                  <Kbd>{key.toUpperCase()}</Kbd>
                </Table.Th>
                <Table.Td>{what}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm" c="dimmed">
          Shortcuts are inactive while you type or a dialog is open. In a dialog, Enter confirms and Escape cancels.
        </Text>
        <Switch
          checked={isOn}
          onChange={(event) => onSwitch(event.currentTarget.checked)}
          label="Enable shortcuts in this browser"
        />
      </Stack>
    </Modal>
  );
}

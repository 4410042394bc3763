// Single-key shortcuts of a page: inactive during typing and in dialogs, and can be turned off (WCAG 2.1.4).
import { Kbd, Modal, Stack, Switch, Table, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';

export type Shortcut = { readonly key: string; readonly what: string; readonly act: () => void };

/** Whether shortcuts are on, stored per browser. */
export function useShortcutSetting(): readonly [isOn: boolean, set: (isOn: boolean) => void] {
  const [setting, set] = useLocalStorage<'on' | 'off'>({
    key: 'lm-shortcuts',
    defaultValue: 'on',
    serialize: (value) => value,
    deserialize: (value) => (value === 'off' ? 'off' : 'on'),
    getInitialValueInEffect: false,
  });
  return [setting === 'on', (isOn) => set(isOn ? 'on' : 'off')];
}

export function useShortcuts(shortcuts: readonly Shortcut[], isOn: boolean): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (isTyping(event.target) || isAsked()) return;
      const found = latest.current.find(({ key }) => key === event.key.toLowerCase());
      if (found === undefined) return;
      // Otherwise the key would be typed into the field that gets the focus.
      event.preventDefault();
      found.act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.closest('input, textarea, select, [role="combobox"], [role="textbox"]') !== null
  );
}

/** A dialog or open menu gets the keys. */
function isAsked(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null;
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

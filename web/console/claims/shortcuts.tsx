// Single keys that act on the page: never while somebody types or a dialog asks, and off for whoever wants them off (WCAG 2.1.4).
import { Kbd, Modal, Stack, Switch, Table, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';

export type Shortcut = { readonly key: string; readonly what: string; readonly act: () => void };

/** Whether keys act, for this browser. */
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
      // Or the key would be typed into the field that it leads to.
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

/** A dialog or an open menu has the keys. */
function isAsked(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null;
}

/** Shown beside the words of a button; `aria-keyshortcuts` tells it to assistive techniques. */
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
    <Modal opened={isOpen} onClose={onClose} title="Keys on this page" centered>
      <Stack>
        <Table aria-label="Keys on this page">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Key</Table.Th>
              <Table.Th scope="col">What it does</Table.Th>
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
          Keys do nothing while you type in a field or a dialog is open. In a dialog, Enter confirms and Escape cancels.
        </Text>
        <Switch
          checked={isOn}
          onChange={(event) => onSwitch(event.currentTarget.checked)}
          label="Use these keys in this browser"
        />
      </Stack>
    </Modal>
  );
}

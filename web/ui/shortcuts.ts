// Single-key shortcuts: inactive during typing and in dialogs, and can be turned off (WCAG 2.1.4).
import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useEffectEvent } from 'react';

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

/** `act` gets each key in lower case, and returns whether it did something; then the browser does nothing. */
export function useKeys(act: (key: string, press: { readonly isRepeated: boolean }) => boolean, isOn: boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || isAsked()) return;
    // Otherwise the key would be typed into the field that gets the focus.
    if (act(event.key.toLowerCase(), { isRepeated: event.repeat })) event.preventDefault();
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const listen = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOn]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest('input:not([type="checkbox"]), textarea, select, [role="combobox"], [role="textbox"]') !== null
  );
}

/** A dialog or open menu gets the keys. */
function isAsked(): boolean {
  // The list of a closed select stays in the document.
  return [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]')].some(
    (element) => element.checkVisibility(),
  );
}

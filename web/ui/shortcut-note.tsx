// Says below a search field that / goes to it, and turns the keys of lists off: speech input triggers single keys by accident (WCAG 2.1.4).
import { Kbd, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';

import { useShortcutSetting } from './shortcuts.ts';

export function ShortcutNote(): ReactNode {
  const [isOn, turn] = useShortcutSetting();
  return (
    <span data-keys>
      {isOn ? (
        <>
          Press <Kbd size="xs">/</Kbd> to search, <Kbd size="xs">J</Kbd> and <Kbd size="xs">K</Kbd> to move.
        </>
      ) : (
        'Keyboard shortcuts are off.'
      )}{' '}
      <UnstyledButton fz="inherit" td="underline" c="inherit" onClick={() => turn(!isOn)}>
        {isOn ? 'Disable shortcuts' : 'Enable shortcuts'}
      </UnstyledButton>
    </span>
  );
}

// A notice with a colored edge; the text keeps the text color.
import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Tone } from '../../ui/status.tsx';

export function Notice({
  tone,
  title,
  role,
  children,
}: {
  readonly tone: Tone;
  readonly title: string;
  /** `alert` for a notice that appears while the user does something else. */
  readonly role?: 'alert';
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Paper withBorder p="sm" role={role} style={{ borderInlineStart: `4px solid var(--lm-${tone})` }}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm" fw={650}>
          {title}
        </Text>
        {children}
      </Stack>
    </Paper>
  );
}

// A notice on a page: its words in the colour of text, its tone at the edge.
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
  /** `alert` for what came up while the reader was busy with something else. */
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

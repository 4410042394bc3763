// One step of a set-up with its number, title and state.
import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import { Status } from '../../../ui/status.tsx';

const WORDS = {
  done: ['good', 'Done'],
  todo: ['warn', 'To do'],
  waiting: ['warn', 'Waiting for the operator'],
  wrong: ['bad', 'Not working'],
  later: ['idle', 'Not checked yet'],
  unseen: ['idle', 'Cannot be checked from here'],
} as const;

export type StepState = keyof typeof WORDS;

export function Step({
  number,
  title,
  state,
  children,
}: {
  readonly number: number;
  readonly title: string;
  readonly state: StepState;
  readonly children: ReactNode;
}): ReactNode {
  const [tone, word] = WORDS[state];
  return (
    <Paper component="li" withBorder p="md" style={{ minWidth: 0 }}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
            {number}. {title}
          </Title>
          <Text size="sm" component="span" role="status">
            <Status tone={tone}>{word}</Status>
          </Text>
        </Group>
        <Box>{children}</Box>
      </Stack>
    </Paper>
  );
}

// The frame of one page: its title in the window and as the heading, which gets the focus when the address changes.
import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

import { takeArrival } from './arrival.ts';

export function Page({
  title,
  description,
  actions,
  children,
}: {
  /** No personal data: it stays in the browser's history. */
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Lead marketplace`;
  }, [title]);
  useEffect(() => {
    // Not at the first load, where the browser's own order is expected.
    if (takeArrival()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box maw="100%">
          <Title order={1} ref={heading} tabIndex={-1} style={{ outline: 'none', overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm" component="div">
              {description}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

// The frame of one page: window title, and heading, which gets the focus after a navigation.
import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

import { useBrand } from './brand.tsx';
import { consumeNavigation } from './routing.tsx';

export function Page({
  title,
  heading: text = title,
  description,
  actions,
  children,
}: {
  /** Must not contain personal data: the browser's history stores it. */
  readonly title: string;
  /** Shown instead of the title; may contain personal data. */
  readonly heading?: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const { name } = useBrand();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = name === '' ? title : `${title} · ${name}`;
  }, [title, name]);
  useEffect(() => {
    // Not after the first load, where the browser's own focus order is expected.
    if (consumeNavigation()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box maw="100%" flex="1 1 280px">
          <Title order={1} ref={heading} tabIndex={-1} style={{ outline: 'none', overflowWrap: 'anywhere' }}>
            {text}
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

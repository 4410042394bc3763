// The outage banner on every page.
import { Button, Group, Paper, Text } from '@mantine/core';
import { ExclamationTriangleIcon } from '@radix-ui/react-icons';
import { type ReactNode, useState } from 'react';

import { probe, useConnection } from './connection.ts';
import { Time } from './zone.tsx';

export function Outage(): ReactNode {
  const { isReachable, answeredAt } = useConnection();
  const [isProbing, setProbing] = useState(false);
  if (isReachable) return null;
  const retry = async (): Promise<void> => {
    setProbing(true);
    await probe();
    setProbing(false);
  };
  return (
    <Paper
      withBorder
      p="sm"
      mb="md"
      role="alert"
      data-outage
      pos="sticky"
      top="calc(var(--app-shell-header-height, 0px) + 8px)"
      // Above the page, below the phone's menu.
      style={{ zIndex: 90, borderColor: 'var(--lm-bad)', borderWidth: 2 }}
    >
      <Group gap="sm" justify="space-between">
        <Group gap="sm" wrap="nowrap" align="flex-start" style={{ flex: '1 1 240px' }}>
          <ExclamationTriangleIcon aria-hidden="true" style={{ color: 'var(--lm-bad)', flex: 'none', marginTop: 3 }} />
          <Text size="sm">
            <strong>The service cannot be reached.</strong> This page shows the state of{' '}
            <Time at={answeredAt.toISOString()} kind="short" />. It reconnects automatically.
          </Text>
        </Group>
        <Button size="xs" variant="default" loading={isProbing} onClick={() => void retry()}>
          Retry now
        </Button>
      </Group>
    </Paper>
  );
}

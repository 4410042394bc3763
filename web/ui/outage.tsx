// The banner of an outage, on every page and every width: what is shown is what was last known.
import { Button, Group, Paper, Text } from '@mantine/core';
import { ExclamationTriangleIcon } from '@radix-ui/react-icons';
import { type ReactNode, useState } from 'react';

import { lookAgain, useConnection } from './connection.ts';
import { Time } from './zone.tsx';

export function Outage(): ReactNode {
  const { isReachable, answeredAt } = useConnection();
  const [isLooking, setLooking] = useState(false);
  if (isReachable) return null;
  const retry = async (): Promise<void> => {
    setLooking(true);
    await lookAgain();
    setLooking(false);
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
      // Over the page, under the menu of a phone.
      style={{ zIndex: 90, borderColor: 'var(--lm-bad)', borderWidth: 2 }}
    >
      <Group gap="sm" justify="space-between">
        <Group gap="sm" wrap="nowrap" align="flex-start" style={{ flex: '1 1 240px' }}>
          <ExclamationTriangleIcon aria-hidden="true" style={{ color: 'var(--lm-bad)', flex: 'none', marginTop: 3 }} />
          <Text size="sm">
            <strong>The service cannot be reached.</strong> This page shows the state last known at{' '}
            <Time at={answeredAt.toISOString()} kind="short" />. It reconnects by itself.
          </Text>
        </Group>
        <Button size="xs" variant="default" loading={isLooking} onClick={() => void retry()}>
          Retry now
        </Button>
      </Group>
    </Paper>
  );
}

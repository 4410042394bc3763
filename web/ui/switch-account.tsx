// A link that signs in one account, followed where another one is signed in: asks, instead of showing the wrong account without a word.
import { Button, Center, Container, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

import { Failure } from './states.tsx';

export function SwitchAccount({
  current,
  linked,
  isBusy,
  error,
  onSwitch,
  onStay,
}: {
  /** Who is signed in: `Summit Debt Relief`. */
  readonly current: string;
  /** What the link is for: `a supplier account`. */
  readonly linked: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onSwitch: () => void;
  readonly onStay: () => void;
}): ReactNode {
  useEffect(() => {
    document.title = 'Switch account?';
  }, []);
  return (
    <Center component="main" mih="100vh" p="md">
      <Container size={480} w="100%" p={0}>
        <Paper withBorder p="xl">
          <Stack>
            <Title order={1}>Switch account?</Title>
            <Text size="sm">
              This link signs in {linked}. In this browser {current} is signed in; switching signs {current} out.
            </Text>
            {error !== null && <Failure error={error} title="This link cannot sign you in" />}
            <Group>
              <Button onClick={onSwitch} loading={isBusy} autoFocus>
                Switch account
              </Button>
              <Button variant="default" onClick={onStay} disabled={isBusy}>
                Stay signed in as {current}
              </Button>
            </Group>
          </Stack>
        </Paper>
      </Container>
    </Center>
  );
}

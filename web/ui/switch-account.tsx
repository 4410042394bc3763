// Asks before a sign-in link replaces the account that is signed in.
import { Box, Button, Center, Container, Group, Stack, Text, Title } from '@mantine/core';
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
  /** The account that is signed in: `Summit Debt Relief`. */
  readonly current: string;
  /** The account of the link: `a supplier account`. */
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
        <Box className="lm-card" p="xl">
          <Stack>
            <Title order={1}>Switch account?</Title>
            <Text size="sm">
              This link signs in to {linked}. You are signed in as {current}; switching signs {current} out.
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
        </Box>
      </Container>
    </Center>
  );
}

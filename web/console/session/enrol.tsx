// The only page for an operator who must set up a second factor first.
import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import { useSignOut } from '../../ui/session.ts';
import { SecondFactor } from '../../ui/users/second-factor.tsx';

export function EnrolPage({ name }: { readonly name: string }): ReactNode {
  const signOut = useSignOut('console');
  return (
    <Box component="main" maw={560} mx="auto" p="md" pt="xl">
      <Stack gap="lg">
        <Title order={1} fz="1.4rem">
          Set up your second factor
        </Title>
        <Text size="sm">
          Every operator of this marketplace needs one-time codes, and {name} has none yet. Set them up to open the
          console.
        </Text>
        <SecondFactor area="console" />
        <Group>
          <Button variant="default" onClick={signOut}>
            Sign out
          </Button>
        </Group>
      </Stack>
    </Box>
  );
}

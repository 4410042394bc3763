// The frame of the pages before a session: sign-in, and the password of an invitation.
import { Box, Button, Center, Container, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useEffect } from 'react';

import { Mark, useBrand } from './brand.tsx';
import { Failure } from './states.tsx';

export function SignInFrame({
  title,
  intro,
  isBusy,
  error,
  action = 'Sign in',
  failure = 'Sign-in failed',
  onSubmit,
  children,
}: {
  readonly title: string;
  readonly intro: ReactNode;
  readonly isBusy: boolean;
  readonly error: unknown;
  /** The label of the button. */
  readonly action?: string;
  /** The title above `error`. */
  readonly failure?: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const { name } = useBrand();
  useEffect(() => {
    document.title = name === '' ? `Sign in · ${title}` : `Sign in · ${title} · ${name}`;
  }, [title, name]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Center component="main" mih="100vh" p="md">
      <Container size={440} w="100%" p={0}>
        <Box className="lm-card" p="xl">
          <form onSubmit={submit}>
            <Stack>
              <Group gap="sm" wrap="nowrap">
                <Mark />
                <Text fw={650} truncate>
                  {name}
                </Text>
              </Group>
              <Title order={1}>{title}</Title>
              <Text component="div" c="dimmed" size="sm">
                {intro}
              </Text>
              {children}
              {error !== null && <Failure error={error} title={failure} />}
              <Button type="submit" loading={isBusy}>
                {action}
              </Button>
            </Stack>
          </form>
        </Box>
      </Container>
    </Center>
  );
}

// The frame of the sign-in pages.
import { Button, Center, Container, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useEffect } from 'react';

import { Failure } from './states.tsx';

export function SignInFrame({
  title,
  intro,
  isBusy,
  error,
  onSubmit,
  children,
}: {
  readonly title: string;
  readonly intro: ReactNode;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}): ReactNode {
  useEffect(() => {
    document.title = `Sign in · ${title}`;
  }, [title]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Center component="main" mih="100vh" p="md">
      <Container size={440} w="100%" p={0}>
        <Paper withBorder p="xl">
          <form onSubmit={submit}>
            <Stack>
              <Title order={1}>{title}</Title>
              <Text component="div" c="dimmed" size="sm">
                {intro}
              </Text>
              {children}
              {error !== null && <Failure error={error} title="Sign-in failed" />}
              <Button type="submit" loading={isBusy}>
                Sign in
              </Button>
            </Stack>
          </form>
        </Paper>
      </Container>
    </Center>
  );
}

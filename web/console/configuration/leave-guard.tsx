// Warns before a page with changes that are not applied is left: by a link, the back button, or closing the window.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode, RefObject } from 'react';

type Route = { readonly pathname: string; readonly search: unknown };

function tabOf({ search }: Route): unknown {
  return (search as { readonly tab?: unknown }).tab;
}

/** `mayLeave` is set where the page itself moves on and nothing is lost. */
export function LeaveGuard({
  isDirty,
  mayLeave,
}: {
  readonly isDirty: boolean;
  readonly mayLeave: RefObject<boolean>;
}): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && !mayLeave.current && (current.pathname !== next.pathname || tabOf(current) !== tabOf(next)),
    enableBeforeUnload: () => isDirty && !mayLeave.current,
    withResolver: true,
  });
  const isBlocked = blocker.status === 'blocked';
  return (
    <Modal
      opened={isBlocked}
      onClose={() => {
        if (isBlocked) blocker.reset();
      }}
      title="Leave without applying?"
      centered
    >
      <Stack>
        <Text>What you changed here is not applied yet, and is lost when you leave.</Text>
        <Group justify="flex-end">
          <Button
            variant="default"
            data-autofocus
            onClick={() => {
              if (isBlocked) blocker.reset();
            }}
          >
            Stay
          </Button>
          <Button
            color="red.9"
            onClick={() => {
              if (isBlocked) blocker.proceed();
            }}
          >
            Leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

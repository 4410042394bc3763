// Warns before a link, the back button or closing the window discards changes that are not applied.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode, RefObject } from 'react';

type Route = { readonly pathname: string; readonly search: unknown };

function tabOf({ search }: Route): unknown {
  return (search as { readonly tab?: unknown }).tab;
}

/** `mayLeave` is set when the page itself navigates and nothing is lost. */
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
        <Text>Your changes on this page are not applied yet and will be lost.</Text>
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

// The three states of everything that is asked for: on its way, failed, or there; and there with nothing in it.
import { Alert, Button, Center, Code, Group, Loader, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

import { useConnection } from './connection.ts';
import { RequestError } from './request.ts';

/** Shown at once to assistive techniques, to the eye after a moment: what comes fast should not flicker. */
export function Loading({ what = 'Loading' }: { readonly what?: string }): ReactNode {
  const isLate = useIsLate(200);
  return (
    <Center mih={120} role="status" aria-busy="true">
      <Group gap="sm" style={{ visibility: isLate ? 'visible' : 'hidden' }}>
        <Loader size="sm" aria-hidden="true" />
        <Text c="dimmed">{what} …</Text>
      </Group>
    </Center>
  );
}

function useIsLate(afterMs: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return isLate;
}

/** What went wrong in the service's own words, with the number of the request to ask about. */
export function Failure({
  error,
  title = 'That did not work',
  onRetry,
}: {
  readonly error: unknown;
  readonly title?: string;
  readonly onRetry?: () => void;
}): ReactNode {
  return (
    <Alert color="red" variant="outline" title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{wordsOf(error)}</Text>
        {error instanceof RequestError && error.requestId !== null && (
          <Text size="xs" c="dimmed">
            Request <Code>{error.requestId}</Code>
          </Text>
        )}
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

export function wordsOf(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  return 'Something went wrong on this page. Reload it; if it happens again, tell the operator.';
}

/** Nothing is there, why that is so, and what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactNode {
  return (
    <Center mih={140} p="md">
      <Stack gap={4} align="center" maw={520} ta="center">
        <Text fw={600}>{title}</Text>
        {children !== undefined && (
          <Text component="div" c="dimmed" size="sm">
            {children}
          </Text>
        )}
      </Stack>
    </Center>
  );
}

/** Renders what a query has answered, or the state it is in. What was there stays while it is asked anew. */
export function Loaded<Data>({
  query,
  what,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  /** For the wait: `Loading deliveries`. */
  readonly what?: string;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  const { isReachable } = useConnection();
  if (query.data !== undefined) {
    return (
      <>
        {/* Of an outage the banner above every page tells. */}
        {query.isError && isReachable && (
          <Failure error={query.error} title="This may be out of date" onRetry={() => void query.refetch()} />
        )}
        {children(query.data)}
      </>
    );
  }
  if (query.isError)
    return <Failure error={query.error} title="This could not be loaded" onRetry={() => void query.refetch()} />;
  return <Loading {...(what === undefined ? {} : { what })} />;
}

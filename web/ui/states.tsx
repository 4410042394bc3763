// Loading, failed, loaded and empty states of a query.
import { Alert, Box, Button, Center, Code, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

import { useConnection } from './connection.ts';
import { RequestError } from './request.ts';

/** Lines in the place of what is loading: announced at once, visible only after 200 ms, so that fast responses do not flicker. */
export function Loading({ what = 'Loading' }: { readonly what?: string }): ReactNode {
  const isLate = useIsLate(200);
  return (
    <Box mih={120} p="md" role="status" aria-busy="true" style={{ visibility: isLate ? 'visible' : 'hidden' }}>
      <Text size="sm" c="dimmed" mb="sm">
        {what} …
      </Text>
      {WIDTHS.map((width) => (
        <Box key={width} className="lm-bone" w={width} />
      ))}
    </Box>
  );
}

const WIDTHS = ['100%', '92%', '96%', '60%'] as const;

function useIsLate(afterMs: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return isLate;
}

/** An error message of the service, with the request id to quote in a question. */
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
        <Text size="sm">{errorMessage(error)}</Text>
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

export function errorMessage(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  return 'Something went wrong on this page. Reload it; if it happens again, contact the operator.';
}

/** An empty state: what is missing, why, and what to do about it. */
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

/** Renders the data of a query, or its state. Data stays visible during a refetch. */
export function Loaded<Data>({
  query,
  what,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  /** Shown while loading: `Loading deliveries`. */
  readonly what?: string;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  const { isReachable } = useConnection();
  if (query.data !== undefined) {
    return (
      <>
        {/* The banner above the page reports an outage already. */}
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

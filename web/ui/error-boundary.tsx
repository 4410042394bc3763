// An error boundary: a page that throws shows an error with a retry button. During an update of the service, when responses of another release may
// lack members, it tries again by itself.
import { Center } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Component, type ReactNode, useCallback, useEffect } from 'react';

import { countOthers, useConnection } from './connection.ts';
import { pauseAfter, reloadOnce } from './lazy-part.tsx';
import { RequestError } from './request.ts';
import { Failure } from './states.tsx';

type Props = {
  /** Identifies the content, such as its path: the error is cleared when it changes. */
  readonly of?: string;
  readonly children: ReactNode;
};
type State = { readonly error: unknown; readonly of: string | undefined };

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, of: this.props.of };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  // Not a React key: that would remount the current page while the next one is still loading.
  static getDerivedStateFromProps({ of }: Props, state: State): Partial<State> | null {
    return of === state.of ? null : { of, error: null };
  }

  private readonly reset = (): void => this.setState({ error: null });

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <Center mih="60vh" p="md">
        <Crash error={this.state.error} reset={this.reset} />
      </Center>
    );
  }
}

const UPDATING = new RequestError(0, { detail: 'This page tries again by itself.' });

/** A page that threw. */
export function Crash({ error, reset }: { readonly error: unknown; readonly reset: () => void }): ReactNode {
  const queries = useQueryClient();
  const { isOutdated } = useConnection();
  const isUpdating = countOthers() !== null;
  const retry = useCallback((): void => {
    // The cause may be among the responses that the page was made of.
    queries.removeQueries({ type: 'inactive' });
    reset();
  }, [queries, reset]);
  useEffect(() => {
    if (!isUpdating) return undefined;
    if (isOutdated) reloadOnce();
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      timer = setTimeout(
        () => {
          retry();
          // For a page that throws again at once; any other ends this effect.
          wait();
        },
        pauseAfter(1 + (countOthers() ?? 0)),
      );
    };
    wait();
    return () => clearTimeout(timer);
  }, [isUpdating, isOutdated, retry]);
  return (
    <Failure
      error={isUpdating ? UPDATING : error}
      title={isUpdating ? 'The marketplace is being updated' : 'This page could not be shown'}
      onRetry={retry}
    />
  );
}

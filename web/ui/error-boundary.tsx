// An error boundary: a page that throws shows an error with a retry button.
import { Center } from '@mantine/core';
import { Component, type ReactNode } from 'react';

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

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <Center mih="60vh" p="md">
        <Failure
          error={this.state.error}
          title="This page could not be shown"
          onRetry={() => this.setState({ error: null })}
        />
      </Center>
    );
  }
}

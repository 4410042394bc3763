// A page that breaks says so and offers a way on, instead of leaving nothing.
import { Center } from '@mantine/core';
import { Component, type ReactNode } from 'react';

import { Failure } from './states.tsx';

type Props = {
  /** What is within, such as an address: the fault of one is not held against the next. */
  readonly of?: string;
  readonly children: ReactNode;
};
type State = { readonly error: unknown; readonly of: string | undefined };

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, of: this.props.of };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  // No key in its place: that would make a page anew that is still there while the next one is on its way.
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

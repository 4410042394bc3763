// A page that breaks says so and offers a way on, instead of leaving nothing.
import { Center } from '@mantine/core';
import { Component, type ReactNode } from 'react';

import { Failure } from './states.tsx';

type Props = { readonly children: ReactNode };

export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <Center mih="60vh" p="md">
        <Failure error={this.state.error} title="This page broke" onRetry={() => location.reload()} />
      </Center>
    );
  }
}

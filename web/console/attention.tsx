// A warning notice with readable colors in both color schemes.
import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

export function Attention({
  title,
  isUrgent = false,
  children,
}: {
  readonly title: string;
  /** True: announced to screen readers at once. */
  readonly isUrgent?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Alert color="yellow" variant="outline" title={title} role={isUrgent ? 'alert' : 'note'}>
      {children}
    </Alert>
  );
}

// A notice of what deserves a second look, in a colour that can be read in both schemes.
import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

export function Attention({
  title,
  isUrgent = false,
  children,
}: {
  readonly title: string;
  /** Read aloud at once. */
  readonly isUrgent?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Alert color="yellow" variant="outline" title={title} role={isUrgent ? 'alert' : 'note'}>
      {children}
    </Alert>
  );
}

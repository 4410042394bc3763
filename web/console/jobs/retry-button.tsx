// A retry button with a confirmation.
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../../ui/confirm.tsx';
import { useMay } from '../allowed.tsx';

export function RetryButton({
  label,
  title,
  action = 'Retry',
  onRetry,
  children,
}: {
  /** For assistive technology: a page has many such buttons. */
  readonly label: string;
  readonly title: string;
  readonly action?: string;
  readonly onRetry: () => Promise<void>;
  /** Explains the effect. */
  readonly children: ReactNode;
}): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const may = useMay('operate');
  if (!may) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAsking(true)} aria-label={label}>
        {action}
      </Button>
      <Confirm isOpen={isAsking} title={title} action={action} onConfirm={onRetry} onClose={() => setAsking(false)}>
        {children}
      </Confirm>
    </>
  );
}

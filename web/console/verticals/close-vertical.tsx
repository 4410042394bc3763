// The button that closes a vertical or opens it again: shows first what that stops, with a dry run.
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import type { ShownVertical } from '../../../src/console/verticals.schema.ts';
import { notify, notifyFailure } from '../../ui/notify.tsx';
import { useMay } from '../allowed.tsx';
import { ChangeReview } from '../changes/change-review.tsx';
import { previewChange, reviewed, type ReviewedChange } from '../changes/change-steps.ts';

export function CloseVertical({ response: { version, vertical } }: { readonly response: ShownVertical }): ReactNode {
  const may = useMay('configure');
  const navigate = useNavigate();
  const [change, setChange] = useState<ReviewedChange | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (!may) return null;
  const { key, name } = vertical;
  const isOpen = vertical.status === 'active';
  const review = async (): Promise<void> => {
    setBusy(true);
    try {
      const status = isOpen ? ('closed' as const) : ('active' as const);
      const input = { fragment: { verticals: [{ key, status }] } };
      setChange(reviewed(input, await previewChange(input, version)));
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button variant="default" loading={isBusy} onClick={() => void review()}>
        {isOpen ? 'Close vertical' : 'Open vertical'}
      </Button>
      <ChangeReview
        change={change}
        seen={version}
        onChange={setChange}
        onClose={() => setChange(null)}
        onTried={(id) => void navigate({ to: '/simulation', search: { id } })}
        onApplied={() => {
          setChange(null);
          notify(`${name} is ${isOpen ? 'closed' : 'open'} now. All processes use it within 5 seconds.`);
        }}
      />
    </>
  );
}

// The button of an offer that opens the dialog of its own limits, which is loaded then.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { lazyPart } from '../../../ui/lazy-part.tsx';
import { Failure, Loading } from '../../../ui/states.tsx';
import { request } from '../../portal-api.ts';
import { useMay } from '../../session.ts';

const LimitsDialog = lazyPart(async () => (await import('./limits-dialog.tsx')).LimitsDialog, 'Loading the limits');

export function OwnLimits({ offerKey, name }: { readonly offerKey: string; readonly name: string }): ReactNode {
  const mayChange = useMay('settings');
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({
    queryKey: ['account', 'limits', offerKey],
    queryFn: ({ signal }) => request('GET /portal/api/buyer/offers/:offerKey/limits', { params: { offerKey }, signal }),
    enabled: isOpen,
  });
  if (!mayChange) return null;
  const close = (): void => setOpen(false);
  return (
    <>
      <Button variant="default" size="xs" aria-label={`Limits of ${name}`} onClick={() => setOpen(true)}>
        Limits
      </Button>
      {isOpen && query.data !== undefined ? (
        <LimitsDialog key={JSON.stringify(query.data)} limits={query.data} onClose={close} />
      ) : (
        isOpen && (query.error === null ? <Loading what="Loading the limits" /> : <Failure error={query.error} />)
      )}
    </>
  );
}

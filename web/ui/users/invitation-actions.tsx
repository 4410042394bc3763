// The buttons of an open invitation: send its link again, or withdraw it.
import { Button } from '@mantine/core';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { SentLink } from '../../../src/users/invitation.schema.ts';
import { notify, notifyFailure } from '../notify.tsx';
import { notifySent } from './notify-sent.ts';

export function InvitationActions({
  email,
  list,
  onResend,
  onWithdraw,
}: {
  readonly email: string;
  /** The query of the list, which is read again after both. */
  readonly list: QueryKey;
  readonly onResend: () => Promise<SentLink>;
  readonly onWithdraw: () => Promise<unknown>;
}): ReactNode {
  const queries = useQueryClient();
  const options = { onError: notifyFailure, onSettled: () => queries.invalidateQueries({ queryKey: list }) };
  const resend = useMutation({ mutationFn: onResend, onSuccess: (sent) => notifySent(email, sent), ...options });
  const withdraw = useMutation({
    mutationFn: onWithdraw,
    onSuccess: () => notify('Invitation withdrawn.'),
    ...options,
  });
  return (
    <Button.Group>
      <Button
        size="compact-sm"
        variant="default"
        loading={resend.isPending}
        onClick={() => resend.mutate()}
        aria-label={`Send the invitation to ${email} again`}
      >
        Send again
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        loading={withdraw.isPending}
        onClick={() => withdraw.mutate()}
        aria-label={`Withdraw the invitation to ${email}`}
      >
        Withdraw
      </Button>
    </Button.Group>
  );
}

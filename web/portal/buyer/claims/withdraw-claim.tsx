// Withdrawing a return or dispute, after a question, while nobody has looked at it.
import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../../../ui/confirm.tsx';
import { notify } from '../../../ui/notify.tsx';
import { request } from '../../portal-api.ts';
import type { PortalClaim as Claim } from '../../../../src/portal/buyer/claims.schema.ts';

export function Withdraw({ claim: { id, kind, isWithdrawable } }: { readonly claim: Claim }): ReactNode {
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  if (!isWithdrawable) return null;
  const withdraw = async (): Promise<void> => {
    await request(`DELETE /portal/api/v1/buyer/${kind}s/:id`, { params: { id } });
    notify(`The ${kind} is withdrawn.`);
    await queries.invalidateQueries({ queryKey: ['claims'] });
    await queries.invalidateQueries({ queryKey: ['deliveries'] });
  };
  return (
    <>
      <Group>
        <Button size="xs" variant="default" onClick={() => setAsked(true)}>
          Withdraw the {kind}
        </Button>
      </Group>
      <Confirm
        isOpen={isAsked}
        title={`Withdraw this ${kind}?`}
        action={`Withdraw the ${kind}`}
        isDangerous
        onConfirm={withdraw}
        onClose={() => setAsked(false)}
      >
        <Text size="sm">
          Nobody decides on it any more; it stays in the list as withdrawn. Another one may be filed while there is time
          {kind === 'return' ? ', and its place in the monthly cap is free again' : ''}.
        </Text>
      </Confirm>
    </>
  );
}

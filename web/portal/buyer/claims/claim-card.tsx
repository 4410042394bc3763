// The card of a return or dispute on the page of its delivery: status, reason, statement, decision and credit.
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';

import { formatMoney } from '../../../ui/formats.ts';
import { OutsideLink, PageLink } from '../../../ui/link.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Status } from '../../../ui/status.tsx';
import { Time } from '../../../ui/zone.tsx';
import { usePortalSession } from '../../session.ts';
import type { PortalClaim as Claim } from '../../../../src/portal/buyer/claims.schema.ts';
import { ClaimFiles } from './claim-files.tsx';
import { kindWords, reasonWords } from './claim-words.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { notify } from '../../../ui/notify.tsx';
import { request } from '../../portal-api.ts';

export function ClaimCard({
  claim,
  takesFocus,
}: {
  readonly claim: Claim;
  /** True if the claim has just been filed: the form that had the focus is gone. */
  readonly takesFocus: boolean;
}): ReactNode {
  const { id, kind, status } = claim;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <Paper withBorder p="md" bg="var(--lm-quiet-ground)">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
            {kindWords[kind]}: <Status>{status}</Status>
          </Title>
          <Text size="sm" component="span">
            <PageLink to="/claims/$claimId" params={{ claimId: id }}>
              Open the {kind}
            </PageLink>
          </Text>
        </Group>
        <ClaimFacts claim={claim} />
        <ClaimFiles claim={claim} />
        <Withdraw claim={claim} />
      </Stack>
    </Paper>
  );
}

export function ClaimFacts({ claim }: { readonly claim: Claim }): ReactNode {
  const { currency } = usePortalSession();
  const { kind, reason, statement, evidenceUrl, filedAt, decisionDueAt, decidedAt, decisionNote, credit } = claim;
  const isOpen = decidedAt === null && claim.status !== 'withdrawn';
  return (
    <Facts
      columns={2}
      facts={[
        ['Reason', reasonWords[reason]],
        ['Filed', <Time key="filed" at={filedAt} />],
        [
          kind === 'return' ? 'Proof' : 'Detail',
          statement === null ? null : <Written key="statement" text={statement} />,
        ],
        ...(kind === 'dispute'
          ? [['Evidence', evidenceUrl === null ? null : <OutsideLink key="evidence" href={evidenceUrl} />] as const]
          : []),
        ...(isOpen ? [['Decision due by', <Time key="due" at={decisionDueAt} />] as const] : []),
        ...(decidedAt === null ? [] : [['Decided', <Time key="decided" at={decidedAt} />] as const]),
        ...(decisionNote === null ? [] : [['Decision note', <Written key="note" text={decisionNote} />] as const]),
        ...(claim.status === 'approved'
          ? [
              [
                'Credit',
                credit === null ? 'None: the delivery was not charged' : formatMoney(credit.amount, currency),
              ] as const,
            ]
          : []),
      ]}
    />
  );
}

/** Keeps line breaks as written. */
function Written({ text }: { readonly text: string }): ReactNode {
  return (
    <Text size="sm" component="span" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  );
}

export function Withdraw({ claim: { id, kind, isWithdrawable } }: { readonly claim: Claim }): ReactNode {
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  if (!isWithdrawable) return null;
  const withdraw = async (): Promise<void> => {
    await request(`DELETE /portal/api/v1/buyer/${kind}s/:id`, { params: { id } });
    notify(`${kindWords[kind]} withdrawn.`);
    await queries.invalidateQueries({ queryKey: ['claims'] });
    await queries.invalidateQueries({ queryKey: ['deliveries'] });
  };
  return (
    <>
      <Group>
        <Button size="xs" variant="default" onClick={() => setAsked(true)}>
          Withdraw {kind}
        </Button>
      </Group>
      <Confirm
        isOpen={isAsked}
        title={`Withdraw this ${kind}?`}
        action={`Withdraw ${kind}`}
        isDangerous
        onConfirm={withdraw}
        onClose={() => setAsked(false)}
      >
        <Text size="sm">
          It will not be reviewed and stays in the list as withdrawn. You may file another one before the deadline
          {kind === 'return' ? ', and it no longer counts against the monthly cap' : ''}.
        </Text>
      </Confirm>
    </>
  );
}

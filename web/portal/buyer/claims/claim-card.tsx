// A return or dispute where it is about its delivery: how it stands, what was said and decided, and the credit.
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

import { formatMoney } from '../../../ui/formats.ts';
import { OutsideLink, PageLink } from '../../../ui/link.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Status } from '../../../ui/status.tsx';
import { Time } from '../../../ui/zone.tsx';
import { usePortalSession } from '../../session.ts';
import type { PortalClaim as Claim } from '../../../../src/portal/buyer/claims.schema.ts';
import { kindWords, reasonWords } from './claim-words.ts';
import { Withdraw } from './withdraw-claim.tsx';

export function ClaimCard({
  claim,
  takesFocus,
}: {
  readonly claim: Claim;
  /** Whether it has just been filed: what had the focus is gone. */
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
        ...(isOpen ? [['A decision is due by', <Time key="due" at={decisionDueAt} />] as const] : []),
        ...(decidedAt === null ? [] : [['Decided', <Time key="decided" at={decidedAt} />] as const]),
        ...(decisionNote === null
          ? []
          : [['Note on the decision', <Written key="note" text={decisionNote} />] as const]),
        ...(claim.status === 'approved'
          ? [
              [
                'Credit',
                credit === null ? 'none: nothing had been charged' : formatMoney(credit.amount, currency),
              ] as const,
            ]
          : []),
      ]}
    />
  );
}

/** With its lines as they were written. */
function Written({ text }: { readonly text: string }): ReactNode {
  return (
    <Text size="sm" component="span" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  );
}

// The section of a delivery that files returns and disputes: deadlines, cap, form, and existing claims.
import { Alert, Button, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Section } from '../../../ui/facts.tsx';
import { choiceFilter, useFilters } from '../../../ui/filters.ts';
import { formatAgo, formatNumber } from '../../../ui/formats.ts';
import { Loaded } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';
import { Time } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { useMay } from '../../session.ts';
import { ClaimCard } from './claim-card.tsx';
import type { PortalClaim } from '../../../../src/portal/buyer/claims.schema.ts';
import type { Filing, FilingOption } from '../../../../src/portal/buyer/filing.schema.ts';
import { kindWords } from './claim-words.ts';
import { FileClaim } from './file-claim.tsx';
import { monthWords, unitOf } from './own-data.ts';

const FILTERS = { file: choiceFilter(['', 'return', 'dispute']) };

export function DeliveryFiling({ deliveryId }: { readonly deliveryId: string }): ReactNode {
  const may = useMay('claims');
  const query = useQuery({
    queryKey: ['claims', 'filing', deliveryId],
    queryFn: ({ signal }) =>
      request('GET /portal/api/buyer/deliveries/:deliveryId/filing', { params: { deliveryId }, signal }),
  });
  return (
    <Section title="Return or dispute">
      <Loaded query={query} what="Loading filing options">
        {(filing) => (may ? <Choices filing={filing} /> : <Claims filing={filing} />)}
      </Loaded>
    </Section>
  );
}

/** For a user whose roles do not include claims. */
function Claims({ filing }: { readonly filing: Filing }): ReactNode {
  return (
    <Stack gap="lg">
      {filing.claims.map((claim) => (
        <ClaimCard key={claim.id} claim={claim} takesFocus={false} />
      ))}
      <Text size="sm" c="dimmed">
        Your role does not include filing returns and disputes.
      </Text>
    </Stack>
  );
}

function Choices({ filing }: { readonly filing: Filing }): ReactNode {
  const [{ file }, setFilters] = useFilters(FILTERS);
  // The claim or button that gets the focus after the form closes.
  const [left, setLeft] = useState<string | null>(null);
  const close = (kind: PortalClaim['kind'], claimId: string | null): void => {
    setLeft(claimId ?? kind);
    setFilters({ file: '' });
  };
  // One reason that forbids both is shown once.
  const isShared = filing.return.refusal !== null && filing.return.refusal.code === filing.dispute.refusal?.code;
  const choice = { filing, isExplained: isShared, left };
  // Once there is a claim, it says enough.
  const isSettled = filing.claims.length > 0 && !filing.return.allowed && !filing.dispute.allowed;
  return (
    <Stack gap="lg">
      {filing.claims.map((claim) => (
        <ClaimCard key={claim.id} claim={claim} takesFocus={file === '' && left === claim.id} />
      ))}
      {file !== '' && filing[file].allowed ? (
        <FileClaim key={file} kind={file} filing={filing} onDone={(claimId) => close(file, claimId)} />
      ) : isSettled ? null : (
        <>
          {isShared && <Refused refusal={filing.return.refusal} />}
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <Choice kind="return" {...choice} onChoose={() => setFilters({ file: 'return' })}>
              <ReturnFacts filing={filing} />
            </Choice>
            <Choice kind="dispute" {...choice} onChoose={() => setFilters({ file: 'dispute' })}>
              <DisputeFacts filing={filing} />
            </Choice>
          </SimpleGrid>
        </>
      )}
      <Text size="xs" c="dimmed">
        Sales outcomes ({filing.notReturnable.join(', ')}) are not grounds for a return.
      </Text>
    </Stack>
  );
}

function Choice({
  kind,
  filing,
  isExplained,
  left,
  onChoose,
  children,
}: {
  readonly kind: PortalClaim['kind'];
  readonly filing: Filing;
  /** True if the refusal is shown elsewhere already. */
  readonly isExplained: boolean;
  readonly left: string | null;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const option = filing[kind];
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={3}>{kindWords[kind]}</Title>
      <Text size="sm" component="div">
        <Status tone={option.allowed ? 'good' : 'idle'}>{option.allowed ? 'can be filed' : 'cannot be filed'}</Status>
      </Text>
      {!isExplained && <Refused refusal={option.refusal} />}
      <List size="sm" spacing={4}>
        <List.Item>
          <Deadline option={option} />
        </List.Item>
        {children}
      </List>
      {option.allowed && (
        <Button variant="default" onClick={onChoose} autoFocus={left === kind}>
          File a {kind}
        </Button>
      )}
    </Stack>
  );
}

function Refused({ refusal }: Pick<FilingOption, 'refusal'>): ReactNode {
  if (refusal === null) return null;
  return (
    <Alert variant="outline" color="gray" w="100%" title={refusal.meaning} role="note">
      {refusal.remedy}
    </Alert>
  );
}

function Deadline({ option: { until } }: { readonly option: FilingOption }): ReactNode {
  const now = new Date();
  const isOver = new Date(until) < now;
  return (
    <>
      {isOver ? 'Ended ' : 'Until '}
      <Time at={until} /> ({formatAgo(until, now)})
    </>
  );
}

function ReturnFacts({ filing: { cap, reasons, eventType } }: { readonly filing: Filing }): ReactNode {
  return (
    <>
      <List.Item>
        Cap: {formatNumber(cap.used)} of {formatNumber(cap.limit)} returns of {unitOf(eventType)} of{' '}
        {monthWords(cap.month)} used, {formatNumber(cap.remaining)} left
      </List.Item>
      <List.Item>
        {reasons.some(({ proofRequired }) => proofRequired)
          ? 'Proof required: say how you found the problem'
          : 'Proof optional, but it helps the reviewer'}
      </List.Item>
    </>
  );
}

function DisputeFacts({ filing: { reasons, claims } }: { readonly filing: Filing }): ReactNode {
  const isAppeal = claims.some(({ kind, status }) => kind === 'return' && status === 'denied');
  return (
    <>
      <List.Item>No cap</List.Item>
      <List.Item>
        Detail required{reasons.some(({ proofRequired }) => proofRequired) ? ', and an evidence URL' : ''}
      </List.Item>
      {isAppeal && <List.Item>Appeals the denied return, once</List.Item>}
    </>
  );
}

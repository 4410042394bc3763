// The sales of a lead: deliveries with attempts, ledger entries, claims.
import { Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatMoney, formatSpan } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { Status, type Tone } from '../../ui/status.tsx';
import { Time } from '../../ui/zone.tsx';
import styles from './lead-story.module.css';
import type {
  LeadStory,
  StoryAttempt,
  StoryClaim,
  StoryDelivery,
  StoryCost,
  StoryEntry,
} from '../../../src/console/leads.schema.ts';
import { partnerNames } from './lead-history.ts';
import { RetryDelivery } from './retry-delivery.tsx';
import { StoryStage } from './story-stage.tsx';

const FAILURES = { rejected: 'Rejected by the partner', duplicate: 'Duplicate at the partner' } as const;
const TONES: Readonly<Record<string, Tone>> = { Confirmed: 'good', Pending: 'warn', Failed: 'bad', Returned: 'idle' };

export function Deliveries({ story }: { readonly story: LeadStory }): ReactNode {
  const { deliveries, attempts, attemptsAreCut, currency } = story;
  return (
    <>
      {deliveries.map((delivery) => (
        <DeliveryStage
          key={delivery.deliveryId}
          delivery={delivery}
          attempts={attempts.filter(({ deliveryId }) => deliveryId === delivery.deliveryId)}
          areCut={attemptsAreCut}
          currency={currency}
        />
      ))}
    </>
  );
}

function DeliveryStage({
  delivery,
  attempts,
  areCut,
  currency,
}: {
  readonly delivery: StoryDelivery;
  readonly attempts: readonly StoryAttempt[];
  readonly areCut: boolean;
  readonly currency: string;
}): ReactNode {
  const { deliveryId, deliveryRef, partner, partnerName, status, payout, channel } = delivery;
  return (
    <StoryStage
      title={`Delivery ${deliveryRef} to ${partnerName}`}
      tone={TONES[status] ?? 'idle'}
      actions={
        status === 'Failed' && channel === 'webhook' ? (
          <RetryDelivery deliveryId={deliveryId} deliveryRef={deliveryRef} partnerName={partnerName} />
        ) : undefined
      }
    >
      <Facts
        columns={3}
        facts={[
          ['Status', <Status key="status">{status}</Status>],
          [
            'Partner',
            <PageLink key="partner" to="/partners/$partnerKey" params={{ partnerKey: partner }}>
              {partnerName}
            </PageLink>,
          ],
          ['Price', formatMoney(payout, currency)],
          ['Kind', delivery.eventType],
          ['Channel', channel ?? 'API, polled by the partner'],
          ['Routed', <Time key="routed" at={delivery.deliveredAt} />],
          ...(delivery.confirmedAt === null
            ? []
            : ([['Confirmed', <Time key="confirmed" at={delivery.confirmedAt} />]] as const)),
          ...(delivery.failedAt === null ? [] : ([['Failed', <Time key="failed" at={delivery.failedAt} />]] as const)),
          ...(delivery.failure === null ? [] : ([['Failure', FAILURES[delivery.failure]]] as const)),
          ...(delivery.buyerReference === null
            ? []
            : ([['Reference of the partner', delivery.buyerReference]] as const)),
          ...(delivery.appointmentAt === undefined
            ? []
            : ([['Appointment', <Time key="appointment" at={delivery.appointmentAt} />]] as const)),
        ]}
      />
      {attempts.length > 0 && (
        <>
          <Text component="h3" size="sm" fw={650} m={0}>
            Attempts
          </Text>
          {areCut && (
            <Text size="sm" c="dimmed">
              Only the latest attempts are shown.
            </Text>
          )}
          <ul className={styles['attempts']}>
            {attempts.map((attempt) => (
              <AttemptLine key={attempt.attemptId} attempt={attempt} />
            ))}
          </ul>
        </>
      )}
    </StoryStage>
  );
}

const ATTEMPT_WORDS: Readonly<Record<string, string>> = {
  scheduled: 'scheduled',
  succeeded: 'succeeded',
  failed: 'failed',
  exhausted: 'failed, no further attempts',
};

function AttemptLine({ attempt }: { readonly attempt: StoryAttempt }): ReactNode {
  const { at, channel, target, state, responseCode, responseSnippet, latencyMs, error, nextAttemptAt } = attempt;
  const response = responseCode === null ? error : `response ${responseCode}`;
  return (
    <li>
      <Group gap="sm">
        <Text size="sm" fw={500}>
          {attempt.attempt}. {channel}
        </Text>
        <Text size="sm" component="span">
          <Status tone={state === 'succeeded' ? 'good' : state === 'scheduled' ? 'warn' : 'bad'}>
            {ATTEMPT_WORDS[state] ?? state}
          </Status>
        </Text>
        <Text size="sm" c="dimmed">
          <Time at={at} />
        </Text>
      </Group>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {[target, response ?? '', latencyMs === null ? '' : formatSpan(latencyMs)]
          .filter((part) => part !== '')
          .join(' · ')}
        {nextAttemptAt !== null && (
          <>
            {' · next '}
            <Time at={nextAttemptAt} kind="short" />
          </>
        )}
      </Text>
      {responseSnippet !== null && responseSnippet !== '' && (
        <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{responseSnippet}</Code>
      )}
    </li>
  );
}

const ENTRY_WORDS: Readonly<Record<string, string>> = {
  charge: 'Charge',
  credit: 'Credit',
  cost: 'Cost',
  clawback: 'Cost taken back',
  adjustment: 'Adjustment',
};

export function Money({ story }: { readonly story: LeadStory }): ReactNode {
  const { ledger, costs, margin, currency, lead } = story;
  if (ledger.length === 0 && costs.length === 0) return null;
  return (
    <StoryStage title="Money" tone="good">
      {ledger.length > 0 && (
        <DataTable
          caption="Entries on partners’ accounts"
          columns={[accountColumn(partnerNames(story)), ...entryColumns<StoryEntry>(currency)]}
          rows={ledger}
          rowKey={({ entryId }) => entryId}
          empty={null}
        />
      )}
      {costs.length > 0 && (
        <>
          <DataTable
            caption="Entries on the supplier’s account"
            columns={[supplierColumn(lead.supplierName), ...entryColumns<StoryCost>(currency)]}
            rows={costs}
            rowKey={({ entryId }) => entryId}
            empty={null}
          />
          <Text size="sm">Margin of the lead: {formatMoney(margin, currency)}</Text>
        </>
      )}
    </StoryStage>
  );
}

function accountColumn(nameOf: (partner: string) => string): Column<StoryEntry> {
  return {
    key: 'partner',
    title: 'Partner',
    cell: ({ partner }) => (
      <PageLink to="/ledger" search={{ partner }}>
        {nameOf(partner)}
      </PageLink>
    ),
  };
}

/** A lead has one supplier. */
function supplierColumn(name: string): Column<StoryCost> {
  return {
    key: 'supplier',
    title: 'Supplier',
    cell: ({ supplier }) => (
      <PageLink to="/suppliers/$supplierKey" params={{ supplierKey: supplier }}>
        {name}
      </PageLink>
    ),
  };
}

function entryColumns<Entry extends Omit<StoryEntry, 'partner' | 'type'> & { readonly type: string }>(
  currency: string,
): ReadonlyArray<Column<Entry>> {
  return [
    { key: 'type', title: 'Type', cell: ({ type }) => ENTRY_WORDS[type] ?? type },
    { key: 'amount', title: 'Amount', numeric: true, cell: ({ amount }) => formatMoney(amount, currency) },
    {
      key: 'balance',
      title: 'Balance after',
      numeric: true,
      cell: (entry) => formatMoney(entry.balanceAfter, currency),
    },
    { key: 'description', title: 'Description', cell: ({ description }) => description },
    { key: 'at', title: 'Time', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

export function Claims({ story }: { readonly story: LeadStory }): ReactNode {
  const { claims, currency } = story;
  const nameOf = partnerNames(story);
  if (claims.length === 0) return null;
  const isOpen = claims.some(({ decidedAt, status }) => decidedAt === null && status !== 'withdrawn');
  return (
    <StoryStage title="Claims" tone={isOpen ? 'warn' : 'idle'}>
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {claims.map((claim) => (
          <ClaimLine key={claim.claimId} claim={claim} partnerName={nameOf(claim.partner)} currency={currency} />
        ))}
      </Stack>
    </StoryStage>
  );
}

function ClaimLine({
  claim,
  partnerName,
  currency,
}: {
  readonly claim: StoryClaim;
  readonly partnerName: string;
  readonly currency: string;
}): ReactNode {
  const { claimId, kind, reason, status, filedAt, decidedAt, credit } = claim;
  return (
    <li>
      <Group gap="sm">
        <Text size="sm" component="span">
          <PageLink to="/claims/$claimId" params={{ claimId }}>
            {kind === 'return' ? 'Return' : 'Dispute'} of {partnerName}: {reason.replaceAll('_', ' ')}
          </PageLink>
        </Text>
        <Text size="sm" component="span">
          <Status>{status}</Status>
        </Text>
        {credit !== null && <Text size="sm">{formatMoney(credit, currency)} credited</Text>}
      </Group>
      <Text size="sm" c="dimmed">
        Filed <Time at={filedAt} />
        {decidedAt !== null && (
          <>
            , decided <Time at={decidedAt} />
          </>
        )}
      </Text>
    </li>
  );
}

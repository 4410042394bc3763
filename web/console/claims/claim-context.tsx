// The context of a claim: the stored lead, its delivery, and the partner's earlier claims.
import { Box, SimpleGrid, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import { type Fact, Facts, Section } from '../../ui/facts.tsx';
import { count, formatMoney, formatNumber, formatPhone, formatShare, formatSpan } from '../../ui/formats.ts';
import { EmailLink, OutsideLink, PageLink } from '../../ui/link.tsx';
import { ownFacts, withNote } from '../../ui/own-facts.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/zone.tsx';
import type { ClaimReview } from '../../../src/console/claims.schema.ts';

export function ClaimContext({ review }: { readonly review: ClaimReview }): ReactNode {
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <LeadSection review={review} />
        <DeliverySection review={review} />
      </SimpleGrid>
      <PartnerSection review={review} />
    </>
  );
}

function LeadSection({ review: { lead, vertical, currency } }: { readonly review: ClaimReview }): ReactNode {
  const { leadId, fields, supplier, supplierName, receivedAt, score, externalId, erasedAt } = lead;
  const origin: readonly Fact[] = [
    ['Received', <Time key="received" at={receivedAt} />],
    [
      'Supplier',
      <PageLink key="supplier" to="/suppliers/$supplierKey" params={{ supplierKey: supplier }}>
        {supplierName}
      </PageLink>,
    ],
    ['Score', score === null ? null : formatNumber(score)],
    ['Supplier’s id', externalId],
  ];
  return (
    <Section
      title="Lead"
      actions={
        <PageLink to="/leads/$leadId" params={{ leadId }}>
          View lead
        </PageLink>
      }
    >
      {fields === null ? (
        <Text>
          Personal data erased{erasedAt === null ? '' : ' '}
          {erasedAt !== null && <Time at={erasedAt} kind="day" />}.
        </Text>
      ) : (
        <Facts
          facts={[
            ['Name', fields.fullName],
            ['Phone', fields.phone === null ? null : formatPhone(fields.phone)],
            ['Email', fields.email === null ? null : <EmailLink key="email" email={fields.email} />],
            ['State', fields.state],
            ['Debt amount', fields.debtAmount === null ? null : formatMoney(fields.debtAmount, currency)],
            ['Business', fields.businessName],
            ['Source', fields.source],
            ['IP address', fields.leadIp],
            ['Consent', fields.tcpaConsent ? 'given' : 'not given'],
            [
              'Consent time',
              fields.consentTimestamp === null ? null : <Time key="consent" at={fields.consentTimestamp} />,
            ],
            ['Form', fields.sourceFormUrl === null ? null : <OutsideLink key="form" href={fields.sourceFormUrl} />],
            [
              'Certificate',
              fields.trustedformCertUrl === null ? (
                fields.jornayaLeadId
              ) : (
                <OutsideLink key="cert" href={fields.trustedformCertUrl} />
              ),
            ],
            ...(vertical === null ? [] : [['Vertical', vertical] as const]),
            ...ownFacts(fields.own.map(withNote), currency),
            ...Object.entries(fields.extra).map(([name, value]): Fact => [name, textOf(value)]),
          ]}
        />
      )}
      <Facts facts={origin} />
    </Section>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function DeliverySection({ review }: { readonly review: ClaimReview }): ReactNode {
  const { delivery, partner, partnerName, currency } = review;
  const { offer, offerName, attempts, others } = delivery;
  return (
    <Section title="Delivery">
      <Facts
        facts={[
          ['Reference', delivery.deliveryRef],
          ['Status', <Status key="status">{delivery.status}</Status>],
          ['Delivered', <Time key="delivered" at={delivery.deliveredAt} />],
          ['Confirmed', delivery.confirmedAt === null ? null : <Time key="confirmed" at={delivery.confirmedAt} />],
          ['Charged', formatMoney(delivery.payout, currency)],
          ['Kind', delivery.eventType],
          [
            'Partner',
            <PageLink key="partner" to="/partners/$partnerKey" params={{ partnerKey: partner }}>
              {partnerName}
            </PageLink>,
          ],
          [
            'Offer',
            <PageLink
              key="offer"
              to="/partners/$partnerKey/offers/$offerKey"
              params={{ partnerKey: partner, offerKey: offer }}
            >
              {offerName}
            </PageLink>,
          ],
          ...(delivery.appointmentAt === null
            ? []
            : [['Appointment', <Time key="slot" at={delivery.appointmentAt} />] as const]),
          ['Sold to others', others === 0 ? 'No' : `To ${count(others, 'other partner')}`],
        ]}
      />
      {attempts.length > 0 && <Attempts attempts={attempts} />}
    </Section>
  );
}

function Attempts({ attempts }: { readonly attempts: ClaimReview['delivery']['attempts'] }): ReactNode {
  return (
    <Box>
      <Title order={3}>Attempts</Title>
      <Box role="region" tabIndex={0} aria-label="Delivery attempts" style={{ overflowX: 'auto' }}>
        <Table aria-label="Delivery attempts" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Time</Table.Th>
              <Table.Th scope="col">Channel</Table.Th>
              <Table.Th scope="col">Result</Table.Th>
              <Table.Th scope="col">Response</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {attempts.map(({ at, channel, state, responseCode, latencyMs, error }) => (
              <Table.Tr key={`${at} ${channel}`}>
                <Table.Th scope="row" fw={400}>
                  <Time at={at} kind="short" />
                </Table.Th>
                <Table.Td>{channel.replaceAll('_', ' ')}</Table.Td>
                <Table.Td>
                  <Status>{state}</Status>
                </Table.Td>
                <Table.Td>
                  {[
                    responseCode === null ? error : String(responseCode),
                    latencyMs === null ? null : formatSpan(latencyMs),
                  ]
                    .filter((word) => word !== null)
                    .join(' in ') || '—'}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </Box>
  );
}

function PartnerSection({ review }: { readonly review: ClaimReview }): ReactNode {
  const { history, cap, currency, kind, partner } = review;
  const { days, deliveries, approved, denied, withdrawn, open, credited } = history;
  const decided = approved + denied;
  const share =
    deliveries === 0
      ? ''
      : ` (${formatShare(approved / deliveries)} of ${count(deliveries, 'delivery', 'deliveries')})`;
  return (
    <Section
      title="Partner’s claim history"
      actions={
        <PageLink to="/claims" search={{ partner, status: 'all' }}>
          View all its claims
        </PageLink>
      }
    >
      <Text size="sm" c="dimmed">
        In the last {days} days, excluding this claim.
      </Text>
      <Facts
        columns={4}
        facts={[
          ['Approved', `${formatNumber(approved)}${share}`],
          [
            'Denied',
            decided === 0 ? '0' : `${formatNumber(denied)} (${formatShare(denied / decided)} of decided claims)`,
          ],
          ['Open and withdrawn', `${formatNumber(open)} open, ${formatNumber(withdrawn)} withdrawn`],
          ['Credited', formatMoney(credited, currency)],
          ...(cap === null
            ? [['Monthly cap', kind === 'dispute' ? 'None for disputes' : null] as const]
            : [
                [
                  `Returns of ${monthWords(cap.month)}`,
                  `${formatNumber(cap.used)} of ${formatNumber(cap.limit)} used, ${formatNumber(cap.remaining)} left`,
                ] as const,
              ]),
        ]}
      />
    </Section>
  );
}

function monthWords(month: string): string {
  return new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${month}-15T00:00:00Z`),
  );
}

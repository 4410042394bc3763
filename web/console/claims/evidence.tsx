// The evidence on a claim: the partner's statement and our own data.
import { Box, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import { Facts, Section } from '../../ui/facts.tsx';
import { formatMoney, formatPhone } from '../../ui/formats.ts';
import { EmailLink, OutsideLink, PageLink } from '../../ui/link.tsx';
import { Status, type Tone } from '../../ui/status.tsx';
import { Time } from '../../ui/zone.tsx';
import type { ClaimEvidence, ClaimReview, DuplicateDelivery } from '../../../src/console/claims.schema.ts';
import { FilterChecks } from '../../ui/filter-checks.tsx';
import { PartnerFiles } from './partner-files.tsx';
import { distanceWords, findingOf, sameWords, type Verdict } from './evidence-words.ts';

export function PartnerSays({ review }: { readonly review: ClaimReview }): ReactNode {
  const { kind, reasonMeaning, reason, statement, evidenceUrl, proofRequired, filedAt, filedUntil, otherClaims } =
    review;
  return (
    <Section title="Partner’s statement">
      <Stack gap={4}>
        <Text fw={650} fz="lg">
          {reasonMeaning}
        </Text>
        <Text size="xs" c="dimmed">
          Reason <code>{reason}</code>
          {proofRequired ? ', requires proof' : ''}
        </Text>
      </Stack>
      <Box>
        <Title order={3}>{kind === 'return' ? 'Proof' : 'Detail'}</Title>
        {statement === null ? (
          <Text c="dimmed">None.</Text>
        ) : (
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{statement}</Text>
        )}
      </Box>
      <PartnerFiles claimId={review.id} />
      {evidenceUrl !== null && (
        <Box>
          <Title order={3}>Evidence</Title>
          <Text>
            <OutsideLink href={evidenceUrl} />
          </Text>
          <Text size="xs" c="dimmed">
            A URL from the partner. The service never opens it.
          </Text>
        </Box>
      )}
      <Facts
        facts={[
          ['Filed', <Time key="filed" at={filedAt} />],
          [
            kind === 'return' ? 'Could be returned until' : 'Could be disputed until',
            <Time key="until" at={filedUntil} />,
          ],
        ]}
      />
      {otherClaims.length > 0 && <OtherClaims claims={otherClaims} />}
    </Section>
  );
}

function OtherClaims({ claims }: { readonly claims: ClaimReview['otherClaims'] }): ReactNode {
  return (
    <Box>
      <Title order={3}>Other claims on this delivery</Title>
      <Stack gap="sm" mt={4}>
        {claims.map(({ id, kind, status, filedAt, statement, decision }) => (
          <Box key={id}>
            <Text component="div">
              <PageLink to="/claims/$claimId" params={{ claimId: id }}>
                {kind === 'return' ? 'Return' : 'Dispute'}
              </PageLink>{' '}
              filed <Time at={filedAt} kind="day" />: <Status>{status}</Status>
            </Text>
            {statement !== null && (
              <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {statement}
              </Text>
            )}
            {decision !== null && (
              <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
                Decided <Time at={decision.at} kind="day" /> by {decision.by}: {decision.note}
              </Text>
            )}
          </Box>
        ))}
      </Stack>
    </Box>
  );
}

const VERDICTS: Readonly<Record<Verdict, readonly [words: string, tone: Tone]>> = {
  supports: ['Our data support the claim', 'good'],
  contradicts: ['Our data contradict the claim', 'bad'],
  silent: ['Our data are inconclusive', 'idle'],
};

export function OurData({ review }: { readonly review: ClaimReview }): ReactNode {
  const { evidence, delivery, partnerName } = review;
  const finding = findingOf(review);
  const [words, tone] = VERDICTS[finding.verdict];
  return (
    <Section title="Our data">
      <Stack gap={4}>
        <Text fw={650} fz="lg" style={{ borderInlineStart: `4px solid var(--lm-${tone})`, paddingInlineStart: 8 }}>
          {words}
        </Text>
        <Text>{finding.sentence}</Text>
      </Stack>
      {evidence?.about === 'duplicate' && evidence.deliveries.length > 0 && (
        <Duplicates evidence={evidence} own={delivery.deliveredAt} partnerName={partnerName} />
      )}
      {evidence?.about === 'filters' && evidence.checks.length > 0 && <FilterChecks checks={evidence.checks} />}
      <Concerned review={review} />
      <Text size="xs" c="dimmed">
        Checked when the claim was filed. Never shown to partners.
      </Text>
    </Section>
  );
}

function Duplicates({
  evidence,
  own,
  partnerName,
}: {
  readonly evidence: Extract<ClaimEvidence, { about: 'duplicate' }>;
  readonly own: string;
  readonly partnerName: string;
}): ReactNode {
  return (
    <List spacing="xs">
      {evidence.deliveries.map((delivery) => (
        <List.Item key={delivery.deliveryId}>
          <DuplicateWords delivery={delivery} own={own} partnerName={partnerName} />
        </List.Item>
      ))}
    </List>
  );
}

function DuplicateWords({
  delivery,
  own,
  partnerName,
}: {
  readonly delivery: DuplicateDelivery;
  readonly own: string;
  readonly partnerName: string;
}): ReactNode {
  const { deliveryRef, deliveryId, leadId, deliveredAt, status } = delivery;
  const name = deliveryRef ?? deliveryId;
  const same = sameWords(delivery);
  return (
    <>
      {leadId === null ? (
        name
      ) : (
        <PageLink to="/leads/$leadId" params={{ leadId }}>
          {name}
        </PageLink>
      )}{' '}
      was delivered to {partnerName} <Time at={deliveredAt} />, {distanceWords(deliveredAt, own)}
      {same === null ? '' : `: ${same}`}. It is now {status.toLowerCase()}.
    </>
  );
}

/** The fields of the lead that the claim's reason concerns. */
function Concerned({ review: { reason, lead, delivery, currency } }: { readonly review: ClaimReview }): ReactNode {
  const { fields } = lead;
  if (fields === null) return null;
  const phone = fields.phone === null ? null : formatPhone(fields.phone);
  const email = fields.email === null ? null : <EmailLink email={fields.email} />;
  const consent = fields.consentTimestamp === null ? null : <Time at={fields.consentTimestamp} />;
  const facts = {
    invalid_phone: [['Phone number of the lead', phone]],
    bounced_email: [['Email address of the lead', email]],
    out_of_geo: [['State of the lead', fields.state]],
    out_of_filter: [['State of the lead', fields.state]],
    filter_mismatch: [['State of the lead', fields.state]],
    duplicate: [
      ['Phone number of the lead', phone],
      ['Email address of the lead', email],
    ],
    bot: [
      ['IP address', fields.leadIp],
      ['Consent time', consent],
    ],
    no_show: [
      ['Appointment', delivery.appointmentAt === null ? null : <Time key="slot" at={delivery.appointmentAt} />],
    ],
  } as const;
  const shown = reason in facts ? facts[reason as keyof typeof facts] : [];
  const amount: ReadonlyArray<readonly [string, ReactNode]> =
    reason === 'out_of_filter' || reason === 'filter_mismatch'
      ? [['Debt amount of the lead', fields.debtAmount === null ? null : formatMoney(fields.debtAmount, currency)]]
      : [];
  return (
    <SimpleGrid cols={1}>
      <Facts facts={[...shown, ...amount]} />
    </SimpleGrid>
  );
}

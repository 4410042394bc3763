// The lead of a delivery and its record of consent. All values come from outside and are shown as plain text.
import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { CopyText } from '../../../ui/copy.tsx';
import { type Fact, Facts } from '../../../ui/facts.tsx';
import { formatMoney, formatPhone } from '../../../ui/formats.ts';
import { ownFacts } from '../../../ui/own-facts.tsx';
import { EmailLink, OutsideLink } from '../../../ui/link.tsx';
import { Status } from '../../../ui/status.tsx';
import { Time } from '../../../ui/zone.tsx';
import { usePortalSession } from '../../session.ts';
import type { DeliveryDetail } from '../../../../src/portal/buyer/deliveries.schema.ts';

export function LeadFacts({ detail }: { readonly detail: DeliveryDetail }): ReactNode {
  const { currency } = usePortalSession();
  const { lead } = detail.delivery;
  const { source, medium, campaign, term, content } = detail.campaign;
  return (
    <Facts
      columns={3}
      facts={[
        [
          'Name',
          <Text key="name" span fz="lg" fw={600} lh={1.2}>
            {lead.fullName}
          </Text>,
        ],
        [
          'Phone',
          lead.phone === null ? null : (
            <Copied key="phone" text={lead.phone} what="the phone number">
              <Anchor fz="lg" fw={600} lh={1.2} href={`tel:${lead.phone}`}>
                {formatPhone(lead.phone)}
              </Anchor>
            </Copied>
          ),
        ],
        [
          'Email',
          lead.email === null ? null : (
            <Copied key="email" text={lead.email} what="the email address">
              <EmailLink email={lead.email} />
            </Copied>
          ),
        ],
        ['State', lead.state],
        ['Debt amount', lead.debtAmount === null ? null : formatMoney(lead.debtAmount, currency)],
        ...(detail.vertical === null ? [] : [['Vertical', detail.vertical] as const]),
        ...ownFacts(detail.ownFields, currency),
        ['Source (utm_source)', source],
        ...optional('Medium (utm_medium)', medium),
        ...optional('Campaign (utm_campaign)', campaign),
        ...optional('Term (utm_term)', term),
        ...optional('Content (utm_content)', content),
      ]}
    />
  );
}

/** Omits a missing value: few forms send these fields. */
function optional(name: string, value: string | null): Fact[] {
  return value === null ? [] : [[name, value]];
}

function Copied({
  text,
  what,
  children,
}: {
  readonly text: string;
  readonly what: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Group gap={4} wrap="nowrap" component="span">
      {children}
      <CopyText text={text} what={what} />
    </Group>
  );
}

export function ConsentRecord({ detail: { consent, isErased } }: { readonly detail: DeliveryDetail }): ReactNode {
  return (
    <Stack gap="sm">
      <Facts
        columns={3}
        facts={[
          [
            'Consent to calls',
            consent.given === null ? (
              isErased ? (
                'Erased'
              ) : null
            ) : (
              <Status key="given" tone={consent.given ? 'good' : 'bad'}>
                {consent.given ? 'given' : 'not given'}
              </Status>
            ),
          ],
          ['Given', consent.at === null ? null : <Time key="at" at={consent.at} />],
          ['Consent version', consent.version],
          ['IP address', isErased ? 'Erased' : consent.leadIp],
          [
            'Form',
            isErased ? (
              'Erased'
            ) : consent.sourceUrl === null ? null : (
              <OutsideLink key="form" href={consent.sourceUrl} />
            ),
          ],
        ]}
      />
      {!isErased && consent.given === false && (
        <Text size="sm" c="dimmed">
          The supplier sent no proof of consent with this lead. Consider this before you call.
        </Text>
      )}
    </Stack>
  );
}

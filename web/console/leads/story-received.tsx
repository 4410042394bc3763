// The submission of a lead: fields, proof of consent, and the body as received.
import { Accordion, Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { CodeBlock } from '../../ui/copy.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { formatBytes, formatMoney, formatPhone } from '../../ui/formats.ts';
import { ownFacts, withNote } from '../../ui/own-facts.tsx';
import { EmailLink, OutsideLink, PageLink } from '../../ui/link.tsx';
import { Time } from '../../ui/zone.tsx';
import type { LeadStory, StoredFields, StoryConsent } from '../../../src/console/leads.schema.ts';
import { StoryStage } from './story-stage.tsx';

export function Received({ story }: { readonly story: LeadStory }): ReactNode {
  const { lead, consent, currency } = story;
  return (
    <StoryStage title="Received" tone="good">
      <Facts
        columns={3}
        facts={[
          ['Received', <Time key="at" at={lead.receivedAt} />],
          [
            'Supplier',
            <PageLink key="supplier" to="/suppliers/$supplierKey" params={{ supplierKey: lead.supplier }}>
              {lead.supplierName}
            </PageLink>,
          ],
          ['Supplier’s id', lead.externalId],
          ...(lead.test ? ([['Kind', 'Test: simulated decision, not sold']] as const) : []),
        ]}
      />
      {lead.erasedAt === null ? (
        <FieldFacts lead={lead} currency={currency} />
      ) : (
        <Text size="sm">
          Personal data erased on <Time at={lead.erasedAt} kind="day" />.
        </Text>
      )}
      <Accordion variant="separated" multiple>
        {consent !== null && (
          <Accordion.Item value="consent">
            <Accordion.Control>Proof of consent</Accordion.Control>
            <Accordion.Panel>
              <ConsentFacts consent={consent} />
            </Accordion.Panel>
          </Accordion.Item>
        )}
        <Accordion.Item value="raw">
          <Accordion.Control>As received</Accordion.Control>
          <Accordion.Panel>
            <Body story={story} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </StoryStage>
  );
}

function Body({ story: { rawBody, rawBodyBytes } }: { readonly story: LeadStory }): ReactNode {
  if (rawBody === null) {
    return (
      <Text size="sm">
        {rawBodyBytes === null
          ? 'No longer stored: retention time over, or personal data erased.'
          : `The body of ${formatBytes(rawBodyBytes)} was not stored, because too many of the supplier’s submissions were rejected that day.`}
      </Text>
    );
  }
  return (
    <>
      {rawBodyBytes !== null && (
        <Text size="sm" mb="xs">
          The first 8 KiB of {formatBytes(rawBodyBytes)}: bodies of rejected leads are not stored whole.
        </Text>
      )}
      <CodeBlock text={pretty(rawBody)} label="the submission as received" />
    </>
  );
}

const LABELS = {
  fullName: 'Name',
  firstName: 'First name',
  middleName: 'Middle name',
  lastName: 'Last name',
  namePrefix: 'Title',
  nameSuffix: 'Name suffix',
  phone: 'Phone',
  email: 'Email',
  businessName: 'Business',
  state: 'State',
  debtAmountCents: 'Debt amount',
  source: 'Source',
  utmSource: 'utm_source',
  utmCampaign: 'utm_campaign',
  leadIp: 'IP address',
  appointmentAt: 'Requested appointment',
} as const satisfies Partial<Record<keyof StoredFields, string>>;

function FieldFacts({
  lead: { fields, verticalName },
  currency,
}: {
  readonly lead: LeadStory['lead'];
  readonly currency: string;
}): ReactNode {
  if (fields === null) return null;
  const facts = Object.entries(LABELS).flatMap(([name, label]): Fact[] => {
    const value = fields[name as keyof typeof LABELS] ?? null;
    return value === null ? [] : [[label, shown(name, value, currency)]];
  });
  const own = Object.entries(fields.own ?? {}).map(([name, { label = name, ...field }]) =>
    withNote({ ...field, name, label }),
  );
  const vertical: Fact[] = verticalName === null ? [] : [['Vertical', verticalName]];
  const others = Object.entries(fields.extra ?? {}).map(([name, value]): Fact => {
    return [name, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  return <Facts columns={3} facts={[...facts, ...vertical, ...ownFacts(own, currency), ...others]} />;
}

function shown(name: string, value: string | number, currency: string): ReactNode {
  if (typeof value === 'number') return formatMoney(value / 100, currency);
  if (name === 'phone')
    return (
      <Anchor href={`tel:${value}`} inherit>
        {formatPhone(value)}
      </Anchor>
    );
  if (name === 'email') return <EmailLink email={value} />;
  return name === 'appointmentAt' ? <Time at={value} /> : value;
}

function ConsentFacts({ consent }: { readonly consent: StoryConsent }): ReactNode {
  const link = (url: string | null): ReactNode => (url === null ? null : <OutsideLink href={url} />);
  const given = consent.consentTimestamp === null ? null : <Time at={consent.consentTimestamp} />;
  return (
    <Facts
      facts={[
        ['Consent to calls', consent.tcpaConsent ? 'Yes' : 'No'],
        ['Given', given],
        ['Version', consent.consentVersion],
        ['Wording', consent.consentText],
        ['Form', link(consent.sourceFormUrl)],
        ['IP address', consent.leadIp],
        ['TrustedForm certificate', link(consent.trustedformCertUrl)],
        ['Jornaya id', consent.jornayaLeadId],
        ['Stored', <Time key="kept" at={consent.storedAt} />],
      ]}
    />
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // The body of a rejected submission may not be JSON.
    return body;
  }
}

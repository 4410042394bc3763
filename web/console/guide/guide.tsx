// The guide that sets up a new marketplace, up to its first confirmed delivery. What is done is read from the marketplace, so it can be left at any time.
import { Box, Group, List, Stack, Text } from '@mantine/core';
import { CheckCircledIcon, CircleIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';

import { CodeBlock } from '../../ui/copy.tsx';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useConsoleSession } from '../session.ts';
import { type GuideFacts, nextStep, STEP_NAMES, type StepName, stepsOf, useFirstSteps } from './steps.ts';

export function GuidePage(): ReactNode {
  const query = useFirstSteps();
  return (
    <Page
      title="Set up your marketplace"
      description="From nothing to the first lead that a partner has received. Leave at any time: the overview leads back here."
      actions={
        <ButtonLink to="/" variant="default">
          Overview
        </ButtonLink>
      }
    >
      <Loaded query={query} what="Loading the guide">
        {(data) => {
          const steps = stepsOf(data);
          const next = nextStep(steps);
          return (
            <Stack gap="md">
              {next === null && (
                <Text role="status">
                  Your marketplace sells leads. <PageLink to="/leads">See how the first one was decided</PageLink>.
                </Text>
              )}
              <List listStyleType="none" spacing="sm" type="ordered" aria-label="Steps">
                {STEP_NAMES.map((name) => (
                  <Step key={name} {...steps[name]} isNext={name === next}>
                    <Content step={name} facts={data.steps} isNext={name === next} />
                  </Step>
                ))}
              </List>
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Step({
  name,
  isDone,
  isOptional = false,
  isNext,
  children,
}: {
  readonly name: string;
  readonly isDone: boolean;
  readonly isOptional?: boolean;
  readonly isNext: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const note = isDone ? 'done' : isOptional ? 'optional' : isNext ? 'next' : 'open';
  return (
    <List.Item
      className="lm-card"
      p="md"
      styles={{ itemWrapper: { display: 'block' } }}
      aria-current={isNext ? 'step' : undefined}
    >
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Box c={isDone ? 'var(--lm-good)' : 'var(--lm-idle)'} pt={3} aria-hidden="true">
          {isDone ? <CheckCircledIcon width={18} height={18} /> : <CircleIcon width={18} height={18} />}
        </Box>
        <Stack gap="xs" flex={1} miw={0}>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          </Group>
          {children}
        </Stack>
      </Group>
    </List.Item>
  );
}

type ContentProps = { readonly step: StepName; readonly facts: GuideFacts | null; readonly isNext: boolean };

function Content({ step, facts, isNext }: ContentProps): ReactNode {
  const { name } = useConsoleSession();
  const look = { variant: isNext ? 'filled' : 'default', size: 'xs', style: { alignSelf: 'flex-start' } } as const;
  const { partner = null, offer = null, supplier = null } = facts ?? {};
  const ofPartner = partner === null ? null : { partnerKey: partner };
  const ofSupplier = supplier === null ? null : { supplierKey: supplier };
  switch (step) {
    case 'operator':
      return (
        <Words>
          You are signed in as {name}. A second factor and your sessions are under{' '}
          <PageLink to="/access">Access</PageLink>.
        </Words>
      );
    case 'partner':
      return ofPartner === null ? (
        <>
          <Words>A name and a time zone are enough. Set a credit limit: new leads stop when it is used up.</Words>
          <ButtonLink to="/partners/new" {...look}>
            Add a partner
          </ButtonLink>
        </>
      ) : (
        <PageLink to="/partners/$partnerKey" params={ofPartner}>
          {partner}
        </PageLink>
      );
    case 'offer':
      if (ofPartner === null) return null;
      return offer === null ? (
        <>
          <Words>States, a daily cap and a price. Leads that match are sold to the best offer.</Words>
          <ButtonLink to="/partners/$partnerKey/offers/new" params={ofPartner} {...look}>
            Add an offer
          </ButtonLink>
        </>
      ) : (
        <PageLink to="/partners/$partnerKey/offers/$offerKey" params={{ ...ofPartner, offerKey: offer }}>
          {offer}
        </PageLink>
      );
    case 'channel':
      return (
        <>
          <Words>
            A signed webhook, email, SMS or Google Sheets. Without one the partner reads its leads in the portal and by
            the API.
          </Words>
          {ofPartner !== null && (
            <ButtonLink to="/partners/$partnerKey" params={ofPartner} search={{ tab: 'settings' }} {...look}>
              Choose channels
            </ButtonLink>
          )}
        </>
      );
    case 'test':
      return (
        <>
          <Words>Sends a made-up lead to the webhook and shows the response. Nothing is sold.</Words>
          {facts?.hasChannel === true && ofPartner !== null && (
            <ButtonLink to="/partners/$partnerKey" params={ofPartner} search={{ tab: 'webhook' }} {...look}>
              Send a test
            </ButtonLink>
          )}
        </>
      );
    case 'supplier':
      return ofSupplier === null ? (
        <ButtonLink to="/suppliers/new" {...look}>
          Add a supplier
        </ButtonLink>
      ) : (
        <PageLink to="/suppliers/$supplierKey" params={ofSupplier}>
          {supplier}
        </PageLink>
      );
    case 'mapping':
      return (
        <>
          <Words>Needed if the supplier names its fields differently from the standard names.</Words>
          {ofSupplier !== null && (
            <ButtonLink to="/suppliers/$supplierKey" params={ofSupplier} search={{ tab: 'settings' }} {...look}>
              Map fields
            </ButtonLink>
          )}
        </>
      );
    case 'key':
      return (
        <>
          <Words>The supplier posts leads with it, and signs in to the portal. It is shown once.</Words>
          {ofSupplier !== null && (
            <ButtonLink to="/suppliers/$supplierKey" params={ofSupplier} search={{ tab: 'keys' }} {...look}>
              {facts?.hasKey === true ? 'Keys' : 'Issue a key'}
            </ButtonLink>
          )}
        </>
      );
    case 'lead':
      return facts?.hasKey === true ? (
        <>
          <Words>
            Paste the key into the first line, and change the state to one that your offer buys. The response says that
            the lead is stored.
          </Words>
          <CodeBlock text={firstLead()} label="Commands that post a lead" />
        </>
      ) : null;
    default:
      return (
        <Words>
          Follows by itself within seconds. If it does not, <PageLink to="/leads">the lead’s page</PageLink> says why,
          offer by offer.
        </Words>
      );
  }
}

function Words({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

function firstLead(): string {
  const lead = {
    external_id: 'first-lead',
    full_name: 'Jordan Rivera',
    phone: '+12135550188',
    email: 'jordan.rivera@example.com',
    state: 'CA',
    debt_amount: '24500',
    consent_timestamp: new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString(),
  };
  return [
    'KEY=lms_…',
    `curl -sS ${location.origin}/api/v1/ingest -H 'content-type: application/json' -H "x-api-key: $KEY" \\`,
    `  -d '${JSON.stringify(lead)}'`,
  ].join('\n');
}

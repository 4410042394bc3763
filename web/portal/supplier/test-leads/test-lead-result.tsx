// The exact response to a test lead, and the simulated routing decision.
import { Code, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { TestLeadResponse } from '../../../../src/portal/supplier/test-leads.schema.ts';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Section } from '../../../ui/facts.tsx';
import { PageLink } from '../../../ui/link.tsx';
import { request } from '../../portal-api.ts';
import { Loaded } from '../../../ui/states.tsx';
import { LeadStatus, Reasons } from '../lead-status.tsx';
import { prettyJson } from '../pretty-json.ts';

/** A fallback: live updates arrive sooner while connected. */
const ASK_EVERY_MS = 2000;

const MEANINGS: Readonly<Record<number, string>> = {
  202: 'Accepted: a real lead would be routed now.',
  409: 'A test lead with this id but different content was posted before. Use another id.',
  422: 'Rejected: a real lead would get the same response.',
};

export function TestLeadResult({ response }: { readonly response: TestLeadResponse }): ReactNode {
  const { status, body, isRepeat, leadId } = response;
  return (
    <Stack gap="lg">
      <Section title="Response">
        <Text size="sm">
          <Code>{status}</Code> {MEANINGS[status]}
          {isRepeat && ' The same lead was posted before, so this is the first response again.'}
        </Text>
        <CodeBlock text={prettyJson(body)} label="the response body" />
      </Section>
      {leadId !== null && <Decision leadId={leadId} />}
    </Stack>
  );
}

function Decision({ leadId }: { readonly leadId: string }): ReactNode {
  const query = useQuery({
    queryKey: ['submissions', 'test-lead', leadId],
    queryFn: ({ signal }) => request('GET /portal/api/supplier/test-leads/:leadId', { params: { leadId }, signal }),
    refetchInterval: ({ state }) => (state.data?.isDecided === true ? false : ASK_EVERY_MS),
  });
  return (
    <Section title="Simulated decision">
      <Loaded query={query} what="Loading the decision">
        {(decision) => (
          <Stack gap="md">
            <Group gap="sm">
              <Text size="sm" fw={600} component="span">
                <LeadStatus status={decision.status} />
              </Text>
              <Text size="sm">{decision.statusMeaning}</Text>
              {!decision.isDecided && <Loader size="xs" aria-hidden="true" />}
            </Group>
            {decision.score !== null && (
              <Text size="sm">
                Score <strong>{decision.score}</strong> of 100.
              </Text>
            )}
            <Reasons reasons={decision.reasons} lacking={decision.lacking} />
            <Text size="sm">
              <PageLink to="/supply/submissions/$leadId" params={{ leadId }}>
                View the submission
              </PageLink>
            </Text>
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

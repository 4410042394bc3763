// The answer to a test lead, to the letter, and the decision on paper as soon as there is one.
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

/** Live changes tell sooner; this is for when the connection is away. */
const ASK_EVERY_MS = 2000;

const MEANINGS: Readonly<Record<number, string>> = {
  202: 'Accepted: a real lead would now be on its way.',
  409: 'A test lead with this id and other content was posted before. Give this one another id.',
  422: 'Refused: a real lead would have got the same answer.',
};

export function TestLeadResult({ response }: { readonly response: TestLeadResponse }): ReactNode {
  const { status, body, isRepeat, leadId } = response;
  return (
    <Stack gap="lg">
      <Section title="The answer">
        <Text size="sm">
          <Code>{status}</Code> {MEANINGS[status]}
          {isRepeat && ' The same lead was posted before, so this is the answer of the first time.'}
        </Text>
        <CodeBlock text={prettyJson(body)} label="the body of the answer" />
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
    <Section title="The decision on paper">
      <Loaded query={query} what="Reading the decision">
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
                See how it was read
              </PageLink>
            </Text>
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

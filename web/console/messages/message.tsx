// One attempt at a message: what was sent, what the partner's endpoint responded, why it failed, and sending it again.
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { MessageDetail } from '../../../src/console/messages.schema.ts';
import { CHANNEL_NAMES } from '../../ui/channel-names.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { type Fact, Facts, Section } from '../../ui/facts.tsx';
import { formatSpan } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { RequestError } from '../../ui/request.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/zone.tsx';
import { Allowed, useMay } from '../allowed.tsx';
import { request } from '../console-api.ts';
import { RetryDelivery } from '../leads/retry-delivery.tsx';
import { adviceFor, NO_REQUEST, OUTCOMES, TYPES } from './message-words.ts';

export function MessagePage(): ReactNode {
  const { attemptId = '' } = useParams({ strict: false }) as { readonly attemptId?: string };
  const query = useQuery({
    queryKey: ['messages', 'one', attemptId],
    queryFn: ({ signal }) => request('GET /console/api/messages/:attemptId', { params: { attemptId }, signal }),
  });
  const isUnknown = query.data === undefined && query.error instanceof RequestError && query.error.status === 404;
  return (
    <Page title="Message" description={attemptId}>
      {isUnknown ? (
        <Empty title="Attempt not found">
          The id may be mistyped, or the attempt was deleted after its retention time.
        </Empty>
      ) : (
        <Loaded query={query} what="Loading the message">
          {(message) => <Shown message={message} />}
        </Loaded>
      )}
    </Page>
  );
}

function Shown({ message }: { readonly message: MessageDetail }): ReactNode {
  const { deliveryId, deliveryRef, partner, partnerName, deliveryStatus, refusal, channel } = message;
  const isFailed = deliveryStatus === 'Failed' && channel === 'webhook' && refusal === null;
  return (
    <Stack gap="lg">
      <Section
        title="Attempt"
        actions={
          <>
            {isFailed && deliveryId !== null && deliveryRef !== null && (
              <RetryDelivery deliveryId={deliveryId} deliveryRef={deliveryRef} partnerName={partnerName} />
            )}
            <Allowed to="operate">
              {' '}
              <ButtonLink to="/messages/replay" search={{ partner }} size="compact-sm" variant="default">
                Replay deliveries
              </ButtonLink>
            </Allowed>
            {message.outcome === 'dead_letter' && (
              <ButtonLink to="/jobs" size="compact-sm" variant="default">
                Open dead letters
              </ButtonLink>
            )}
          </>
        }
      >
        <Facts columns={3} facts={factsOf(message)} />
        <Advice message={message} />
      </Section>
      <Section title="Response">
        <ResponseText message={message} />
      </Section>
      <Section title="Request">
        <SentRequest attemptId={message.attemptId} />
      </Section>
    </Stack>
  );
}

function factsOf(message: MessageDetail): readonly Fact[] {
  const { outcome, type, partner, partnerName, leadId, deliveryRef, deliveryStatus, nextAttemptAt, latencyMs } =
    message;
  return [
    [
      'Outcome',
      <Status key="outcome" tone={OUTCOMES[outcome].tone}>
        {OUTCOMES[outcome].words}
      </Status>,
    ],
    [
      'Partner',
      <PageLink key="partner" to="/partners/$partnerKey" params={{ partnerKey: partner }}>
        {partnerName}
      </PageLink>,
    ],
    ['Message', TYPES[type] ?? type],
    ...(leadId === null || deliveryRef === null
      ? []
      : ([
          [
            'Lead',
            <PageLink key="lead" to="/leads/$leadId" params={{ leadId }}>
              {deliveryRef}
            </PageLink>,
          ],
          ['Status of the delivery', deliveryStatus],
        ] as const)),
    ['Channel', CHANNEL_NAMES[message.channel] ?? message.channel],
    ['Target', message.target],
    ['Began', <Time key="at" at={message.at} />],
    ['Attempt', message.attempt],
    ['Duration', latencyMs === null ? null : formatSpan(latencyMs)],
    ...(nextAttemptAt === null ? [] : ([['Next attempt', <Time key="next" at={nextAttemptAt} />]] as const)),
  ];
}

function Advice({ message }: { readonly message: MessageDetail }): ReactNode {
  const advice = adviceFor(message);
  if (advice === null) return null;
  return (
    <Text size="sm">
      <b>What to do.</b> {advice}
    </Text>
  );
}

function ResponseText({
  message: { responseCode, responseSnippet, error },
}: {
  readonly message: MessageDetail;
}): ReactNode {
  return (
    <>
      <Facts columns={3} facts={[['Status', responseCode], ...(error === null ? [] : ([['Cause', error]] as const))]} />
      {responseSnippet === null || responseSnippet === '' ? (
        <Text size="sm" c="dimmed">
          {responseCode === null ? 'No response.' : 'Empty body, or no longer kept.'}
        </Text>
      ) : (
        <CodeBlock text={responseSnippet} label="the response" />
      )}
    </>
  );
}

/** Requested apart, because it shows a person: only with the right to read it, and each read is recorded. */
function SentRequest({ attemptId }: { readonly attemptId: string }): ReactNode {
  const may = useMay('persons');
  const query = useQuery({
    queryKey: ['messages', 'request', attemptId],
    queryFn: ({ signal }) => request('GET /console/api/messages/:attemptId/request', { params: { attemptId }, signal }),
    enabled: may,
  });
  if (!may) {
    return (
      <Text size="sm" c="dimmed">
        Your role does not show personal data.
      </Text>
    );
  }
  return (
    <Loaded query={query} what="Loading the request">
      {({ request: sent, isStandard, why, error }) =>
        sent === null ? (
          <Text size="sm" c="dimmed">
            {why === null ? 'Not available.' : NO_REQUEST[why]} {error}
          </Text>
        ) : (
          <>
            <CodeBlock text={textOf(sent, isStandard)} label="the request" />
            <Text size="xs" c="dimmed">
              {isStandard
                ? 'The body is the exact text of every attempt, sent as one line. The URL is the current one; the signature is hidden.'
                : 'Rebuilt with the current URL and webhook format. Secrets are shown as ••••.'}
            </Text>
          </>
        )
      }
    </Loaded>
  );
}

type Sent = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

function textOf({ method, url, headers, body }: Sent, isStandard: boolean): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = body === null ? '' : isStandard ? JSON.stringify(JSON.parse(body), null, 2) : body;
  return [`${method} ${url}`, ...lines, '', text].join('\n').trimEnd();
}

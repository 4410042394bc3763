// One submission: what became of it and why, what came in, how it was read, what was answered, and what was told about it.
import { Alert, Badge, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Callback, ReadField, Submission } from '../../../../src/portal/supplier/submissions.schema.ts';
import { CodeBlock, CopyText } from '../../../ui/copy.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Facts, Section } from '../../../ui/facts.tsx';
import { formatBytes } from '../../../ui/formats.ts';
import { ButtonLink } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { Status, type Tone } from '../../../ui/status.tsx';
import { Time, ZoneNote } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { LeadStatus, Reasons } from '../lead-status.tsx';
import { prettyJson } from '../pretty-json.ts';

export function SubmissionPage(): ReactNode {
  const { leadId = '' } = useParams({ strict: false }) as { readonly leadId?: string };
  const query = useQuery({
    queryKey: ['submissions', 'one', leadId],
    queryFn: ({ signal }) => request('GET /portal/api/supplier/submissions/:leadId', { params: { leadId }, signal }),
  });
  return (
    <Page
      title="Submission"
      description={<ZoneNote />}
      actions={
        query.data === undefined || query.data.body === null || query.data.bodyBytes !== null ? undefined : (
          <ButtonLink to="/supply/test-lead" search={{ from: leadId }} variant="default">
            Post it again as a test
          </ButtonLink>
        )
      }
    >
      <Loaded query={query} what="Loading the submission">
        {(submission) => (
          <>
            <Outcome submission={submission} />
            <Received submission={submission} />
            <Reading submission={submission} />
            <Section title="The answer">
              <Text size="sm">
                Status <Code>{submission.response.status}</Code>, and besides what is here the time that it took.
              </Text>
              <CodeBlock text={prettyJson(submission.response.body)} label="the body of the answer" />
            </Section>
            <Callbacks submission={submission} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Outcome({ submission }: { readonly submission: Submission }): ReactNode {
  const { leadId, externalId, status, statusMeaning, score, receivedAt, decidedAt, test, reasons, lacking } =
    submission;
  return (
    <Section title="What became of it">
      <Group gap="sm">
        <Text size="sm" fw={600} component="span">
          <LeadStatus status={status} />
        </Text>
        {test && (
          <Badge variant="outline" color="gray" c="inherit">
            Test
          </Badge>
        )}
        <Text size="sm">{statusMeaning}</Text>
      </Group>
      <Reasons reasons={reasons} lacking={lacking} />
      <Facts
        columns={3}
        facts={[
          [
            'Lead id',
            <Group key="id" gap={4} wrap="nowrap">
              <span>{leadId}</span>
              <CopyText text={leadId} what="the lead id" />
            </Group>,
          ],
          ['Your id', externalId],
          ['Score', score],
          ['Received', <Time key="received" at={receivedAt} />],
          ['Decided', decidedAt === null ? null : <Time key="decided" at={decidedAt} />],
        ]}
      />
    </Section>
  );
}

function Received({ submission: { body, bodyBytes, erasedAt } }: { readonly submission: Submission }): ReactNode {
  return (
    <Section title="What was received">
      {erasedAt !== null && (
        <Alert variant="outline" color="gray" title="The person was erased">
          What came in was deleted on <Time at={erasedAt} />.
        </Alert>
      )}
      {body === null ? (
        erasedAt === null && (
          <Text size="sm">
            {bodyBytes === null
              ? 'The body is not kept any more; what was read from it is below.'
              : `The body had ${formatBytes(bodyBytes)} and was not kept: too many of your submissions were rejected that day.`}
          </Text>
        )
      ) : (
        <>
          {bodyBytes !== null && (
            <Text size="sm">
              Cut at 8 KiB of {formatBytes(bodyBytes)}, because it was rejected. Below is what was wrong with it.
            </Text>
          )}
          <CodeBlock text={prettyJson(body)} label="the body as received" />
        </>
      )}
    </Section>
  );
}

function Reading({ submission: { reading, isMapped } }: { readonly submission: Submission }): ReactNode {
  return (
    <Section title="How it was read">
      <Text size="sm" c="dimmed">
        {isMapped
          ? 'By your field mapping as it is now. What stands under “Read as” is what buyers see and decide by.'
          : 'What stands under “Read as” is what buyers see and decide by.'}
      </Text>
      <DataTable
        caption="Fields and how they were read"
        columns={READING_COLUMNS}
        rows={reading.fields}
        rowKey={({ field }) => field}
        isHighlighted={({ fault }) => fault !== null}
        empty={<Empty title="No field was read">None of the names in the body is the name of a field.</Empty>}
      />
      {reading.extra.length > 0 && (
        <Text size="sm">
          Kept with the lead, and not read as a field:{' '}
          {reading.extra.map((name, index) => (
            <span key={name}>
              {index > 0 && ', '}
              <Code style={{ overflowWrap: 'anywhere' }}>{name}</Code>
            </span>
          ))}
        </Text>
      )}
    </Section>
  );
}

const READING_COLUMNS: readonly Column<ReadField>[] = [
  { key: 'field', title: 'Field', cell: ({ field }) => <Code>{field}</Code> },
  {
    key: 'from',
    title: 'From',
    cell: ({ field, from, isConstant }) =>
      isConstant ? 'your mapping' : from === null ? <None /> : from === field ? 'the same name' : <Code>{from}</Code>,
  },
  { key: 'sent', title: 'Sent', cell: ({ sent }) => <Value text={sent} /> },
  { key: 'read', title: 'Read as', cell: ({ read: value }) => <Value text={value} /> },
  {
    key: 'fault',
    title: 'Fault',
    cell: ({ fault }) => (fault === null ? null : <Status tone="bad">{fault}</Status>),
  },
];

function Value({ text }: { readonly text: string | null }): ReactNode {
  if (text === null) return <None />;
  return (
    <Text size="sm" miw={150} maw={360} style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  );
}

function None(): ReactNode {
  return <span aria-label="nothing">—</span>;
}

const CALLBACK_TONES: Readonly<Record<Callback['state'], Tone>> = {
  waiting: 'warn',
  delivered: 'good',
  failed: 'bad',
  dropped: 'idle',
};

const CALLBACK_COLUMNS: readonly Column<Callback>[] = [
  { key: 'type', title: 'Type', cell: ({ type }) => <Code>{type}</Code> },
  { key: 'state', title: 'State', cell: ({ state }) => <Status tone={CALLBACK_TONES[state]}>{state}</Status> },
  { key: 'attempts', title: 'Attempts', numeric: true, cell: ({ attempts }) => attempts },
  {
    key: 'answer',
    title: 'Last answer',
    cell: ({ responseCode, error }) => error ?? responseCode ?? <None />,
  },
  { key: 'queued', title: 'Became true', cell: ({ queuedAt }) => <Time at={queuedAt} /> },
  {
    key: 'tried',
    title: 'Last attempt',
    cell: ({ triedAt }) => (triedAt === null ? <None /> : <Time at={triedAt} />),
  },
];

function Callbacks({ submission }: { readonly submission: Submission }): ReactNode {
  const { callbacks, callbackEvents, test } = submission;
  return (
    <Section title="Callbacks">
      <DataTable
        caption="Callbacks about this lead"
        columns={CALLBACK_COLUMNS}
        rows={callbacks}
        rowKey={({ callbackId }) => callbackId}
        empty={
          <Empty title="Nothing was sent">
            {callbackEvents === null
              ? 'You have no callback set up. Ask the operator for one if you want to be told what becomes of your leads.'
              : test
                ? 'Nothing is told about tests.'
                : 'Your callback gets only the events that you asked for, and none of them has happened to this lead.'}
          </Empty>
        }
      />
      {callbacks.some(({ state }) => state === 'failed') && (
        <Stack gap="xs">
          <Text size="sm">
            A callback that failed for good is sent again when the operator says so. Put your endpoint right first.
          </Text>
        </Stack>
      )}
    </Section>
  );
}

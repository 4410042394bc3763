// The page of one submission: outcome, received body, field mapping, response, callbacks.
import { Alert, Badge, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { SubmissionEarnings } from '../../../../src/portal/supplier/submission-earnings.schema.ts';
import type { Callback, Submission } from '../../../../src/portal/supplier/submissions.schema.ts';
import { CodeBlock, CopyText } from '../../../ui/copy.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Facts, Section } from '../../../ui/facts.tsx';
import { formatBytes, formatMoney } from '../../../ui/formats.ts';
import { ButtonLink, ListLink } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import { None, ReadingTable } from '../../../ui/reading-table.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { Status, type Tone } from '../../../ui/status.tsx';
import { Time, ZoneNote } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { useMay } from '../../session.ts';
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
      title={typeof query.data?.externalId === 'string' ? `Submission ${query.data.externalId}` : 'Submission'}
      description={<ZoneNote />}
      actions={
        <>
          <ListLink to="/supply/submissions">All submissions</ListLink>
          {query.data !== undefined && query.data.body !== null && query.data.bodyBytes === null && (
            <ButtonLink to="/supply/test-lead" search={{ from: leadId }} variant="default">
              Post again as a test
            </ButtonLink>
          )}
        </>
      }
    >
      <Loaded query={query} what="Loading the submission">
        {(submission) => (
          <>
            <Outcome submission={submission} />
            <Earned submission={submission} />
            <Received submission={submission} />
            <Reading submission={submission} />
            <Section title="Response">
              <Text size="sm">
                Status <Code>{submission.response.status}</Code>. The original response also contained the processing
                time.
              </Text>
              <CodeBlock text={prettyJson(submission.response.body)} label="the response body" />
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
    <Section title="Outcome">
      <Group gap="sm">
        <Text size="sm" fw={600} component="span">
          <LeadStatus status={status} />
        </Text>
        {test && (
          <Badge variant="outline" color="gray" c="inherit">
            Test
          </Badge>
        )}
        {status !== 'Lead Sale' && <Text size="sm">{statusMeaning}</Text>}
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

const LINE_WORDS: Readonly<Record<SubmissionEarnings['lines'][number]['kind'], string>> = {
  earned: 'Sale',
  clawed_back: 'Taken back for a return',
  paid_out: 'Paid out',
  adjusted: 'Adjusted',
};

type EarningLine = SubmissionEarnings['lines'][number] & { readonly id: number };

function earningColumns(money: (amount: number) => string): ReadonlyArray<Column<EarningLine>> {
  return [
    { key: 'kind', title: 'For', cell: ({ kind }) => LINE_WORDS[kind] },
    { key: 'at', title: 'Time', cell: ({ at }) => <Time at={at} /> },
    { key: 'amount', title: 'Amount', numeric: true, cell: ({ amount }) => money(amount) },
  ];
}

/** Money of the lead, for users who may see it; no section if there is none. */
function Earned({ submission: { leadId, status } }: { readonly submission: Submission }): ReactNode {
  const mayReadMoney = useMay('money');
  const { data } = useQuery({
    // With the status, because a sale brings its earning.
    queryKey: ['submissions', 'one', leadId, 'earnings', status],
    queryFn: ({ signal }) =>
      request('GET /portal/api/supplier/submissions/:leadId/earnings', { params: { leadId }, signal }),
    enabled: mayReadMoney,
  });
  if (data === undefined || data.lines.length === 0) return null;
  const money = (amount: number): string => formatMoney(amount, data.currency);
  return (
    <Section title={`Earned ${money(data.total)}`}>
      <DataTable
        caption="What this lead earned"
        columns={earningColumns(money)}
        rows={data.lines.map((line, id) => ({ ...line, id }))}
        rowKey={({ id }) => String(id)}
        empty={null}
      />
    </Section>
  );
}

function Received({ submission: { body, bodyBytes, erasedAt } }: { readonly submission: Submission }): ReactNode {
  return (
    <Section title="Received body">
      {erasedAt !== null && (
        <Alert variant="outline" color="gray" title="Personal data erased">
          The body was deleted on <Time at={erasedAt} />.
        </Alert>
      )}
      {body === null ? (
        erasedAt === null && (
          <Text size="sm">
            {bodyBytes === null
              ? 'The body is no longer stored; the fields read from it are below.'
              : `The body of ${formatBytes(bodyBytes)} was not stored, because too many of your submissions were rejected that day.`}
          </Text>
        )
      ) : (
        <>
          {bodyBytes !== null && (
            <Text size="sm">
              The first 8 KiB of {formatBytes(bodyBytes)}: bodies of rejected leads are not stored whole. The errors are
              below.
            </Text>
          )}
          <CodeBlock text={prettyJson(body)} label="the body as received" />
        </>
      )}
    </Section>
  );
}

function Reading({ submission: { reading, isMapped, status } }: { readonly submission: Submission }): ReactNode {
  return (
    <Section title="Fields">
      <Text size="sm" c="dimmed">
        {isMapped && 'Read with your current field mapping. '}
        {status === 'Invalid'
          ? 'Only the fields with an error have to be corrected.'
          : 'Buyers see the values under “Read as”.'}
      </Text>
      <ReadingTable reading={reading} isRejected={status === 'Invalid'} />
    </Section>
  );
}

const CALLBACK_TONES: Readonly<Record<Callback['state'], Tone>> = {
  waiting: 'warn',
  delivered: 'good',
  failed: 'bad',
  dropped: 'idle',
};

const CALLBACK_COLUMNS: readonly Column<Callback>[] = [
  { key: 'type', title: 'Type', cell: ({ type }) => <Code>{type}</Code> },
  { key: 'state', title: 'Status', cell: ({ state }) => <Status tone={CALLBACK_TONES[state]}>{state}</Status> },
  { key: 'attempts', title: 'Attempts', numeric: true, cell: ({ attempts }) => attempts },
  {
    key: 'answer',
    title: 'Last response',
    cell: ({ responseCode, error }) => error ?? responseCode ?? <None />,
  },
  { key: 'queued', title: 'Queued', cell: ({ queuedAt }) => <Time at={queuedAt} /> },
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
          <Empty title="No callbacks">
            {callbackEvents === null
              ? 'No callback is set up. Ask the operator for one to be notified of the outcome of your leads.'
              : test
                ? 'There are no callbacks about tests.'
                : 'None of the events that your callback is set up for has happened to this lead.'}
          </Empty>
        }
      />
      {callbacks.some(({ state }) => state === 'failed') && (
        <Stack gap="xs">
          <Text size="sm">
            Failed callbacks are not retried automatically. Fix your endpoint, then ask the operator to send them again.
          </Text>
        </Stack>
      )}
    </Section>
  );
}

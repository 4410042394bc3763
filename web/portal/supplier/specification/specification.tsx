// The supplier's posting specification as a page, for print, and as a Markdown file.
import { Alert, Anchor, Box, Button, Code, CopyButton, Group, List, Stack, Text } from '@mantine/core';
import { DownloadIcon, Link2Icon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Specification } from '../../../../src/portal/supplier/specification.schema.ts';
import { WithContents } from '../../../ui/contents.tsx';
import { CodeBlock, CopyText } from '../../../ui/copy.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Section } from '../../../ui/facts.tsx';
import { formatDay, formatNumber } from '../../../ui/formats.ts';
import { PageLink } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { request } from '../../portal-api.ts';
import { CodeTabs } from './code-tabs.tsx';
import { Responses } from './responses.tsx';
import { Fields, Verticals } from './fields.tsx';
import styles from './specification.module.css';
import { NotApprovedNotice } from '../not-approved-notice.tsx';

const FILE = '/portal/api/supplier/specification.md';

const PARTS = [
  ['request', 'Request'],
  ['example', 'Example'],
  ['fields', 'Fields'],
  ['responses', 'Responses'],
  ['repeating', 'The same lead again'],
  ['callbacks', 'Callbacks'],
] as const;

export function SpecificationPage(): ReactNode {
  const query = useQuery({
    queryKey: ['account', 'specification'],
    queryFn: ({ signal }) => request('GET /portal/api/supplier/specification', { signal }),
    // The example contains the current time; the page should not change while it is read.
    refetchOnWindowFocus: false,
  });
  return (
    <Page
      title="Posting specification"
      description={
        query.data === undefined
          ? 'For the developer who posts your leads'
          : `For ${query.data.name}, as of ${formatDay(query.data.generatedAt, 'UTC')}. It contains no key, so you can share it.`
      }
      actions={
        <>
          <Button
            component="a"
            href={FILE}
            download
            variant="default"
            leftSection={<DownloadIcon aria-hidden="true" />}
          >
            Markdown file
          </Button>
          <CopyButton value={location.href}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy} leftSection={<Link2Icon aria-hidden="true" />}>
                {copied ? 'Copied' : 'Copy link'}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={() => window.print()} disabled={query.data === undefined}>
            Print
          </Button>
        </>
      }
    >
      <Loaded query={query} what="Loading your specification">
        {(specification) => (
          <WithContents page="/supply/specification" parts={PARTS}>
            <Stack gap="lg" className={styles['page']}>
              <NotApprovedNotice status={specification.status} />
              <Request specification={specification} />
              <Example specification={specification} />
              <Fields specification={specification} />
              <Verticals specification={specification} />
              <Responses responses={specification.responses} />
              <Section id="repeating" title="The same lead again">
                <Rules rules={specification.repeating} />
              </Section>
              <Callbacks callbacks={specification.callbacks} />
            </Stack>
          </WithContents>
        )}
      </Loaded>
    </Page>
  );
}

type Header = Specification['headers'][number];
const HEADER_COLUMNS: readonly Column<Header>[] = [
  { key: 'name', title: 'Header', cell: ({ name }) => <Code>{name}</Code> },
  { key: 'value', title: 'Value', cell: ({ value }) => <Code style={{ whiteSpace: 'nowrap' }}>{value}</Code> },
  {
    key: 'meaning',
    title: 'Description',
    cell: ({ meaning }) => (
      <Text size="sm" miw={220}>
        {meaning}
      </Text>
    ),
  },
];

function Request({ specification }: { readonly specification: Specification }): ReactNode {
  const { url, headers, rateLimit, bodyLimitKib } = specification;
  return (
    <Section id="request" title="Request">
      <Group gap="xs" wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere', minWidth: 0 }}>POST {url}</Code>
        <CopyText text={url} what="the address" />
      </Group>
      <DataTable
        caption="Request headers"
        columns={HEADER_COLUMNS}
        rows={headers}
        rowKey={({ name }) => name}
        empty={null}
      />
      <Rules
        rules={[
          `The body is one JSON object of at most ${bodyLimitKib} KiB.`,
          `At most ${formatNumber(rateLimit.perSecond)} requests per second, in bursts of up to ${formatNumber(rateLimit.burst)}. Every response reports the remaining number in RateLimit-Remaining.`,
          'Allow 30 seconds for a response. After a timeout the outcome is unknown: post the same lead again unchanged.',
        ]}
      />
    </Section>
  );
}

function Example({ specification }: { readonly specification: Specification }): ReactNode {
  const { example, samples, isMapped } = specification;
  if (example === null) {
    return (
      <Alert variant="outline" color="red" title="Your field mapping rejects every lead">
        The mapping produces values that fail the checks. Ask the operator to fix it.
      </Alert>
    );
  }
  return (
    <Section id="example" title="Example">
      <Text size="sm">
        {isMapped ? 'A lead in your own shape' : 'A lead'}
        {example.isTest
          ? ', marked as a test: it is checked, scored and routed, but not sold. Remove the mark when you go live.'
          : '. It is not a test: your mapping has no way to mark one.'}{' '}
        <PageLink to="/supply/test-lead" search={{ as: 'json' }}>
          Post it from here
        </PageLink>
      </Text>
      <CodeTabs label="Code that posts the example" samples={samples} />
    </Section>
  );
}

type Event = Specification['callbacks']['events'][number];
const EVENT_COLUMNS: readonly Column<Event>[] = [
  { key: 'type', title: 'Type', cell: ({ type }) => <Code style={{ whiteSpace: 'nowrap' }}>{type}</Code> },
  {
    key: 'meaning',
    title: 'When',
    cell: ({ meaning }) => (
      <Text size="sm" miw={180}>
        {meaning}
      </Text>
    ),
  },
  { key: 'sent', title: 'Sent to you', cell: ({ isSent }) => (isSent ? 'Yes' : 'No') },
];

function Callbacks({ callbacks }: { readonly callbacks: Specification['callbacks'] }): ReactNode {
  const { url, events, rules, samples } = callbacks;
  const shown = events.find(({ isSent }) => isSent) ?? events[0];
  return (
    <Section id="callbacks" title="Callbacks">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {url === null ? (
          'No callback is set up. Ask the operator for one to be notified of the outcome of your leads.'
        ) : (
          <>
            Sent to <Code>{url}</Code>. The signing secret is under Access.
          </>
        )}
      </Text>
      <DataTable
        caption="Callback events"
        columns={EVENT_COLUMNS}
        rows={events}
        rowKey={({ type }) => type}
        empty={null}
      />
      <Rules rules={rules} />
      {shown !== undefined && <CodeBlock text={shown.example} label="an example callback" />}
      <CodeTabs label="Code that verifies a callback" samples={samples} />
      <Text size="sm" c="dimmed">
        Signatures follow{' '}
        <Anchor inherit href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer noopener">
          Standard Webhooks
        </Anchor>
        , which has libraries for many languages.
      </Text>
    </Section>
  );
}

function Rules({ rules }: { readonly rules: readonly string[] }): ReactNode {
  return (
    <Box>
      <List size="sm" spacing={4}>
        {rules.map((rule) => (
          <List.Item key={rule}>{rule}</List.Item>
        ))}
      </List>
    </Box>
  );
}

// The latest responses to a webhook: beside the rules that read them, and as a table.
import { Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { WebhookResponse } from '../../../src/scopes/webhook-trial.schema.ts';
import { type Column, DataTable } from '../data-table.tsx';
import { Section } from '../facts.tsx';
import { Empty } from '../states.tsx';
import { Status } from '../status.tsx';
import { Time } from '../zone.tsx';

/** More is on the page of the delivery, and in the log of attempts. */
const EXCERPT = 200;

/** The latest response that this rule of the saved format has read; null for none. */
export function LastOfRule({
  responses,
  rule,
}: {
  readonly responses: readonly WebhookResponse[];
  readonly rule: number;
}): ReactNode {
  const last = responses.find((one) => one.isCurrent && one.rule === rule);
  if (last === undefined) return null;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      Last matched <Time at={last.at} />
      {last.test ? ' by a test' : ''}, status {last.responseCode}: <Excerpt response={last} />
    </Text>
  );
}

export function LatestResponses({ responses }: { readonly responses: readonly WebhookResponse[] }): ReactNode {
  return (
    <Section title="Latest responses">
      <Text size="sm" c="dimmed">
        Of leads and tests, with the rule that read each. Rules are numbered as they are now; responses from before the
        last change of the format have no number.
      </Text>
      <DataTable
        caption="Latest responses"
        columns={COLUMNS}
        rows={responses}
        rowKey={({ attemptId }) => attemptId}
        empty={<Empty title="No responses yet">They appear with the first lead or test.</Empty>}
      />
    </Section>
  );
}

const COLUMNS: ReadonlyArray<Column<WebhookResponse>> = [
  { key: 'at', title: 'Time', cell: ({ at }) => <Time at={at} /> },
  { key: 'about', title: 'Subject', cell: ({ test, deliveryRef }) => (test ? 'Test' : deliveryRef) },
  { key: 'status', title: 'Status', numeric: true, cell: ({ responseCode }) => responseCode },
  { key: 'rule', title: 'Rule', cell: ruleOf },
  { key: 'state', title: 'Attempt', cell: ({ state }) => <Status>{state}</Status> },
  { key: 'says', title: 'Response', cell: (response) => <Excerpt response={response} /> },
  { key: 'error', title: 'Result', cell: ({ error }) => error ?? '' },
];

function ruleOf({ isCurrent, rule }: WebhookResponse): string {
  if (!isCurrent) return 'earlier format';
  return rule === null ? 'none' : `Rule ${rule + 1}`;
}

function Excerpt({ response: { responseSnippet: text } }: { readonly response: WebhookResponse }): ReactNode {
  if (text === null || text === '') return 'empty';
  return <Code style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{shortened(text)}</Code>;
}

function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * EXCERPT)];
  return characters.length > EXCERPT || text.length > 2 * EXCERPT ? `${characters.slice(0, EXCERPT).join('')}…` : text;
}

// Reasons why leads were rejected or not sold, with counts and remedies.
import { Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { CountedReason, Overview } from '../../../../src/portal/supplier/overview.schema.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Section } from '../../../ui/facts.tsx';
import { formatNumber, formatShare } from '../../../ui/formats.ts';
import { PageLink } from '../../../ui/link.tsx';
import { Empty } from '../../../ui/states.tsx';
import { LeadStatus } from '../lead-status.tsx';

type Afterwards = Overview['rejections']['afterwards'][number];
type LackingField = Overview['lacking']['fields'][number];

const STATES: Readonly<Record<string, string>> = {
  Duplicate: 'duplicate',
  'No Buyer': 'no_buyer',
  Suppressed: 'suppressed',
};

/** The days of the overview as filters of the list, so that a link leads to the same leads. Months reach to the present. */
export function submissionDays({ unit, from, to }: Days): { readonly from: string; readonly to?: string } {
  return unit === 'day' ? { from, to } : { from };
}

type Days = Pick<Overview, 'unit' | 'from' | 'to'>;

export function Rejections({ overview }: { readonly overview: Overview }): ReactNode {
  const { atIngest, afterwards } = overview.rejections;
  const refused = overview.totals.submitted - overview.totals.accepted;
  return (
    <>
      <Section title="Rejected by the checks">
        {refused > 0 && (
          <Text size="sm" c="dimmed">
            {formatNumber(refused)} of {formatNumber(overview.totals.submitted)} failed the checks. A lead with several
            faults is counted under each.
          </Text>
        )}
        <DataTable
          caption="Submissions rejected by the checks, by reason"
          columns={ingestColumns(overview)}
          rows={atIngest}
          rowKey={({ reason }) => reason}
          empty={<Empty title="No rejections">Every submission in this period passed its checks.</Empty>}
        />
      </Section>
      <Section title="Accepted and not sold">
        <DataTable
          caption="Accepted leads that were not sold, by reason"
          columns={afterColumns(overview)}
          rows={afterwards}
          rowKey={({ reason }) => reason}
          empty={<Empty title="Nothing unsold">Every accepted lead in this period was sold or is pending.</Empty>}
        />
      </Section>
    </>
  );
}

const ingestColumns = (days: Days): readonly Column<CountedReason>[] => [
  {
    key: 'reason',
    title: 'Reason',
    cell: (counted) => <Remedy {...counted} name={<Code>{counted.reason}</Code>} />,
  },
  {
    key: 'leads',
    title: 'Leads',
    numeric: true,
    cell: ({ reason, leads }) => (
      <PageLink to="/supply/submissions" search={{ state: 'invalid', reason, ...submissionDays(days) }}>
        {formatNumber(leads)}
      </PageLink>
    ),
  },
  { key: 'share', title: 'Share', numeric: true, cell: ({ share }) => formatShare(share / 100) },
];

const afterColumns = (days: Days): readonly Column<Afterwards>[] => [
  {
    key: 'status',
    title: 'Status',
    cell: (counted) => <Remedy {...counted} name={<LeadStatus status={counted.status} />} />,
  },
  {
    key: 'leads',
    title: 'Leads',
    numeric: true,
    cell: ({ status, leads }) => (
      <PageLink to="/supply/submissions" search={{ state: STATES[status], ...submissionDays(days) }}>
        {formatNumber(leads)}
      </PageLink>
    ),
  },
  { key: 'share', title: 'Share', numeric: true, cell: ({ share }) => formatShare(share / 100) },
];

function Remedy({
  name,
  meaning,
  remedy,
}: Pick<CountedReason, 'meaning' | 'remedy'> & { readonly name: ReactNode }): ReactNode {
  return (
    <Stack gap={2} maw={720} fw={400}>
      <div>{name}</div>
      <Text size="sm">{meaning}</Text>
      <Text size="sm">
        <strong>What to do:</strong> {remedy}
      </Text>
    </Stack>
  );
}

const MISSING: Column<LackingField> = {
  key: 'field',
  title: 'Missing',
  cell: ({ field }) => <Code>{field}</Code>,
};

export function Lacking({ lacking }: { readonly lacking: Overview['lacking'] }): ReactNode {
  const { latest, unsold, sold, fields } = lacking;
  if (fields.every(({ lackingUnsold }) => lackingUnsold === 0)) return null;
  const columns: readonly Column<LackingField>[] = [
    MISSING,
    {
      key: 'unsold',
      title: 'Without buyer',
      numeric: true,
      cell: ({ lackingUnsold }) => part(lackingUnsold, unsold),
    },
    { key: 'sold', title: 'Sold', numeric: true, cell: ({ lackingSold }) => part(lackingSold, sold) },
  ];
  return (
    <Section title="Fields that unsold leads lack">
      <Text size="sm" c="dimmed">
        Of at most {formatNumber(latest)} latest submissions: {formatNumber(unsold)} without a buyer,{' '}
        {formatNumber(sold)} sold. Ask for fields that leads without a buyer lack far more often.
      </Text>
      <DataTable
        caption="Fields that leads without a buyer lack, compared with sold leads"
        columns={columns}
        rows={fields}
        rowKey={({ field }) => field}
        empty={<Empty title="No leads to compare" />}
      />
    </Section>
  );
}

function part(leads: number, all: number): string {
  return all === 0 ? '' : `${formatNumber(leads)} (${formatShare(leads / all)})`;
}

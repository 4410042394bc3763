// The console's overview: what the operator earns and keeps, against the span before, the funnel, by supplier and by partner; first what
// costs sales.
import { Code, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useContext, useEffect } from 'react';

import type { ReportDimension, ReportSpanName } from '../../../src/reports/report.schema.ts';
import { useConnection } from '../../ui/connection.ts';
import { Section } from '../../ui/facts.tsx';
import { choiceFilter, useFilters } from '../../ui/filters.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { ReportDays } from '../../ui/reports/report-days.tsx';
import { ReportTable } from '../../ui/reports/report-table.tsx';
import { MEASURE_NAMES, SPAN_NAMES } from '../../ui/reports/words.ts';
import { Loaded } from '../../ui/states.tsx';
import { Attention } from '../attention.tsx';
import { request } from '../console-api.ts';
import { DemoContext } from '../session.ts';
import { FUNNEL_MEASURES } from './funnel-steps.ts';
import { DECIDED_BY, useReport } from './use-report.ts';

const Warnings = lazyPart(async () => (await import('../warnings/warnings.tsx')).Warnings);

const Funnel = lazyPart(async () => (await import('./funnel.tsx')).Funnel);

const Totals = lazyPart(async () => (await import('./totals.tsx')).Totals);

const GuideCard = lazyPart(async () => (await import('../guide/guide-card.tsx')).GuideCard);

const SPANS = ['last-30-days', 'today', 'yesterday', 'last-7-days', 'this-month', 'last-month', 'this-year'] as const;
const FILTERS = { span: choiceFilter(SPANS) };

const WARNINGS_EVERY_MS = 5000;
/** The page Health has all. */
const WARNINGS_SHOWN = 5;
/** The largest; the report has all. */
const ROWS = 10;

/** A partner buys leads and does not submit any: sell-through has no value for it. */
const BY: ReadonlyArray<{ readonly by: 'supplier' | 'partner'; readonly title: string; readonly measures: string }> = [
  { by: 'supplier', title: 'By supplier', measures: 'margin,revenue,cost,sellThrough,returnRate' },
  { by: 'partner', title: 'By partner', measures: 'margin,revenue,cost,deliveries,returnRate' },
];

export function OverviewPage(): ReactNode {
  const [{ span }, change] = useFilters(FILTERS);
  const isDemo = useContext(DemoContext);
  // Together with the figures, not after them.
  useEffect(() => void Totals.preload(), []);
  const totals = useReport({
    measures: [...DECIDED_BY, ...FUNNEL_MEASURES, 'averagePrice'].join(','),
    span,
    compare: 'previous',
  });
  return (
    <Page
      title="Overview"
      description={totals.data === undefined ? undefined : <ReportDays report={totals.data} />}
      actions={
        // The browser's own: a list of ours would bring 8 KB to the first load.
        <NativeSelect
          aria-label="Days"
          data={SPANS.map((name) => ({ value: name, label: SPAN_NAMES[name] }))}
          value={span}
          onChange={({ currentTarget: { value } }) =>
            change({ span: SPANS.find((name) => name === value) ?? SPANS[0] })
          }
        />
      }
    >
      {isDemo && <DemoNotice />}
      <GuideCard />
      <TopWarnings />
      <Loaded query={totals} what="Loading the figures">
        {(report) => (
          <>
            <Totals report={report} span={span} />
            <Funnel report={report} span={span === SPANS[0] ? undefined : span} />
          </>
        )}
      </Loaded>
      {BY.map((one) => (
        <Split key={one.by} {...one} span={span} />
      ))}
    </Page>
  );
}

function DemoNotice(): ReactNode {
  return (
    <Attention title="This is the demo">
      Anyone who can reach this service can use the links, key and token that it printed. Before you use it for real
      leads, run <Code>leadmarket demo end</Code>; settings and history are kept.
    </Attention>
  );
}

/** What costs the most, first; nothing while that is unknown. */
function TopWarnings(): ReactNode {
  const { data, isError } = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => request('GET /console/api/health', { signal }),
    refetchInterval: WARNINGS_EVERY_MS,
    staleTime: 0,
  });
  const { isReachable } = useConnection();
  if (data === undefined) return null;
  const { warnings, lastLeadAt } = data;
  return (
    <Warnings warnings={warnings} lastLeadAt={lastLeadAt} isCurrent={isReachable && !isError} most={WARNINGS_SHOWN} />
  );
}

function Split({
  by,
  title,
  measures,
  span,
}: {
  readonly by: 'supplier' | 'partner';
  readonly title: string;
  readonly measures: string;
  readonly span: ReportSpanName;
}): ReactNode {
  const query = useReport({ by, measures, span, compare: 'previous', limit: ROWS });
  const search = { measures, compare: 'previous', ...(span === SPANS[0] ? {} : { span }) };
  const keyLink = (_dimension: ReportDimension, key: string, name: string): ReactNode => (
    <PageLink to="/reports" search={{ ...search, by: 'day', [by]: encodeURIComponent(key) }}>
      {name}
    </PageLink>
  );
  return (
    <Section
      title={title}
      actions={
        <Text size="sm" component="span">
          <PageLink to="/reports" search={{ ...search, by }}>
            {`Open report ${title.toLowerCase()}`}
          </PageLink>
        </Text>
      }
    >
      <Loaded query={query} what="Loading the table">
        {(report) => (
          <ReportTable
            report={report}
            caption={title}
            measureNames={MEASURE_NAMES}
            sort=""
            isStale={query.isPlaceholderData}
            keyLink={keyLink}
          />
        )}
      </Loaded>
    </Section>
  );
}

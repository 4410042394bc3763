// The page of reports, for operators, partners and suppliers: the question, the chart, and the table with the same figures.
import { Button, Group, Select, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { ReportFileQuery, ReportQuestion } from '../../../src/reports/report-question.schema.ts';
import type { Report } from '../../../src/reports/report.schema.ts';
import { CopyText } from '../copy.tsx';
import { Section } from '../facts.tsx';
import { Page } from '../page.tsx';
import type { ApiResponse } from '../request.ts';
import { ExcelChoice } from '../excel-choice.tsx';
import { saveFile } from '../save-file.ts';
import { Empty, Failure, Loaded } from '../states.tsx';
import { type Asked, type ChangeAsked, measuresIn, questionOf, useAsked } from './question.ts';
import { type Choices, QuestionForm } from './question-form.tsx';
import { ReportChart } from './report-chart.tsx';
import { ReportDays } from './report-days.tsx';
import { type KeyLink, ReportTable } from './report-table.tsx';
import { ChartBox } from '../chart-section.tsx';

export type ReportsFrameProps = {
  readonly choices: Choices;
  /** What is asked before anything is chosen. */
  readonly start: { readonly by: string; readonly measures: string };
  readonly read: (question: ReportQuestion, signal: AbortSignal) => Promise<Report>;
  readonly download: (question: ReportFileQuery) => Promise<ApiResponse<Blob>>;
  readonly keyLink?: KeyLink;
  /** Says under the table how the figures count. */
  readonly note?: string;
  /** Stands above the question. */
  readonly children?: ReactNode;
};

export function ReportsFrame({
  choices,
  start,
  read,
  download,
  keyLink,
  note,
  children,
}: ReportsFrameProps): ReactNode {
  const [found, change] = useAsked();
  const asked = found.measures === '' ? { ...found, ...start, by: found.by === '' ? start.by : found.by } : found;
  const question = questionOf(asked);
  const query = useQuery({
    queryKey: ['report', question],
    queryFn: ({ signal }) => read(question, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  return (
    <Page title="Reports" description={query.data === undefined ? undefined : <ReportDays report={query.data} />}>
      {children}
      <Section title="Question">
        <QuestionForm
          asked={asked}
          change={(changed, options) => change({ by: asked.by, measures: asked.measures, ...changed }, options)}
          choices={choices}
          report={query.data}
        />
      </Section>
      <Loaded query={query} what="Loading the report">
        {(report) => (
          <>
            <Chart report={report} asked={asked} change={change} choices={choices} />
            <Section title="Table" actions={<Actions question={question} download={download} />}>
              <ReportTable
                report={report}
                measureNames={choices.measureNames}
                sort={asked.sort}
                onSort={(sort) => change({ by: asked.by, measures: asked.measures, sort })}
                isStale={query.isPlaceholderData}
                {...(keyLink === undefined ? {} : { keyLink })}
              />
              {note !== undefined && (
                <Text size="xs" c="dimmed">
                  {note}
                </Text>
              )}
              {report.isCut && (
                <Text size="sm" c="dimmed">
                  There are more rows than are shown. The total contains all of them; choose fewer days or a filter to
                  see the others.
                </Text>
              )}
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Chart({
  report,
  asked,
  change,
  choices: { measureNames },
}: {
  readonly report: Report;
  readonly asked: Asked;
  readonly change: ChangeAsked;
  readonly choices: Choices;
}): ReactNode {
  const measure = report.measures.find((name) => name === asked.chart) ?? report.measures[0];
  if (measure === undefined || report.dimensions.length === 0) return null;
  const name = measureNames[measure];
  return (
    <Section
      title="Chart"
      actions={
        measuresIn(asked.measures).length > 1 && (
          <Select
            aria-label="Figure in the chart"
            size="xs"
            data={report.measures.map((one) => ({ value: one, label: measureNames[one] }))}
            value={measure}
            allowDeselect={false}
            onChange={(chosen) => change({ chart: chosen ?? '' })}
          />
        )
      }
    >
      {report.rows.length === 0 ? (
        <Empty title="Nothing in these days" />
      ) : (
        <ChartBox
          title={name}
          note="The same numbers are in the table."
          chart={<ReportChart report={report} measure={measure} name={name} />}
        />
      )}
    </Section>
  );
}

function Actions({
  question,
  download,
}: {
  readonly question: ReportQuestion;
  readonly download: ReportsFrameProps['download'];
}): ReactNode {
  const file = useMutation({
    mutationFn: async (isForExcel: boolean) =>
      saveFile(await download({ ...question, ...(isForExcel ? { for: 'excel' as const } : {}) })),
  });
  return (
    <Group gap="xs">
      {file.isError && <Failure error={file.error} title="The file could not be loaded" />}
      <CopyText text={location.href} what="the link to this report" />
      <Button.Group>
        <Button size="xs" variant="default" loading={file.isPending} onClick={() => file.mutate(false)}>
          Download CSV
        </Button>
        <ExcelChoice size="xs" onChoose={() => file.mutate(true)} />
      </Button.Group>
    </Group>
  );
}

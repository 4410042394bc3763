// The operator's page of reports: ready-made questions, and the question with its chart and table.
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { ReportDimension, ReportMeasure } from '../../../src/reports/report.schema.ts';
import { PageLink } from '../../ui/link.tsx';
import { ReportsFrame } from '../../ui/reports/reports-frame.tsx';
import { DIMENSION_NAMES, MEASURE_NAMES } from '../../ui/reports/words.ts';
import { download, request } from '../console-api.ts';
import { SavedViews } from './saved-views.tsx';

const CHOICES = {
  dimensions: Object.keys(DIMENSION_NAMES) as ReportDimension[],
  measures: Object.keys(MEASURE_NAMES) as ReportMeasure[],
  measureNames: MEASURE_NAMES,
};
const START = { by: 'day', measures: 'revenue,cost,margin' };

const READY_MADE: ReadonlyArray<{ readonly name: string; readonly search: Readonly<Record<string, string>> }> = [
  {
    name: 'Margin by supplier this month',
    search: { by: 'supplier', measures: 'margin,revenue,cost,sold', span: 'this-month', compare: 'previous' },
  },
  {
    name: 'Sell-through by source',
    search: { by: 'supplier,source', measures: 'accepted,sold,unsold,sellThrough', sort: '-accepted' },
  },
  {
    name: 'Partners by return rate',
    search: { by: 'partner', measures: 'returnRate,returned,deliveries,revenue', sort: '-returnRate' },
  },
  {
    name: 'Leads by hour of the day',
    search: { by: 'hour', measures: 'submitted,sold,sellThrough', span: 'last-7-days' },
  },
  {
    name: 'Revenue by state',
    search: { by: 'state', measures: 'revenue,deliveries,averagePrice', sort: '-revenue' },
  },
];

export function ReportsPage(): ReactNode {
  return (
    <ReportsFrame
      choices={CHOICES}
      start={START}
      read={(query, signal) => request('GET /console/api/reports', { query, signal })}
      download={(query) => download('GET /console/api/reports.csv', { query })}
      keyLink={keyLink}
    >
      <ReadyMade />
      <SavedViews />
    </ReportsFrame>
  );
}

function ReadyMade(): ReactNode {
  return (
    <Group component="nav" aria-label="Ready-made reports" gap="md">
      {READY_MADE.map(({ name, search }) => (
        <Text key={name} size="sm" component="span">
          <PageLink to="/reports" search={search}>
            {name}
          </PageLink>
        </Text>
      ))}
    </Group>
  );
}

function keyLink(dimension: ReportDimension, key: string, name: string): ReactNode {
  if (key.startsWith('(')) return null;
  if (dimension === 'partner') {
    return (
      <PageLink to="/partners/$partnerKey" params={{ partnerKey: key }}>
        {name}
      </PageLink>
    );
  }
  if (dimension === 'supplier') {
    return (
      <PageLink to="/suppliers/$supplierKey" params={{ supplierKey: key }}>
        {name}
      </PageLink>
    );
  }
  return null;
}

// The supplier's overview page: submissions, acceptance, rejections and scores.
import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Overview } from '../../../../src/portal/supplier/overview.schema.ts';
import { Figure, Figures } from '../../../ui/facts.tsx';
import { useFilters } from '../../../ui/filters.ts';
import { count, formatMoney, formatNumber, formatShare } from '../../../ui/formats.ts';
import { ButtonLink } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import { periodFilter, PeriodPicker, periodSpan } from '../../../ui/period.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { ByDay, ByScore } from './charts.tsx';
import { Lacking, Rejections, submissionDays } from './rejections.tsx';
import { ZoneNote } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { useMay } from '../../session.ts';
import { earningsQuery } from '../earnings/earnings-query.ts';
import { NotApprovedNotice } from '../not-approved-notice.tsx';

const FILTERS = { period: periodFilter };

export function OverviewPage(): ReactNode {
  const [{ period }, setFilters] = useFilters(FILTERS);
  const query = useQuery({
    queryKey: ['submissions', 'overview', period],
    queryFn: ({ signal }) => request('GET /portal/api/supplier/overview', { query: { period }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Overview"
      description={
        query.data === undefined ? (
          <ZoneNote />
        ) : (
          <>
            {periodSpan(query.data)}. <ZoneNote />. Tests are not counted.
          </>
        )
      }
      actions={<PeriodPicker value={period} onChange={(value) => setFilters({ period: value })} />}
    >
      <Loaded query={query} what="Loading your numbers">
        {(overview) => (
          <Stack gap="lg" aria-busy={query.isPlaceholderData} style={{ opacity: query.isPlaceholderData ? 0.6 : 1 }}>
            <NotApprovedNotice status={overview.status} />
            {overview.totals.submitted === 0 ? <NothingYet /> : <Numbers overview={overview} />}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Numbers({ overview }: { readonly overview: Overview }): ReactNode {
  const { totals, byDay, scores } = overview;
  const mayReadMoney = useMay('money');
  return (
    <>
      <Figures>
        <Figure
          name="Submitted"
          value={formatNumber(totals.submitted)}
          note={totals.pending === 0 ? 'All decided' : `${count(totals.pending, 'lead')} pending`}
        />
        <Figure
          name="Accepted"
          value={formatShare(totals.acceptedRate / 100)}
          note={`${formatNumber(totals.accepted)} of ${formatNumber(totals.submitted)} passed the checks`}
        />
        <Figure
          name="Sold"
          link={{ to: '/supply/submissions', search: { state: 'routed', ...submissionDays(overview) } }}
          value={formatShare(totals.acceptanceRate / 100)}
          note={soldNote(overview)}
        />
        <Figure name="Average score" value={totals.avgScore.toFixed(1)} note="Of accepted leads, 0 to 100" />
        {mayReadMoney && overview.monthDays !== null && <Earned days={overview.monthDays} />}
      </Figures>
      <ByDay unit={overview.unit} days={byDay} />
      <Rejections overview={overview} />
      <ByScore scores={scores} accepted={totals.accepted} />
      <Lacking lacking={overview.lacking} />
    </>
  );
}

/** Sell-through as reports count it (contract 12.1): the leads that the checks rejected are no part of it. */
function soldNote({ totals: { routed, submitted }, byStatus }: Overview): string {
  const unsold = byStatus
    .filter(({ status }) => status === 'Duplicate' || status === 'No Buyer')
    .reduce((sum, { leads }) => sum + leads, 0);
  const share = routed + unsold === 0 ? '' : `; sell-through ${formatShare(routed / (routed + unsold))}`;
  return `${formatNumber(routed)} of ${formatNumber(submitted)} submitted${share}`;
}

/** The question of the page of earnings, about the days of this month. */
function Earned({ days }: { readonly days: number }): ReactNode {
  const { data } = useQuery(earningsQuery(days));
  return (
    <Figure
      name="Earned this month"
      link={{ to: '/supply/earnings' }}
      value={data === undefined ? '…' : formatMoney(data.totals.earned, data.currency)}
      note={
        data === undefined
          ? ''
          : `${count(data.totals.leads, 'paid sale')}, before ${formatMoney(data.totals.clawedBack, data.currency)} taken back for returns`
      }
    />
  );
}

/** The portal's root has no page of its own for suppliers. */
export function RedirectToOverview(): ReactNode {
  return <Navigate to="/supply" replace />;
}

function NothingYet(): ReactNode {
  return (
    <Empty title="No leads in this period">
      <Text size="sm" mb="sm">
        Leads appear here as soon as you post them. The posting specification has everything that your developer needs.
      </Text>
      <ButtonLink to="/supply/specification" variant="default">
        Posting specification
      </ButtonLink>
    </Empty>
  );
}

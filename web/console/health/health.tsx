// The console's page of technical health: problems, current figures, charts, queues, today, service health. Refetched automatically.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Facts, Figure, Figures, Section } from '../../ui/facts.tsx';
import { count, formatAgo, formatDate, formatMoney, formatNumber, formatShare } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useConnection } from '../../ui/connection.ts';
import { Time, ZoneNote } from '../../ui/zone.tsx';
import { request } from '../console-api.ts';
import { Failing } from './failing.tsx';
import type { Health, RunningProcess } from '../../../src/console/health.schema.ts';
import { Warnings } from '../warnings/warnings.tsx';
import { Pulse } from './pulse.tsx';
import { Queues } from './queues.tsx';

const REFETCH_EVERY_MS = 2000;

export function HealthPage(): ReactNode {
  const query = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => request('GET /console/api/health', { signal }),
    refetchInterval: REFETCH_EVERY_MS,
    staleTime: 0,
  });
  const { isReachable } = useConnection();
  const isCurrent = isReachable && !query.isError;
  return (
    <Page
      title="Health"
      description={
        query.data === undefined ? (
          <ZoneNote />
        ) : (
          <>
            {isCurrent ? 'As of' : 'Last known at'} <Time at={query.data.asOf} />. <ZoneNote />.
          </>
        )
      }
    >
      <Loaded query={query} what="Loading the state of the service">
        {(health) => (
          <>
            <Warnings warnings={health.warnings} lastLeadAt={health.lastLeadAt} isCurrent={isCurrent} />
            <Now health={health} />
            <Pulse minutes={health.minutes} />
            <Queues queues={health.queues} />
            <Failing endpoints={health.endpoints} />
            <Today health={health} />
            <Service health={health} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Now({ health }: { readonly health: Health }): ReactNode {
  const { minutes, lastLeadAt, today, currency, queues } = health;
  // The current minute is not over, so the figures use the one before.
  const whole = minutes.slice(0, -1);
  const last = whole.at(-1);
  const perMinute = last === undefined ? 0 : last.accepted + last.refused;
  const average = whole.reduce((sum, { accepted, refused }) => sum + accepted + refused, 0) / Math.max(1, whole.length);
  const routing = queues.find(({ queue }) => queue === 'routing');
  const sending = queues.find(({ queue }) => queue === 'sending');
  return (
    <Figures>
      <Figure
        name="Leads in the last full minute"
        value={formatNumber(perMinute)}
        note={
          <>
            {average.toFixed(1)} per minute in the last hour.{' '}
            {lastLeadAt === null ? 'No leads yet.' : `Last lead ${formatAgo(lastLeadAt, new Date())}.`}
          </>
        }
      />
      <Figure
        name="Held until an offer opens"
        value={`${formatNumber(routing?.later ?? 0)}${routing?.isMore === true ? '+' : ''}`}
        note={
          <PageLink to="/leads" search={{ state: 'held' }}>
            View held leads
          </PageLink>
        }
      />
      <Figure
        name="Pending deliveries"
        value={`${formatNumber((sending?.waiting ?? 0) + (sending?.inFlight ?? 0) + (sending?.later ?? 0))}${
          sending?.isMore === true ? '+' : ''
        }`}
        note={`${formatNumber(sending?.inFlight ?? 0)} being sent, ${formatNumber(sending?.later ?? 0)} to be retried later`}
      />
      <Figure
        name="Revenue today"
        value={formatMoney(today.revenue, currency)}
        note={`Charges less credits, of ${count(today.deliveries, 'delivery', 'deliveries')}`}
      />
    </Figures>
  );
}

function Today({ health: { today } }: { readonly health: Health }): ReactNode {
  const { submitted, accepted, refused, sold, unsold, pending, deliveries, failed, returned } = today;
  const share = (part: number, whole: number): string => (whole === 0 ? '' : ` (${formatShare(part / whole)})`);
  return (
    <Section title={`Today, ${formatDate(today.day)}`}>
      <Facts
        columns={4}
        facts={[
          ['Leads submitted', formatNumber(submitted)],
          ['Rejected', `${formatNumber(refused)}${share(refused, submitted)}`],
          ['Sold, of accepted', `${formatNumber(sold)}${share(sold, accepted)}`],
          ['Unsold, of accepted', `${formatNumber(unsold)}${share(unsold, accepted)}`],
          ['Pending', formatNumber(pending)],
          ['Deliveries', formatNumber(deliveries)],
          ['Deliveries failed', <FailedToday key="failed" failed={failed} />],
          ['Returned', formatNumber(returned)],
        ]}
      />
      <Text size="sm" c="dimmed">
        Excludes test leads. Normal: more than 90% of submissions are accepted, and hardly any delivery fails.
      </Text>
    </Section>
  );
}

function FailedToday({ failed }: { readonly failed: number }): ReactNode {
  if (failed === 0) return '0';
  return (
    <PageLink to="/jobs" search={{ tab: 'deliveries' }}>
      {formatNumber(failed)}
    </PageLink>
  );
}

function Service({ health }: { readonly health: Health }): ReactNode {
  const { minutes, recentMinutes, attempts, processes, configVersion, databaseBytes } = health;
  const sum = (names: ReadonlyArray<'apiAnswers' | 'apiFaults' | 'pageAnswers' | 'pageFaults'>, of = minutes): number =>
    of.reduce((total, minute) => total + names.reduce((part, name) => part + minute[name], 0), 0);
  const recent = minutes.slice(-recentMinutes);
  const bad = attempts.serverErrors + attempts.noResponse;
  return (
    <Section title="Service">
      <Facts
        facts={[
          [
            'Our 5xx responses, partner API, last hour',
            `${formatNumber(sum(['apiFaults']))} of ${formatNumber(sum(['apiAnswers']))}; last ${recentMinutes} minutes: ${formatNumber(
              sum(['apiFaults'], recent),
            )}. Normal: none.`,
          ],
          [
            'Our 5xx responses, portal and console, last hour',
            `${formatNumber(sum(['pageFaults']))} of ${formatNumber(sum(['pageAnswers']))}. Normal: none.`,
          ],
          [
            'Latest attempts at partners’ and suppliers’ endpoints',
            attempts.made === 0
              ? 'None in the last hour'
              : `${formatNumber(bad)} of ${formatNumber(attempts.made)} failed on their side: ${formatNumber(
                  attempts.serverErrors,
                )} responded 5xx, ${formatNumber(attempts.noResponse)} did not respond`,
          ],
          ['Processes', <Processes key="processes" processes={processes} />],
          ['Configuration', `Version ${formatNumber(configVersion)}`],
          ['Database', databaseBytes === null ? null : bytesInWords(databaseBytes)],
        ]}
      />
    </Section>
  );
}

const ROLES: Readonly<Record<RunningProcess['role'], string>> = {
  all: 'API and worker',
  api: 'API',
  worker: 'worker',
};

function Processes({ processes }: { readonly processes: readonly RunningProcess[] }): ReactNode {
  return (
    <>
      {processes.map(({ role, startedAt, seenAt, isLost, clockAheadMs }) => (
        <Text
          key={`${role} ${startedAt}`}
          size="sm"
          component="div"
          {...(isLost || clockAheadMs !== null ? { c: 'var(--lm-bad)' } : {})}
        >
          {isLost
            ? `${ROLES[role]}: last seen ${formatAgo(seenAt, new Date())}`
            : `${ROLES[role]}: started ${formatAgo(startedAt, new Date())}`}
          {clockAheadMs === null ? '' : `, ${clockInWords(clockAheadMs)}`}
        </Text>
      ))}
    </>
  );
}

function clockInWords(aheadMs: number): string {
  return `clock ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead' : 'behind'}`;
}

function bytesInWords(bytes: number): string {
  const gigabytes = bytes / 1e9;
  return gigabytes >= 1 ? `${gigabytes.toFixed(1)} GB` : `${Math.max(1, Math.round(bytes / 1e6))} MB`;
}

// The current problems, worst first, each with a link to the page that fixes it.
import { Alert, Group, List, Stack, Text, VisuallyHidden } from '@mantine/core';
import { CheckCircledIcon, ExclamationTriangleIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';

import { count, formatAgo } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import type { HealthProblem } from '../../../src/console/health.schema.ts';

type Help = {
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string>>;
  readonly label: string;
};

const HELP: Readonly<Record<string, Help>> = {
  endpoints_failing: { to: '/endpoints', search: { only: 'failing' }, label: 'View endpoints' },
  endpoints_disabled: { to: '/endpoints', search: { only: 'failing' }, label: 'View endpoints' },
  attempts_refused: { to: '/endpoints', search: { only: 'failing' }, label: 'View endpoints' },
  dead_jobs: { to: '/jobs', label: 'View dead letters' },
  deliveries_failed: { to: '/jobs', search: { tab: 'deliveries' }, label: 'View failed deliveries' },
  leads_unsold: { to: '/leads', search: { state: 'no_buyer' }, label: 'View leads' },
  caps_full: { to: '/partners', label: 'View partners' },
  no_leads: { to: '/suppliers', label: 'View suppliers' },
};

/** The page that fixes the problem, of the partner concerned if there is one. */
function helpFor({ kind, partner }: HealthProblem): Help | undefined {
  if (kind === 'partner_unreachable') {
    return partner === null
      ? { to: '/partners', label: 'View partners' }
      : {
          to: '/partners/$partnerKey',
          params: { partnerKey: partner },
          search: { tab: 'settings' },
          label: 'Open its settings',
        };
  }
  if (kind === 'out_of_funds' || kind === 'low_funds') {
    return partner === null
      ? { to: '/ledger', label: 'View accounts' }
      : { to: '/ledger', search: { partner }, label: 'View its account' };
  }
  return HELP[kind];
}

export function Problems({
  problems,
  lastLeadAt,
  isCurrent,
}: {
  readonly problems: readonly HealthProblem[];
  readonly lastLeadAt: string | null;
  /** False during an outage, when the absence of problems is not known. */
  readonly isCurrent: boolean;
}): ReactNode {
  if (!isCurrent && problems.length === 0) return null;
  return (
    <>
      {/* Announced when the number changes, not at every refetch. */}
      <VisuallyHidden role="status">
        {problems.length === 0 ? 'No problems found.' : `${count(problems.length, 'problem')} found.`}
      </VisuallyHidden>
      {problems.length === 0 ? (
        <NoProblems lastLeadAt={lastLeadAt} />
      ) : (
        <ProblemList problems={problems} isCurrent={isCurrent} />
      )}
    </>
  );
}

function NoProblems({ lastLeadAt }: { readonly lastLeadAt: string | null }): ReactNode {
  return (
    <Alert variant="outline" color="pine" icon={<CheckCircledIcon aria-hidden="true" />}>
      <Text size="sm">
        No problems found.{' '}
        {lastLeadAt === null
          ? 'No lead has arrived yet.'
          : `The last lead arrived ${formatAgo(lastLeadAt, new Date())}.`}
      </Text>
    </Alert>
  );
}

function ProblemList({
  problems,
  isCurrent,
}: {
  readonly problems: readonly HealthProblem[];
  readonly isCurrent: boolean;
}): ReactNode {
  const isHigh = problems.some(({ severity }) => severity === 'high');
  return (
    <Alert
      variant="outline"
      color={isHigh ? 'red' : 'yellow'}
      title={`${isHigh ? 'Action needed' : 'Warnings'}${isCurrent ? '' : ', as last known'}`}
      icon={<ExclamationTriangleIcon aria-hidden="true" />}
    >
      <List listStyleType="none" spacing="sm" m={0} p={0}>
        {problems.map((problem) => (
          <List.Item key={`${problem.kind} ${problem.queue ?? ''} ${problem.text}`}>
            <OneProblem problem={problem} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function OneProblem({ problem }: { readonly problem: HealthProblem }): ReactNode {
  const { text, remedy, severity } = problem;
  const help = helpFor(problem);
  return (
    <Stack gap={0}>
      <Group gap={8}>
        <Text size="sm" fw={severity === 'high' ? 650 : 500}>
          {text}
        </Text>
        {help !== undefined && (
          <Text size="sm" component="span">
            <PageLink
              to={help.to}
              {...(help.params === undefined ? {} : { params: help.params })}
              {...(help.search === undefined ? {} : { search: help.search })}
            >
              {help.label}
            </PageLink>
          </Text>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {remedy}
      </Text>
    </Stack>
  );
}

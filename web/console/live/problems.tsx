// What is wrong at the moment, worst first, each with the page that helps; or that nothing is.
import { Alert, Group, List, Stack, Text, VisuallyHidden } from '@mantine/core';
import { CheckCircledIcon, ExclamationTriangleIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';

import { count } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import type { Problem } from './overview-api.ts';

type Help = { readonly to: string; readonly search?: Readonly<Record<string, string>>; readonly label: string };

const HELP: Readonly<Record<string, Help>> = {
  endpoints_failing: { to: '/endpoints', search: { only: 'failing' }, label: 'See the endpoints' },
  endpoints_disabled: { to: '/endpoints', search: { only: 'failing' }, label: 'See the endpoints' },
  attempts_refused: { to: '/endpoints', search: { only: 'failing' }, label: 'See the endpoints' },
  dead_jobs: { to: '/jobs', label: 'See the dead letters' },
};

export function Problems({ problems }: { readonly problems: readonly Problem[] }): ReactNode {
  return (
    <>
      {/* Read out when the number changes, and not each time the page is brought up to date. */}
      <VisuallyHidden role="status">
        {problems.length === 0 ? 'Nothing is wrong.' : `${count(problems.length, 'problem')} at the moment.`}
      </VisuallyHidden>
      {problems.length === 0 ? <AllWell /> : <Wrong problems={problems} />}
    </>
  );
}

function AllWell(): ReactNode {
  return (
    <Alert variant="outline" color="pine" icon={<CheckCircledIcon aria-hidden="true" />}>
      <Text size="sm">Nothing is wrong: leads are routed and delivered, and every endpoint answers.</Text>
    </Alert>
  );
}

function Wrong({ problems }: { readonly problems: readonly Problem[] }): ReactNode {
  const isHigh = problems.some(({ severity }) => severity === 'high');
  return (
    <Alert
      variant="outline"
      color={isHigh ? 'red' : 'yellow'}
      title={isHigh ? 'This needs somebody' : 'To be looked at'}
      icon={<ExclamationTriangleIcon aria-hidden="true" />}
    >
      <List listStyleType="none" spacing="sm" m={0} p={0}>
        {problems.map((problem) => (
          <List.Item key={`${problem.kind} ${problem.queue ?? ''}`}>
            <OneProblem problem={problem} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function OneProblem({ problem: { kind, text, remedy, severity } }: { readonly problem: Problem }): ReactNode {
  const help = HELP[kind];
  return (
    <Stack gap={0}>
      <Group gap={8}>
        <Text size="sm" fw={severity === 'high' ? 650 : 500}>
          {text}
        </Text>
        {help !== undefined && (
          <Text size="sm" component="span">
            <PageLink to={help.to} {...(help.search === undefined ? {} : { search: help.search })}>
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

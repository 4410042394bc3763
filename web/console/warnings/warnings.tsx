// The current warnings, the most expensive first, each with a link to the page that fixes it, since when it holds, and a button to
// acknowledge it. What is acknowledged stands below until it is over.
import { Alert, Button, Group, List, Stack, Text, VisuallyHidden } from '@mantine/core';
import { CheckCircledIcon, ExclamationTriangleIcon } from '@radix-ui/react-icons';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { HealthWarning } from '../../../src/console/health.schema.ts';
import { count, formatAgo, formatMoney } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { notifyFailure } from '../../ui/notify.tsx';
import { Time } from '../../ui/zone.tsx';
import { useMay } from '../allowed.tsx';
import { request } from '../console-api.ts';
import { useConsoleSession } from '../session.ts';
import { costWords, helpFor, warningName } from './warning-words.ts';

export function Warnings({
  warnings,
  lastLeadAt,
  isCurrent = true,
  most,
}: {
  readonly warnings: readonly HealthWarning[];
  readonly lastLeadAt: string | null;
  /** False during an outage, when the absence of warnings is not known. */
  readonly isCurrent?: boolean;
  /** How many are listed; the page Health lists all. */
  readonly most?: number;
}): ReactNode {
  const open = warnings.filter(({ acknowledged }) => acknowledged === null);
  const acknowledged = warnings.filter((warning) => warning.acknowledged !== null);
  if (!isCurrent && warnings.length === 0) return null;
  return (
    <>
      {/* Announced when the number changes, not at every refetch. */}
      <VisuallyHidden role="status">
        {open.length === 0 ? 'No new problems.' : `${count(open.length, 'problem')} found.`}
      </VisuallyHidden>
      {warnings.length === 0 ? (
        <NoProblems lastLeadAt={lastLeadAt} />
      ) : (
        <Stack gap="xs">
          {open.length > 0 && <OpenWarnings warnings={open} isCurrent={isCurrent} most={most} />}
          {acknowledged.length > 0 && <Acknowledged warnings={acknowledged} />}
        </Stack>
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

function OpenWarnings({
  warnings,
  isCurrent,
  most = Infinity,
}: {
  readonly warnings: readonly HealthWarning[];
  readonly isCurrent: boolean;
  readonly most: number | undefined;
}): ReactNode {
  const isHigh = warnings.some(({ severity }) => severity === 'high');
  const more = warnings.length - most;
  return (
    <Alert
      variant="outline"
      color={isHigh ? 'red' : 'yellow'}
      title={`${isHigh ? 'Action needed' : 'Warnings'}${isCurrent ? '' : ', as last known'}`}
      icon={<ExclamationTriangleIcon aria-hidden="true" />}
    >
      <List listStyleType="none" spacing="sm" m={0} p={0} styles={FULL_WIDTH}>
        {warnings.slice(0, most).map((warning) => (
          <List.Item key={warningName(warning)}>
            <OneWarning warning={warning} />
          </List.Item>
        ))}
      </List>
      {more > 0 && (
        <Text size="sm" mt="sm">
          <PageLink to="/health">{`View ${count(more, 'more warning')}`}</PageLink>
        </Text>
      )}
    </Alert>
  );
}

/** Otherwise an item is as wide as its text, and the buttons stand at different places. */
const FULL_WIDTH = { itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } };

function OneWarning({ warning }: { readonly warning: HealthWarning }): ReactNode {
  const { text, remedy, severity, since } = warning;
  const { currency } = useConsoleSession();
  const help = helpFor(warning);
  const cost = costWords(warning, (amount) => formatMoney(amount, currency));
  return (
    <Stack gap={0}>
      <div className="lm-warning">
        <Text size="sm" fw={severity === 'high' ? 650 : 500} style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        <Switch warning={warning} />
      </div>
      <Text size="sm" c="dimmed" component="div">
        {cost !== null && `${cost} `}
        {since !== null && (
          <>
            Since <Time at={since} kind="short" />.{' '}
          </>
        )}
        {remedy} {help !== undefined && <PageLink {...help}>{help.label}</PageLink>}
      </Text>
    </Stack>
  );
}

function Acknowledged({ warnings }: { readonly warnings: readonly HealthWarning[] }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Stack gap="xs" align="flex-start">
      <Button size="compact-sm" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {`${isOpen ? 'Hide' : 'Show'} ${count(warnings.length, 'acknowledged warning')}`}
      </Button>
      {isOpen && (
        <List
          listStyleType="none"
          spacing="xs"
          m={0}
          p={0}
          w="100%"
          styles={FULL_WIDTH}
          aria-label="Acknowledged warnings"
        >
          {warnings.map((warning) => (
            <List.Item key={warningName(warning)}>
              <Group gap={8} justify="space-between" wrap="nowrap" align="flex-start">
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {warning.text}{' '}
                  {warning.acknowledged !== null && (
                    <Text span inherit c="dimmed">
                      Acknowledged by {warning.acknowledged.by}, <Time at={warning.acknowledged.at} kind="short" />.
                    </Text>
                  )}
                </Text>
                <Switch warning={warning} />
              </Group>
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}

/** Acknowledges the warning, or takes that back. */
function Switch({ warning: { kind, subject, text, acknowledged } }: { readonly warning: HealthWarning }): ReactNode {
  const queries = useQueryClient();
  const may = useMay('operate');
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      request(`POST /console/api/warnings/${acknowledged === null ? 'acknowledge' : 'reopen'}`, {
        body: { kind, subject },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['health'] }),
    onError: notifyFailure,
  });
  if (!may) return null;
  const label = acknowledged === null ? 'Acknowledge' : 'Reopen';
  return (
    <Button
      size="compact-sm"
      variant="default"
      style={{ flexShrink: 0 }}
      aria-label={`${label}: ${text}`}
      aria-busy={isPending}
      onClick={() => {
        // Not disabled meanwhile: a disabled button loses the focus.
        if (!isPending) mutate();
      }}
    >
      {label}
    </Button>
  );
}

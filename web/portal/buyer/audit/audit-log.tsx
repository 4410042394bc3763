// The partner's audit log page: changes with their time, author and values.
import { Box, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { AuditEvent } from '../../../../sdk/typescript/client.ts';
import { ChangedFields } from '../../../ui/changed-fields.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { choiceFilter, useFilters } from '../../../ui/filters.ts';
import { PageLink } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { Time, ZoneNote } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { useAccount } from '../settings/account.ts';
import { usePortalSession } from '../../session.ts';
import { actionWords } from './action-words.ts';
import { auditValueInWords } from './value-words.ts';

const LIMITS = ['50', '100', '200'] as const;
const FILTERS = { events: choiceFilter(LIMITS) };

export function AuditLogPage(): ReactNode {
  const account = useAccount();
  return (
    <Page title="Audit log" description={<ZoneNote />}>
      <Loaded query={account} what="Loading your account">
        {(current) =>
          current.account.betaTools.includes('audit-log') ? (
            <Events />
          ) : (
            <Empty title="The audit log is not enabled for your account">
              It is a beta tool. Ask the operator to enable audit-log. Events are recorded either way and appear here
              once it is enabled.
            </Empty>
          )
        }
      </Loaded>
    </Page>
  );
}

function Events(): ReactNode {
  const [{ events }, change] = useFilters(FILTERS);
  const query = useQuery({
    queryKey: ['account', 'audit-log', events],
    queryFn: ({ signal }) => request('GET /portal/api/v1/buyer/audit-log', { query: { limit: events }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Changes of your account, offers, credentials, claims and endpoints, newest first. Secrets never appear.
      </Text>
      <Loaded query={query} what="Loading the audit log">
        {({ data }) => (
          <>
            <DataTable
              caption="Audit log"
              columns={COLUMNS}
              rows={data}
              rowKey={({ id }) => id}
              isStale={query.isPlaceholderData}
              list={{ name: 'audit-log', at: events }}
              empty={<Empty title="No changes yet">Changes of the account appear here automatically.</Empty>}
            />
            <Group gap="sm">
              <Text size="sm" c="dimmed" id="events-shown">
                At most
              </Text>
              <SegmentedControl
                size="xs"
                aria-labelledby="events-shown"
                data={[...LIMITS]}
                value={events}
                onChange={(value) => change({ events: value })}
              />
            </Group>
          </>
        )}
      </Loaded>
    </Stack>
  );
}

const COLUMNS: readonly Column<AuditEvent>[] = [
  { key: 'at', title: 'Time', cell: ({ at }) => <Time at={at} /> },
  { key: 'action', title: 'Event', cell: ({ action, target }) => <EventCell action={action} target={target} /> },
  { key: 'changes', title: 'Changes', cell: ({ changes }) => <Changes changes={changes} /> },
  { key: 'actor', title: 'By', cell: (event) => <Actor event={event} /> },
  { key: 'ip', title: 'From', cell: ({ ip }) => ip ?? '' },
];

function Changes({ changes }: Pick<AuditEvent, 'changes'>): ReactNode {
  const { currency } = usePortalSession();
  return <ChangedFields changes={changes} words={(field, value) => auditValueInWords(field, value, currency)} />;
}

function EventCell({ action, target }: Pick<AuditEvent, 'action' | 'target'>): ReactNode {
  return (
    <Box miw={180} maw={260} style={{ overflowWrap: 'anywhere' }}>
      {actionWords(action)}
      <Text size="xs" c="dimmed" component="div">
        <Target target={target} />
      </Text>
    </Box>
  );
}

function Target({ target }: { readonly target: string }): ReactNode {
  if (target.startsWith('dlv_')) {
    return (
      <PageLink to="/deliveries/$deliveryId" params={{ deliveryId: target }}>
        {target}
      </PageLink>
    );
  }
  if (/^(?:ret|dsp)_/.test(target)) {
    return (
      <PageLink to="/claims/$claimId" params={{ claimId: target }}>
        {target}
      </PageLink>
    );
  }
  return target;
}

function Actor({ event: { actor, requestId } }: { readonly event: AuditEvent }): ReactNode {
  if (actor.type === 'operator') return 'the operator';
  if (actor.type === 'system') return `the service (${actor.name})`;
  return <span title={requestId === null ? undefined : `Request ${requestId}`}>you ({actor.name})</span>;
}

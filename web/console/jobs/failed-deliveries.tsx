// The list of failed deliveries with the reason, and sending one or a group again.
import { Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { type Column, DataTable, type SelectedRows } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { choiceFilter, cursorFilter, queryText, textFilter, useFilters } from '../../ui/filters.ts';
import { count, formatMoney, formatNumber } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { ListSumsLine } from '../../ui/list-sums-line.tsx';
import { notify } from '../../ui/notify.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { TIME_ORDERS } from '../../ui/time-order.ts';
import { Time } from '../../ui/zone.tsx';
import type {
  FailedDelivery,
  FailedGroup,
  QueuedMany,
  RetryRefusal,
} from '../../../src/console/failed-deliveries.schema.ts';
import { listFile } from '../list-file.ts';
import { request } from '../console-api.ts';
import { PartnerField, usePartnerWords } from '../ledger/partner-field.tsx';
import { PARTNER_COLUMN } from '../partners/partner-column.tsx';
import { useVerticalRows, useVerticalWords, verticalColumn, VerticalFilter } from '../verticals/vertical-choice.tsx';
import { RetryButton } from './retry-button.tsx';
import { RetrySelected } from './retry-selected.tsx';
import { SetPrice } from './set-price.tsx';

const FILTERS = {
  partner: textFilter,
  vertical: textFilter,
  after: cursorFilter,
  sort: choiceFilter(['', 'failed']),
};
const REFETCH_EVERY_MS = 5000;

export function FailedDeliveries(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const { partner, vertical, after, sort } = filters;
  const order = TIME_ORDERS[sort === '' ? 'newest' : 'oldest'];
  const words = { partner: usePartnerWords(partner), vertical: useVerticalWords() };
  const query = useQuery({
    queryKey: ['deliveries', 'failed', partner, vertical, after, sort],
    queryFn: ({ signal }) =>
      request('GET /console/api/failed-deliveries', { query: { partner, vertical, after, sort }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_EVERY_MS,
  });
  const hasVerticals = useVerticalRows().length > 0;
  const from = {
    tab: 'deliveries',
    partner: partner === '' ? undefined : partner,
    vertical: vertical === '' ? undefined : vertical,
    sort: sort === '' ? undefined : sort,
  };
  return (
    <Stack gap="lg">
      <Group>
        <PartnerField value={partner} onChange={(key) => setFilters({ partner: key })} />
        <VerticalFilter value={vertical} onChange={(key) => setFilters({ vertical: key })} />
      </Group>
      <FilterBar list="failed-deliveries" filters={FILTERS} values={filters} words={words} onChange={setFilters} />
      <Loaded query={query} what="Loading failed deliveries">
        {({ data, next, groups, currency }) => (
          <Stack gap="lg">
            {/* A group has deliveries of all verticals, and is sent again as a whole. */}
            {groups.length > 0 && vertical === '' && (
              <Groups groups={groups.filter((group) => partner === '' || group.partner === partner)} />
            )}
            <Section title={order.title}>
              <DataTable
                caption={`Failed deliveries, ${order.order}`}
                columns={columnsFor({ currency, hasVerticals, isOfPartner: partner !== '' })}
                rows={data}
                rowKey={({ deliveryId }) => deliveryId}
                isStale={query.isPlaceholderData}
                list={{
                  name: 'failed-deliveries',
                  at: queryText({ partner, vertical, after, sort }),
                  isLater: after !== '',
                  sort: { by: sort, onChange: (by) => setFilters({ sort: FILTERS.sort.read(by) }) },
                  fileOf: listFile('failed-deliveries', { partner, vertical, after, sort }),
                  renderBulkActions: (selected) => <SendSelectedAgain {...selected} />,
                }}
                empty={
                  <Empty title="No failed deliveries">
                    A delivery fails if the partner does not accept it in any attempt. It is not charged.
                  </Empty>
                }
              />
            </Section>
            {(after !== '' || next !== null) && (
              <Group justify="flex-end" component="nav" aria-label="Pages of failed deliveries">
                {after !== '' && (
                  <ButtonLink to="." search={from} size="compact-sm" variant="default">
                    {order.start}
                  </ButtonLink>
                )}
                {next !== null && (
                  <ButtonLink to="." search={{ ...from, after: next }} size="compact-sm" variant="default">
                    {order.next}
                  </ButtonLink>
                )}
              </Group>
            )}
            <ListSumsLine
              of={['failed-deliveries', partner, vertical]}
              read={(signal) =>
                request('GET /console/api/failed-deliveries/sums', { query: { partner, vertical }, signal })
              }
              words={{ unit: ['failed delivery', 'failed deliveries'], amounts: { lost: 'not charged' } }}
            />
          </Stack>
        )}
      </Loaded>
    </Stack>
  );
}

function Groups({ groups }: { readonly groups: readonly FailedGroup[] }): ReactNode {
  if (groups.length === 0) return null;
  return (
    <Section title="By partner and reason">
      <DataTable
        caption="Failed deliveries by partner and reason, most first"
        columns={GROUP_COLUMNS}
        rows={groups}
        rowKey={({ partner, channel, reason }) => `${partner} ${channel ?? ''} ${reason ?? ''}`}
        empty={null}
      />
    </Section>
  );
}

const GROUP_COLUMNS: ReadonlyArray<Column<FailedGroup>> = [
  PARTNER_COLUMN,
  { key: 'reason', title: 'Last response', cell: ({ reason }) => reason ?? <span aria-label="not known">—</span> },
  { key: 'channel', title: 'Channel', cell: ({ channel }) => channel ?? <span aria-label="not known">—</span> },
  { key: 'deliveries', title: 'Deliveries', numeric: true, cell: ({ deliveries }) => formatNumber(deliveries) },
  { key: 'latest', title: 'Latest', cell: ({ latestAt }) => <Time at={latestAt} kind="short" /> },
  { key: 'action', title: 'Action', cell: (group) => <RetryGroup group={group} /> },
];

const WHY_NOT: Readonly<Record<RetryRefusal, string>> = {
  delivery_not_found: 'The delivery no longer exists.',
  delivery_not_redeliverable:
    'Not sent by webhook, lead sold to others or erased, or the offer’s caps or partner’s funds are used up.',
  webhook_not_configured: 'The partner has no webhook URL.',
  endpoint_disabled: 'The endpoint is disabled. Enable it first.',
};

function RetryGroup({ group }: { readonly group: FailedGroup }): ReactNode {
  const { partner, partnerName, channel, reason, deliveries } = group;
  const refresh = useRefresh();
  if (channel !== 'webhook') return <NotAgain refusal="delivery_not_redeliverable" />;
  const retry = async (): Promise<void> => {
    const body = { partner, ...(reason === null ? {} : { reason }) };
    const response = await request('POST /console/api/failed-deliveries/retry', { body });
    notify(inWords(response));
    await refresh();
  };
  return (
    <RetryButton
      label={`Send all again: ${partnerName}, ${reason ?? 'unknown reason'}`}
      title={`Send deliveries to ${partnerName} again`}
      action="Send all again"
      onRetry={retry}
    >
      <Stack gap="xs">
        <Text size="sm">
          {count(deliveries, 'delivery', 'deliveries')} of the latest failed like this. The same messages are sent to
          the partner’s webhook again, with retries. The partner is charged for those that it accepts.
        </Text>
        <Text size="sm">
          At most 500 at once, oldest first. Leads that were sold to others are skipped, and those for which the offer’s
          caps or the partner’s funds do not suffice.
        </Text>
      </Stack>
    </RetryButton>
  );
}

function inWords({ queued, skipped, isMore }: QueuedMany): string {
  return [
    `${count(queued, 'delivery', 'deliveries')} will be sent again.`,
    ...skipped.map(({ reason, deliveries }) => `${formatNumber(deliveries)} skipped: ${WHY_NOT[reason]}`),
    ...(isMore ? ['There may be more: send again.'] : []),
  ].join(' ');
}

type Shown = { readonly currency: string; readonly hasVerticals: boolean; readonly isOfPartner: boolean };

function columnsFor({ currency, hasVerticals, isOfPartner }: Shown): ReadonlyArray<Column<FailedDelivery>> {
  return [
    {
      key: 'delivery',
      title: 'Delivery',
      cell: ({ deliveryRef, leadId }) => (
        <PageLink to="/leads/$leadId" params={{ leadId }}>
          {deliveryRef}
        </PageLink>
      ),
    },
    PARTNER_COLUMN,
    ...(hasVerticals ? [verticalColumn] : []),
    { key: 'payout', title: 'Price', numeric: true, cell: ({ payout }) => formatMoney(payout, currency) },
    ...(isOfPartner
      ? [
          {
            key: 'created',
            title: 'Created',
            cell: ({ deliveredAt }: FailedDelivery) => <Time at={deliveredAt} kind="short" />,
          },
        ]
      : []),
    {
      key: 'failed',
      title: 'Failed',
      orders: { ascending: 'failed', descending: '' },
      cell: ({ failedAt }) => <Time at={failedAt} kind="short" />,
    },
    {
      key: 'reason',
      title: 'Last response',
      cell: ({ reason, mayHaveArrived, retryStatus }) => (
        <Stack gap={0} miw={160} maw={300}>
          <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
            {retryStatus === 'again'
              ? 'Accepted after it had failed; not charged'
              : (reason ?? <span aria-label="not known">—</span>)}
          </Text>
          {mayHaveArrived && retryStatus !== 'again' && (
            <Text span size="xs" c="dimmed">
              May have arrived anyway.
            </Text>
          )}
        </Stack>
      ),
    },
    { key: 'retryStatus', title: 'Status', cell: ({ retryStatus }) => <RetryStatus retryStatus={retryStatus} /> },
    {
      key: 'action',
      title: 'Action',
      cell: (delivery) => (
        <Stack gap="xs" align="flex-start">
          <RetryOne delivery={delivery} />
          <PriceOne delivery={delivery} currency={currency} />
        </Stack>
      ),
    },
  ];
}

function RetryStatus({ retryStatus }: { readonly retryStatus: FailedDelivery['retryStatus'] }): ReactNode {
  if (retryStatus === 'queued') return <Status tone="warn">being sent again</Status>;
  return retryStatus === 'again' ? <Status tone="good">taken later</Status> : <Status tone="bad">failed</Status>;
}

function RetryOne({ delivery }: { readonly delivery: FailedDelivery }): ReactNode {
  const { deliveryId, deliveryRef, partnerName, refusal, retryStatus } = delivery;
  const refresh = useRefresh();
  if (refusal !== null) return <NotAgain refusal={refusal} />;
  const retry = async (): Promise<void> => {
    await request('POST /console/api/deliveries/:deliveryId/retry', { params: { deliveryId } });
    notify(`${deliveryRef} will be sent again.`);
    await refresh();
  };
  return (
    <RetryButton
      label={`Send again: ${deliveryRef}`}
      title={`Send ${deliveryRef} again`}
      action="Send again"
      onRetry={retry}
    >
      {retryStatus === 'again' && (
        <Text size="sm" fw={600} mb="xs">
          {partnerName} already took this lead after the delivery had failed, and was not charged. Send it again only if
          the partner is to pay for it.
        </Text>
      )}
      <Text size="sm">
        {partnerName} gets the same message once more at its webhook, with retries. The delivery is Pending again, takes
        cap and funds, and is charged once it is taken.
      </Text>
    </RetryButton>
  );
}

function PriceOne({ delivery, currency }: { readonly delivery: FailedDelivery; readonly currency: string }): ReactNode {
  const refresh = useRefresh();
  return <SetPrice delivery={delivery} currency={currency} onDone={refresh} />;
}

function SendSelectedAgain({ rows, clear }: SelectedRows<FailedDelivery>): ReactNode {
  const refresh = useRefresh();
  return (
    <RetrySelected
      rows={rows}
      clear={clear}
      unit={['delivery', 'deliveries']}
      action="Send selected again"
      reasonFor={({ code, message }) => WHY_NOT[code as RetryRefusal] ?? message}
      retry={({ deliveryId }) => request('POST /console/api/deliveries/:deliveryId/retry', { params: { deliveryId } })}
      onDone={refresh}
    >
      <Text size="sm">
        The same messages are sent to the partners’ webhooks again, with retries. The partners are charged for those
        that they accept. Leads that were sold to others are skipped.
      </Text>
    </RetrySelected>
  );
}

function NotAgain({ refusal }: { readonly refusal: RetryRefusal }): ReactNode {
  return (
    <Text size="xs" c="dimmed" maw={220}>
      {WHY_NOT[refusal]}
    </Text>
  );
}

function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['deliveries'] });
}

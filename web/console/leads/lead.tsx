// The page of one lead: submission, score, offers with the reason of each, deliveries, money, claims, history.
import { Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { CopyText } from '../../ui/copy.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { textFilter, useFilters } from '../../ui/filters.ts';
import { ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { RequestError } from '../../ui/request.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time, useZone } from '../../ui/zone.tsx';
import { request } from '../console-api.ts';
import { type HistoryEvent, leadHistory } from './lead-history.ts';
import { LeadStateWord } from './lead-state.tsx';
import type { LeadStory } from '../../../src/console/leads.schema.ts';
import { StoryStage, StoryStages } from './story-stage.tsx';
import { Offers } from './story-offers.tsx';
import { Received } from './story-received.tsx';
import { Claims, Deliveries, Money } from './story-sales.tsx';
import { Score } from './story-score.tsx';
import { Allowed } from '../allowed.tsx';
import { useConsoleSession } from '../session.ts';

const FILTERS = { round: textFilter };
/** While further events are expected. */
const REFETCH_EVERY_MS = 3000;

export function LeadPage(): ReactNode {
  const { leadId = '' } = useParams({ strict: false }) as { readonly leadId?: string };
  const [{ round }] = useFilters(FILTERS);
  const { permissions } = useConsoleSession();
  const query = useQuery({
    queryKey: ['leads', 'one', leadId, round],
    queryFn: ({ signal }) =>
      request('GET /console/api/leads/:leadId', {
        params: { leadId },
        query: { round: /^\d{1,4}$/.test(round) ? Number(round) : '' },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnsettled(data) ? REFETCH_EVERY_MS : false),
  });
  const id = query.data?.lead.leadId ?? leadId;
  const isUnknown = query.data === undefined && query.error instanceof RequestError && query.error.status === 404;
  return (
    <Page
      title="Lead"
      {...(query.data === undefined || !permissions.includes('persons')
        ? {}
        : { heading: nameOfLead(query.data.lead) })}
      description={
        <Group gap={4} wrap="nowrap">
          <Text span inherit style={{ overflowWrap: 'anywhere' }}>
            {id}
          </Text>
          <CopyText text={id} what="the id" />
        </Group>
      }
      actions={
        <ButtonLink to="/leads" variant="default">
          All leads
        </ButtonLink>
      }
    >
      {isUnknown ? (
        <Empty title="Lead not found">
          The id may be mistyped, or the lead was deleted after its retention time. Search for it in the list.
        </Empty>
      ) : (
        <Loaded query={query} what="Loading the lead">
          {(story) => <Story story={story} />}
        </Loaded>
      )}
    </Page>
  );
}

function nameOfLead({ fields, erasedAt }: LeadStory['lead']): string {
  return fields?.fullName ?? (erasedAt === null ? 'Lead' : 'Erased lead');
}

function Story({ story }: { readonly story: LeadStory }): ReactNode {
  const zone = useZone();
  return (
    <>
      <Text component="div">
        <LeadStateWord state={story.lead.state} isTest={story.lead.test} sales={story.deliveries} />
      </Text>
      <StoryStages>
        <Received story={story} />
        <Score story={story} />
        <Offers story={story} />
        <Deliveries story={story} />
        <Money story={story} />
        <Claims story={story} />
        {isUnsettled(story) && (
          <StoryStage title="In progress" tone="idle">
            <Text size="sm">Further events appear here automatically.</Text>
          </StoryStage>
        )}
      </StoryStages>
      <Section title="History">
        <DataTable
          caption="History, oldest first"
          columns={EVENT_COLUMNS}
          rows={leadHistory(story, zone).map((event, index) => ({ ...event, index }))}
          rowKey={({ index }) => String(index)}
          empty={null}
        />
      </Section>
      {story.lead.erasedAt === null && (
        <Allowed to="persons">
          <Section
            title="Personal data"
            actions={
              <ButtonLink to="/erasure" search={{ lead: story.lead.leadId }} size="xs" variant="default">
                Erase personal data
              </ButtonLink>
            }
          >
            <Text size="sm" c="dimmed">
              On request of the person. The next page shows what is erased and what is kept.
            </Text>
          </Section>
        </Allowed>
      )}
    </>
  );
}

const EVENT_COLUMNS: ReadonlyArray<Column<HistoryEvent & { readonly index: number }>> = [
  { key: 'at', title: 'Time', cell: ({ at }) => <Time at={at} /> },
  { key: 'message', title: 'Event', cell: ({ message }) => message },
];

function isUnsettled({ lead, deliveries }: LeadStory): boolean {
  if (lead.state === 'received' || lead.state === 'held') return true;
  return deliveries.some(({ status }) => status === 'Pending');
}

// The routing decision of a lead: offers dropped at each stage, the winner, and the reason of each other offer; as a diagram or table.
import { Badge, Box, Button, Group, SegmentedControl, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { choiceFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { count, formatMoney, formatNumber } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Tone } from '../../ui/status.tsx';
import { Time } from '../../ui/zone.tsx';
import styles from './lead-story.module.css';
import type { LeadStory, Stage, TriedOffer } from '../../../src/console/leads.schema.ts';
import { countByStage, groupOffers, matchOffers, type OfferGroup, STAGES } from './offer-groups.ts';
import { OfferTable } from './offer-table.tsx';
import { Reasons } from './story-score.tsx';
import { StoryStage } from './story-stage.tsx';

const FILTERS = {
  view: choiceFilter(['diagram', 'table']),
  stage: choiceFilter(['', 'won', 'choice', 'duplicates', 'funds', 'caps', 'schedule', 'filters', 'standing']),
  find: textFilter,
};

const STAGE_CHOICES = [
  { value: '', label: 'All offers' },
  { value: 'won', label: 'Won' },
  ...STAGES.map(([value, label]) => ({ value, label: `Dropped at: ${label.toLowerCase()}` })).toReversed(),
];

const OUTCOMES: Readonly<Record<string, readonly [title: string, tone: Tone]>> = {
  routed: ['Decided: sold', 'good'],
  held: ['Decided: held until an offer opens', 'warn'],
  rejected: ['Decided: no buyer', 'bad'],
};

export function Offers({ story }: { readonly story: LeadStory }): ReactNode {
  const { decision, lead, currency } = story;
  const [filters, setFilters] = useFilters(FILTERS);
  if (decision === null) return <NotDecided story={story} />;
  const [title, tone] = OUTCOMES[decision.outcome] ?? [`Decided: ${decision.outcome}`, 'idle'];
  const found = matchOffers(decision.offers, { text: filters.find, stage: filters.stage });
  return (
    <StoryStage
      title={title}
      tone={tone}
      actions={
        <SegmentedControl
          size="xs"
          value={filters.view}
          onChange={(view) => setFilters({ view: FILTERS.view.read(view) }, { push: false })}
          data={[
            { value: 'diagram', label: 'Diagram' },
            { value: 'table', label: 'Table' },
          ]}
          aria-label="View of the offers"
        />
      }
    >
      <Summary story={story} />
      {lead.state === 'duplicate' || lead.state === 'no_buyer' || lead.state === 'suppressed' ? (
        <Reasons reasons={lead.reasons} />
      ) : null}
      <Funnel offers={decision.offers} />
      {decision.offers.length > 8 && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            type="search"
            label="Find an offer"
            placeholder="Offer or partner"
            value={filters.find}
            onChange={(event) => setFilters({ find: event.currentTarget.value }, { push: false })}
          />
          <Select
            label="Stage"
            data={STAGE_CHOICES}
            value={filters.stage}
            allowDeselect={false}
            onChange={(stage) => setFilters({ stage: FILTERS.stage.read(stage ?? undefined) }, { push: false })}
          />
        </SimpleGrid>
      )}
      <Text size="sm" c="dimmed" role="status">
        {found.length === decision.offers.length
          ? `${count(found.length, 'offer')}, most stages passed first`
          : `${formatNumber(found.length)} of ${count(decision.offers.length, 'offer')}`}
      </Text>
      {found.length === 0 ? (
        <Empty title="No offers match">Change the search.</Empty>
      ) : filters.view === 'table' ? (
        <OfferTable offers={found} currency={currency} />
      ) : (
        <Stack gap="xs">
          {groupOffers(found).map((group) => (
            <GroupBox key={group.code} group={group} currency={currency} />
          ))}
        </Stack>
      )}
    </StoryStage>
  );
}

function NotDecided({ story: { lead } }: { readonly story: LeadStory }): ReactNode {
  if (lead.state === 'invalid') return null;
  return (
    <StoryStage title={lead.state === 'received' ? 'Waiting for routing' : 'Decision'} tone="idle">
      <Text size="sm">
        {lead.state === 'received'
          ? 'The lead is queued. Most leads are routed within a second; this page updates automatically.'
          : 'The decision is no longer stored, or the personal data was erased before it.'}
      </Text>
    </StoryStage>
  );
}

function Summary({ story: { decision, rounds, lead } }: { readonly story: LeadStory }): ReactNode {
  if (decision === null) return null;
  return (
    <Stack gap={4}>
      <Text size="sm">
        On <Time at={decision.decidedAt} />, with configuration version {formatNumber(decision.configVersion)}.
        {decision.retryAt !== null && (
          <>
            {' '}
            Next decision at <Time at={decision.retryAt} />.
          </>
        )}
        {lead.test && ' Simulated: nothing was sold.'}
      </Text>
      {rounds.length > 1 && (
        <Group gap={6} component="nav" aria-label="Decisions on this lead">
          <Text size="sm">{formatNumber(rounds.length)} decisions:</Text>
          {rounds.map(({ round, outcome }) => (
            <ButtonLink
              key={round}
              to="."
              search={{ round: String(round) }}
              size="compact-xs"
              variant={round === decision.round ? 'filled' : 'default'}
              aria-current={round === decision.round ? 'true' : undefined}
            >
              {round}: {outcome}
            </ButtonLink>
          ))}
        </Group>
      )}
    </Stack>
  );
}

/** The number of offers that passed each stage. */
function Funnel({ offers }: { readonly offers: readonly TriedOffer[] }): ReactNode {
  const stages = countByStage(offers);
  if (stages.length === 0) return null;
  return (
    <Stack component="ol" gap={6} m={0} p={0} style={{ listStyle: 'none' }} aria-label="Offers passed per stage">
      {stages.map(({ stage, label, left, came }) => (
        <Box component="li" key={stage}>
          <Text size="sm">
            {label}: {formatNumber(came - left)} of {count(came, 'offer')} passed
          </Text>
          <div className={styles['bar']} aria-hidden="true">
            <div className={styles['fill']} style={{ width: `${(100 * (came - left)) / offers.length}%` }} />
          </div>
        </Box>
      ))}
    </Stack>
  );
}

/** Offers shown per rule at first. */
const SHOWN_FIRST = 6;

function GroupBox({ group, currency }: { readonly group: OfferGroup; readonly currency: string }): ReactNode {
  const { rule, stage, won, offers } = group;
  const [shown, setShown] = useState(SHOWN_FIRST);
  const left = offers.length - shown;
  return (
    <div className={`${styles['group']} ${won ? styles['won'] : ''}`}>
      <Group gap="sm" justify="space-between">
        <Group gap="sm">
          <Track stage={stage} />
          <Text component="h3" size="sm" fw={650} m={0}>
            {rule}
          </Text>
        </Group>
        <Text size="sm" c="dimmed">
          {count(offers.length, 'offer')}
        </Text>
      </Group>
      <ul className={styles['offers']}>
        {offers.slice(0, shown).map((offer) => (
          <OfferLine key={offer.offer} offer={offer} currency={currency} />
        ))}
      </ul>
      {left > 0 && (
        <Button
          mt="xs"
          size="compact-xs"
          variant="default"
          onClick={() => setShown(shown + 100)}
          aria-label={`Show ${formatNumber(Math.min(left, 100))} more: ${rule}`}
        >
          Show {formatNumber(Math.min(left, 100))} more
        </Button>
      )}
    </div>
  );
}

function OfferLine({ offer, currency }: { readonly offer: TriedOffer; readonly currency: string }): ReactNode {
  const { partner, partnerName, offerName, payout, values, moment, isShared } = offer;
  return (
    <li>
      <Text size="sm" component="div">
        <PageLink to="/partners/$partnerKey/offers/$offerKey" params={{ partnerKey: partner, offerKey: offer.offer }}>
          {partnerName}: {offerName}
        </PageLink>
        {payout !== null && <> pays {formatMoney(payout, currency)}</>}
        {isShared && (
          <Badge ml={6} size="sm" variant="default">
            shared
          </Badge>
        )}
        {values !== '' && (
          <Text span inherit c="dimmed">
            {' · '}
            {values}
          </Text>
        )}
        {moment !== null && (
          <Text span inherit c="dimmed">
            {' · '}
            {moment.is} <Time at={moment.at} kind="short" />
          </Text>
        )}
      </Text>
    </li>
  );
}

/** The passed stages in green and the stage that dropped the offer in red, with a text alternative. */
function Track({ stage }: { readonly stage: Stage }): ReactNode {
  const at = STAGES.findIndex(([name]) => name === stage);
  const passed = at === -1 ? STAGES.length : at;
  const label = at === -1 ? 'passed all stages' : `dropped at stage ${at + 1} of ${STAGES.length}: ${STAGES[at]?.[1]}`;
  return (
    <span className={styles['track']} role="img" aria-label={label} title={label}>
      {STAGES.map(([name], index) => (
        <span
          key={name}
          className={`${styles['step']} ${index < passed ? styles['passed'] : index === at ? styles['stopped'] : ''}`}
        />
      ))}
    </span>
  );
}

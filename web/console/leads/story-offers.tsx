// The decision: how the offers became fewer stage by stage, who won, and why each of the others did not. As a picture, or as a table.
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
import { Station } from './station.tsx';

const FILTERS = {
  view: choiceFilter(['picture', 'table']),
  stage: choiceFilter(['', 'won', 'choice', 'duplicates', 'funds', 'caps', 'schedule', 'filters', 'standing']),
  find: textFilter,
};

const STAGE_CHOICES = [
  { value: '', label: 'All offers' },
  { value: 'won', label: 'Won' },
  ...STAGES.map(([value, label]) => ({ value, label: `Left out at: ${label.toLowerCase()}` })).toReversed(),
];

const OUTCOMES: Readonly<Record<string, readonly [title: string, tone: Tone]>> = {
  routed: ['Decided: sold', 'good'],
  held: ['Decided: held until somebody opens', 'warn'],
  rejected: ['Decided: nobody takes it', 'bad'],
};

export function Offers({ story }: { readonly story: LeadStory }): ReactNode {
  const { decision, lead, currency } = story;
  const [filters, setFilters] = useFilters(FILTERS);
  if (decision === null) return <NotDecided story={story} />;
  const [title, tone] = OUTCOMES[decision.outcome] ?? [`Decided: ${decision.outcome}`, 'idle'];
  const found = matchOffers(decision.offers, { text: filters.find, stage: filters.stage });
  return (
    <Station
      title={title}
      tone={tone}
      actions={
        <SegmentedControl
          size="xs"
          value={filters.view}
          onChange={(view) => setFilters({ view: FILTERS.view.read(view) }, { push: false })}
          data={[
            { value: 'picture', label: 'Picture' },
            { value: 'table', label: 'Table' },
          ]}
          aria-label="Offers as"
        />
      }
    >
      <Summary story={story} />
      {lead.state === 'duplicate' || lead.state === 'no_buyer' ? <Reasons reasons={lead.reasons} /> : null}
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
            label="Which offers"
            data={STAGE_CHOICES}
            value={filters.stage}
            allowDeselect={false}
            onChange={(stage) => setFilters({ stage: FILTERS.stage.read(stage ?? undefined) }, { push: false })}
          />
        </SimpleGrid>
      )}
      <Text size="sm" c="dimmed" role="status">
        {found.length === decision.offers.length
          ? `${count(found.length, 'offer')}, the one that came farthest first`
          : `${formatNumber(found.length)} of ${count(decision.offers.length, 'offer')}`}
      </Text>
      {found.length === 0 ? (
        <Empty title="No such offer">Change what you look for.</Empty>
      ) : filters.view === 'table' ? (
        <OfferTable offers={found} currency={currency} />
      ) : (
        <Stack gap="xs">
          {groupOffers(found).map((group) => (
            <GroupBox key={group.code} group={group} currency={currency} />
          ))}
        </Stack>
      )}
    </Station>
  );
}

function NotDecided({ story: { lead } }: { readonly story: LeadStory }): ReactNode {
  if (lead.state === 'invalid') return null;
  return (
    <Station title={lead.state === 'received' ? 'Waiting for its decision' : 'Decision'} tone="idle">
      <Text size="sm">
        {lead.state === 'received'
          ? 'It is in the queue. Most leads are decided within a second; this page shows it by itself.'
          : 'What was decided is not kept any more, or the person was erased before.'}
      </Text>
    </Station>
  );
}

function Summary({ story: { decision, rounds, lead } }: { readonly story: LeadStory }): ReactNode {
  if (decision === null) return null;
  return (
    <Stack gap={4}>
      <Text size="sm">
        On <Time at={decision.decidedAt} />, by version {formatNumber(decision.configVersion)} of the configuration.
        {decision.retryAt !== null && (
          <>
            {' '}
            Tried again at <Time at={decision.retryAt} />.
          </>
        )}
        {lead.test && ' On paper: nobody got it.'}
      </Text>
      {rounds.length > 1 && (
        <Group gap={6} component="nav" aria-label="Decisions on this lead">
          <Text size="sm">It was decided on {formatNumber(rounds.length)} times:</Text>
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

/** How many were left at each stage. */
function Funnel({ offers }: { readonly offers: readonly TriedOffer[] }): ReactNode {
  const stages = countByStage(offers);
  if (stages.length === 0) return null;
  return (
    <Stack component="ol" gap={6} m={0} p={0} style={{ listStyle: 'none' }} aria-label="How the offers became fewer">
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

/** More than these of one rule say the same thing. */
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

/** Green as far as it came, red where it was left out; said in words for those who do not see it. */
function Track({ stage }: { readonly stage: Stage }): ReactNode {
  const at = STAGES.findIndex(([name]) => name === stage);
  const passed = at === -1 ? STAGES.length : at;
  const label =
    at === -1 ? 'came through all stages' : `left out at stage ${at + 1} of ${STAGES.length}: ${STAGES[at]?.[1]}`;
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

// The page of an offer with its figures, usage and form, and the page for a new one.
import { Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Figure, Figures, Section } from '../../ui/facts.tsx';
import { textFilter, useFilters } from '../../ui/filters.ts';
import { count, formatMoney, formatNumber } from '../../ui/formats.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Time, ZoneNote } from '../../ui/zone.tsx';
import { useConsoleSession } from '../session.ts';
import type { OfferUsage, ShownOffer } from '../../../src/console/offers.schema.ts';
import {
  FIGURE_DAYS,
  type OfferForm,
  type PartnerForm,
  usePartner,
  useOffer,
} from '../configuration/configuration-api.ts';
import { Crumbs } from '../crumbs.tsx';
import { useDraft } from '../configuration/draft.ts';
import { type TriedChange, WithTried } from '../simulations/simulation-queries.tsx';
import { EditFrame } from '../configuration/edit-frame.tsx';
import { newOffer } from '../configuration/new-things.ts';
import { OfferFields } from './offer-form.tsx';
import { OfferResponses, PausedOffer } from './offer-responses.tsx';
import { RecentChanges } from '../changes/recent-changes.tsx';
import { offerInput } from '../configuration/inputs.ts';

const PriceAndSales = lazyPart(
  async () => (await import('./price-and-sales.tsx')).PriceAndSales,
  'Loading prices and sales',
);

const FILTERS = { draft: textFilter };
const ROOT = 'partners[0].offers[0]';

export function OfferPage(): ReactNode {
  const { partnerKey = '', offerKey = '' } = useParams({ strict: false }) as {
    readonly partnerKey?: string;
    readonly offerKey?: string;
  };
  const [{ draft }] = useFilters(FILTERS);
  const query = useOffer(offerKey);
  const partner = usePartner(partnerKey);
  return (
    <Page
      title={query.data?.offer.name ?? offerKey}
      description={
        <Crumbs>
          <PageLink to="/partners">Partners</PageLink>
          <PageLink to="/partners/$partnerKey" params={{ partnerKey }}>
            {partner.data?.partner.name ?? partnerKey}
          </PageLink>
          <span>{offerKey}</span>
          {query.data !== undefined && <Status>{query.data.usage.state}</Status>}
          <span>
            <ZoneNote />
          </span>
        </Crumbs>
      }
    >
      <Loaded query={query} what="Loading the offer">
        {(response) => (
          <>
            <PausedOffer offer={response.offer} />
            <OfferFigures response={response} />
            <OfferResponses offerKey={offerKey} />
            <Usage usage={response.usage} />
            <PartnersLimits limits={response.offer.ownLimits} />
            <WithTried id={draft}>
              {(tried) => <OfferEditor key={offerKey} response={response} overlay={overlayOf(tried)} />}
            </WithTried>
            {/* Below the form, which would move while it is used. */}
            <PriceAndSales offerKey={offerKey} />
            <RecentChanges kind="offer" thing={offerKey} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function overlayOf(tried: TriedChange | null): Partial<OfferForm> {
  return tried?.fragment?.partners?.[0]?.offers?.[0] ?? {};
}

function OfferFigures({ response: { figures, offer } }: { readonly response: ShownOffer }): ReactNode {
  const { currency } = useConsoleSession();
  const days = `in ${FIGURE_DAYS} days`;
  return (
    <Figures>
      <Figure
        name="Price"
        value={offer.payout === null ? '—' : formatMoney(offer.payout, currency)}
        note={offer.eventType}
      />
      <Figure name="Sold" value={formatNumber(figures.sold)} note={days} />
      <Figure name="Revenue" value={formatMoney(figures.revenue, currency)} note={days} />
      <Figure name="Returned" value={formatNumber(figures.returned)} note={days} />
    </Figures>
  );
}

const WINDOWS = [
  ['daily', 'today'],
  ['weekly', 'this week'],
  ['monthly', 'this month'],
] as const;

/** What the partner limits further by itself, in its portal. */
function PartnersLimits({ limits }: { readonly limits: ShownOffer['offer']['ownLimits'] }): ReactNode {
  const { currency } = useConsoleSession();
  if (limits === null) return null;
  const { caps, budget, statesNot } = limits;
  const parts = WINDOWS.flatMap(([window, words]) => [
    ...(caps[window] === null ? [] : [`${count(caps[window], 'lead')} ${words}`]),
    ...(budget[window] === null ? [] : [`${formatMoney(budget[window], currency)} ${words}`]),
  ]);
  const states = statesNot.length === 0 ? [] : [`no leads from ${statesNot.join(', ')}`];
  return (
    <Section title="Limits by the partner">
      <Text size="sm">At most {[...parts, ...states].join('; ')}. Routing uses the lower limit of both.</Text>
    </Section>
  );
}

/** The usage of each cap and budget. Windows without a limit are left out. */
function Usage({ usage }: { readonly usage: OfferUsage }): ReactNode {
  const { currency } = useConsoleSession();
  const bars = WINDOWS.flatMap(([window, words]) => {
    const { limit, used, budget, spent, resetsAt } = usage.windows[window];
    return [
      ...(limit === null
        ? []
        : [
            {
              name: `Leads ${words}`,
              part: used,
              whole: limit,
              text: `${formatNumber(used)} of ${formatNumber(limit)}`,
              resetsAt,
            },
          ]),
      ...(budget === null
        ? []
        : [
            {
              name: `Budget ${words}`,
              part: spent,
              whole: budget,
              text: `${formatMoney(spent, currency)} of ${formatMoney(budget, currency)}`,
              resetsAt,
            },
          ]),
    ];
  });
  if (bars.length === 0) return null;
  return (
    <Section title="Usage">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {bars.map(({ name, part, whole, text, resetsAt }) => (
          <Stack key={name} gap={4}>
            <Text size="sm">
              {name}: {text}
            </Text>
            <Progress.Root size="md">
              <Progress.Section
                value={whole === 0 ? 100 : Math.min(100, (100 * part) / whole)}
                aria-label={`${name}: ${text}`}
              />
            </Progress.Root>
            <Text size="xs" c="dimmed">
              Resets <Time at={resetsAt} kind="short" />
            </Text>
          </Stack>
        ))}
      </SimpleGrid>
    </Section>
  );
}

function OfferEditor({
  response,
  overlay,
}: {
  readonly response: ShownOffer;
  readonly overlay: Partial<OfferForm>;
}): ReactNode {
  const { partner, rejectionsPause: _pause, ownLimits: _own, ...form } = response.offer;
  const draft = useDraft<OfferForm>(form, response.version, overlay);
  return (
    <EditFrame draft={draft} input={offerInput(draft, partner, false)} root={ROOT} label="Settings of the offer">
      {(faults) => <OfferFields draft={draft} faults={faults} isNew={false} timeZone={response.timeZone} />}
    </EditFrame>
  );
}

export function NewOfferPage(): ReactNode {
  const { partnerKey = '' } = useParams({ strict: false }) as { readonly partnerKey?: string };
  const [{ draft }] = useFilters(FILTERS);
  const query = usePartner(partnerKey);
  return (
    <Page
      title="New offer"
      description={
        <Crumbs>
          <PageLink to="/partners">Partners</PageLink>
          <PageLink to="/partners/$partnerKey" params={{ partnerKey }}>
            {query.data?.partner.name ?? partnerKey}
          </PageLink>
        </Crumbs>
      }
    >
      <Loaded query={query}>
        {({ version, partner }) => (
          <WithTried id={draft}>
            {(tried) => <NewOffer partner={partner} version={version} overlay={overlayOf(tried)} />}
          </WithTried>
        )}
      </Loaded>
    </Page>
  );
}

function NewOffer({
  partner,
  version,
  overlay,
}: {
  readonly partner: PartnerForm;
  readonly version: number;
  readonly overlay: Partial<OfferForm>;
}): ReactNode {
  const navigate = useNavigate();
  const draft = useDraft<OfferForm>(newOffer, version, overlay);
  return (
    <EditFrame
      draft={draft}
      input={offerInput(draft, partner.key, true)}
      root={ROOT}
      label="New offer"
      onApplied={() =>
        void navigate({
          to: '/partners/$partnerKey/offers/$offerKey',
          params: { partnerKey: partner.key, offerKey: draft.values.key.trim() },
          search: {},
        })
      }
    >
      {(faults) => <OfferFields draft={draft} faults={faults} isNew timeZone={partner.timeZone} />}
    </EditFrame>
  );
}

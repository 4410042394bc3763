// The page of a partner with offers, settings, tokens, endpoint and recent changes, and the page for a new one.
import { Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { PartnerOnConsole, ShownPartner } from '../../../src/console/partners.schema.ts';
import { Figure, Figures } from '../../ui/facts.tsx';
import { choiceFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { count, formatMoney, formatNumber } from '../../ui/formats.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { useConsoleSession } from '../session.ts';
import { FIGURE_DAYS, type PartnerForm, useMarketplace, usePartner } from '../configuration/configuration-api.ts';
import { Attention } from '../attention.tsx';
import { Credentials } from '../credentials/credentials.tsx';
import { Time, ZoneNote } from '../../ui/zone.tsx';
import { request } from '../console-api.ts';
import { Crumbs } from '../crumbs.tsx';
import { useDraft } from '../configuration/draft.ts';
import { type TriedChange, WithTried } from '../simulations/simulation-queries.tsx';
import { EditFrame } from '../configuration/edit-frame.tsx';
import { Endpoint } from './endpoint.tsx';
import { newPartner } from '../configuration/new-things.ts';
import { OffersOfPartner } from './offers-of-partner.tsx';
import { PartnerFields } from './partner-form.tsx';
import { PartnerResponses } from './partner-responses.tsx';
import { RecentChanges } from '../changes/recent-changes.tsx';
import { OwnerSecret } from '../credentials/signing-secret.tsx';
import { PARTNER_STATUSES, StatusSwitch } from '../configuration/status-switch.tsx';
import { newPartnerFrom, partnerChange, partnerInput } from '../configuration/inputs.ts';
import { Allowed } from '../allowed.tsx';

const UsersTab = lazyPart(async () => (await import('../users/users-tab.tsx')).UsersTab, 'Loading users');
const WebhookTab = lazyPart(async () => (await import('./webhook-tab.tsx')).WebhookTab, 'Loading the format');

const TABS = [
  ['offers', 'Offers'],
  ['settings', 'Settings'],
  ['webhook', 'Webhook'],
  ['access', 'Access'],
  ['users', 'Users'],
  ['endpoint', 'Endpoint'],
  ['changes', 'Recent changes'],
] as const;
const FILTERS = {
  tab: choiceFilter(['offers', 'settings', 'webhook', 'access', 'users', 'endpoint', 'changes']),
  draft: textFilter,
};
const NEW_FILTERS = { draft: textFilter };
const ROOT = 'partners[0]';

export function PartnerPage(): ReactNode {
  const { partnerKey = '' } = useParams({ strict: false }) as { readonly partnerKey?: string };
  const [filters, setFilters] = useFilters(FILTERS);
  const query = usePartner(partnerKey);
  const partner = query.data?.partner;
  const { currency } = useConsoleSession();
  return (
    <Page
      title={partner?.name ?? partnerKey}
      description={
        <Crumbs>
          <PageLink to="/partners">Partners</PageLink>
          <span>{partnerKey}</span>
          {partner !== undefined && <Status>{partner.status}</Status>}
          {partner !== undefined && <span>Its time zone: {partner.timeZone}</span>}
          <span>
            <ZoneNote />
          </span>
        </Crumbs>
      }
      actions={
        partner !== undefined && (
          <StatusSwitch
            onSet={(status) =>
              request('POST /console/api/partners/:partnerKey/status', { params: { partnerKey }, body: { status } })
            }
            name={partner.name}
            status={partner.status}
            choices={PARTNER_STATUSES}
            stops={stopsOf(query.data, currency)}
          />
        )
      }
    >
      <Loaded query={query} what="Loading the partner">
        {(response) => (
          <>
            <LowFundsWarning partner={response.partner} />
            <OwnPauseNote partner={response.partner} />
            <NoAddressWarning partner={response.partner} activeOffers={response.figures.activeOffers} />
            <PartnerFiguresRow figures={response.figures} partnerKey={partnerKey} />
            <Tabs
              value={filters.tab}
              onChange={(tab) => setFilters({ tab: (tab ?? 'offers') as typeof filters.tab })}
              keepMounted={false}
            >
              <Tabs.List mb="md">
                {TABS.map(([tab, words]) => (
                  <Tabs.Tab key={tab} value={tab}>
                    {words}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value="offers">
                <OffersOfPartner partnerKey={partnerKey} />
                <div style={{ height: 16 }} />
                <PartnerResponses partnerKey={partnerKey} />
              </Tabs.Panel>
              <Tabs.Panel value="settings">
                <WithTried id={filters.draft}>
                  {(tried) => <PartnerEditor key={partnerKey} response={response} tried={tried} />}
                </WithTried>
              </Tabs.Panel>
              <Tabs.Panel value="webhook">
                <WithTried id={filters.draft}>
                  {(tried) => <WebhookTab key={partnerKey} response={response} tried={tried} />}
                </WithTried>
              </Tabs.Panel>
              <Tabs.Panel value="access">
                <Credentials owner={{ kind: 'partners', key: partnerKey }} word="token" />
                <div style={{ height: 16 }} />
                <Allowed to="credentials" otherwise="see the signing secret">
                  <OwnerSecret owner={{ kind: 'partners', key: partnerKey }} />
                </Allowed>
              </Tabs.Panel>
              <Tabs.Panel value="users">
                <UsersTab owner={{ kind: 'partners', key: partnerKey }} />
              </Tabs.Panel>
              <Tabs.Panel value="endpoint">
                <Endpoint partner={response.partner} />
              </Tabs.Panel>
              <Tabs.Panel value="changes">
                <RecentChanges kind="partner" thing={partnerKey} />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const TARGETS: Readonly<Record<string, keyof PartnerForm['settings']>> = {
  webhook: 'webhookUrl',
  email: 'notificationEmail',
  sms: 'smsNumber',
  sheets: 'sheetsSpreadsheetId',
  sheets_script: 'sheetsWebhookUrl',
};

/** The warning that the first channel has no address, so that active offers receive nothing. */
/** What pausing or suspending an active partner stops. */
function stopsOf(shown: ShownPartner | undefined, currency: string): string | undefined {
  if (shown?.partner.status !== 'active' || shown.figures.activeOffers === 0) return undefined;
  const { activeOffers, sold, revenue } = shown.figures;
  return `This stops ${count(activeOffers, 'active offer')}: ${count(sold, 'lead')} for ${formatMoney(revenue, currency)} in ${FIGURE_DAYS} days.`;
}

function LowFundsWarning({ partner }: { readonly partner: PartnerOnConsole }): ReactNode {
  const { fundsPausedAt, key } = partner;
  if (fundsPausedAt === null) return null;
  return (
    <Attention title="Low funds: the offers of this partner are paused">
      <Text size="sm">
        Since <Time at={fundsPausedAt} />, because its available funds are below the amount under Billing. They go on
        within a minute after a payment.{' '}
        <PageLink to="/ledger" search={{ partner: key }}>
          See the account
        </PageLink>
      </Text>
    </Attention>
  );
}

function OwnPauseNote({ partner: { ownPause } }: { readonly partner: PartnerOnConsole }): ReactNode {
  if (ownPause === null) return null;
  return (
    <Attention title="This partner has paused itself: it receives no leads">
      <Text size="sm">
        Since <Time at={ownPause.since} />,{' '}
        {ownPause.until === null ? (
          'until it resumes in its portal.'
        ) : (
          <>
            until <Time at={ownPause.until} /> or until it resumes in its portal.
          </>
        )}
      </Text>
    </Attention>
  );
}

function NoAddressWarning({
  partner: { channels, settings, status },
  activeOffers,
}: {
  readonly partner: PartnerForm;
  readonly activeOffers: number;
}): ReactNode {
  const target = TARGETS[channels[0] ?? ''];
  if (target === undefined || settings[target] !== null || status !== 'active' || activeOffers === 0) return null;
  return (
    <Attention
      title={`No delivery address: ${count(activeOffers, 'active offer receives', 'active offers receive')} no leads`}
    >
      <Text size="sm">
        The first channel of this partner has no address.{' '}
        <PageLink to="." search={{ tab: 'settings' }}>
          Set it under Settings
        </PageLink>
      </Text>
    </Attention>
  );
}

function PartnerFiguresRow({
  figures,
  partnerKey,
}: {
  readonly figures: ShownPartner['figures'];
  readonly partnerKey: string;
}): ReactNode {
  const { currency } = useConsoleSession();
  const { sold, revenue, returned, failed, activeOffers, offers } = figures;
  const days = `in ${FIGURE_DAYS} days`;
  const search = { partner: partnerKey };
  return (
    <Figures>
      <AvailableFunds partnerKey={partnerKey} />
      <Figure name="Sold" value={formatNumber(sold)} note={days} link={{ to: '/leads', search }} />
      <Figure
        name="Revenue"
        value={formatMoney(revenue, currency)}
        note={
          <>
            {days}.{' '}
            <PageLink to="/invoices" search={search}>
              View invoices
            </PageLink>
          </>
        }
      />
      <Figure
        name="Returned"
        value={formatNumber(returned)}
        note={
          <>
            {days}, and {formatNumber(failed)} not delivered.{' '}
            <PageLink to="/messages" search={search}>
              View messages
            </PageLink>
          </>
        }
        link={{ to: '/claims', search: { ...search, status: 'all' } }}
      />
      <Figure name="Active offers" value={formatNumber(activeOffers)} note={`of ${formatNumber(offers)}`} />
    </Figures>
  );
}

/** What the partner can still spend, as the ledger shows it. */
function AvailableFunds({ partnerKey }: { readonly partnerKey: string }): ReactNode {
  const { currency } = useConsoleSession();
  const { data } = useQuery({
    queryKey: ['deliveries', 'account', partnerKey, 'funds'],
    queryFn: ({ signal }) =>
      request('GET /console/api/ledger/accounts/:partner', { params: { partner: partnerKey }, signal }),
  });
  const account = data?.account;
  const value =
    account === undefined ? '…' : account.available === null ? 'No limit' : formatMoney(account.available, currency);
  return (
    <Figure
      name="Available funds"
      value={value}
      note={account === undefined ? undefined : `Balance ${formatMoney(account.balance, currency)}`}
      link={{ to: '/ledger', search: { partner: partnerKey } }}
    />
  );
}

function PartnerEditor({
  response,
  tried,
}: {
  readonly response: ShownPartner;
  readonly tried: TriedChange | null;
}): ReactNode {
  const { endpointDisabledAt: _disabled, fundsPausedAt: _paused, ownPause: _own, ...form } = response.partner;
  const draft = useDraft<PartnerForm>(form, response.version, partnerChange(tried, form));
  return (
    <EditFrame
      draft={draft}
      input={partnerInput(draft, form.settings, false)}
      root={ROOT}
      label="Settings of the partner"
    >
      {(faults) => <PartnerFields draft={draft} faults={faults} isNew={false} />}
    </EditFrame>
  );
}

export function NewPartnerPage(): ReactNode {
  const [{ draft }] = useFilters(NEW_FILTERS);
  const query = useMarketplace();
  return (
    <Page title="New partner" description={<PageLink to="/partners">Partners</PageLink>}>
      <Loaded query={query}>
        {({ version }) => (
          <WithTried id={draft}>
            {(tried) => <NewPartner version={version} overlay={newPartnerFrom(tried)} />}
          </WithTried>
        )}
      </Loaded>
    </Page>
  );
}

function NewPartner({
  version,
  overlay,
}: {
  readonly version: number;
  readonly overlay: Partial<PartnerForm>;
}): ReactNode {
  const navigate = useNavigate();
  const { timeZone } = useConsoleSession();
  const draft = useDraft<PartnerForm>({ ...newPartner, timeZone }, version, overlay);
  return (
    <EditFrame
      draft={draft}
      input={partnerInput(draft, newPartner.settings, true)}
      root={ROOT}
      label="New partner"
      onApplied={() =>
        void navigate({ to: '/partners/$partnerKey', params: { partnerKey: draft.values.key.trim() }, search: {} })
      }
    >
      {(faults) => <PartnerFields draft={draft} faults={faults} isNew />}
    </EditFrame>
  );
}

// The page of a supplier with settings, keys and recent changes, and the page for a new one.
import { Tabs } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { ShownSupplier } from '../../../src/console/suppliers.schema.ts';
import { Figure, Figures } from '../../ui/facts.tsx';
import { choiceFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { formatNumber, formatShare } from '../../ui/formats.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { FIGURE_DAYS, type SupplierForm, useMarketplace, useSupplier } from '../configuration/configuration-api.ts';
import { Credentials } from '../credentials/credentials.tsx';
import { request } from '../console-api.ts';
import { Crumbs } from '../crumbs.tsx';
import { useDraft } from '../configuration/draft.ts';
import { WithTried } from '../simulations/simulation-queries.tsx';
import { EditFrame } from '../configuration/edit-frame.tsx';
import { newSupplier } from '../configuration/new-things.ts';
import { RecentChanges } from '../changes/recent-changes.tsx';
import { OwnerSecret } from '../credentials/signing-secret.tsx';
import { StatusSwitch, SUPPLIER_STATUSES } from '../configuration/status-switch.tsx';
import { SupplierFields } from './supplier-form.tsx';
import { newSupplierFrom, supplierInput } from '../configuration/inputs.ts';
import { Allowed } from '../allowed.tsx';
import { useConsoleSession } from '../session.ts';

const UsersTab = lazyPart(async () => (await import('../users/users-tab.tsx')).UsersTab, 'Loading users');

const FILTERS = { tab: choiceFilter(['settings', 'keys', 'users', 'changes']), draft: textFilter };
const NEW_FILTERS = { draft: textFilter };
const ROOT = 'suppliers[0]';

export function SupplierPage(): ReactNode {
  const { supplierKey = '' } = useParams({ strict: false }) as { readonly supplierKey?: string };
  const [filters, setFilters] = useFilters(FILTERS);
  const query = useSupplier(supplierKey);
  const supplier = query.data?.supplier;
  return (
    <Page
      title={supplier?.name ?? supplierKey}
      description={
        <Crumbs>
          <PageLink to="/suppliers">Suppliers</PageLink>
          <span>{supplierKey}</span>
          {supplier !== undefined && <Status>{supplier.status}</Status>}
          <span>
            <ZoneNote />
          </span>
        </Crumbs>
      }
      actions={
        supplier !== undefined && (
          <StatusSwitch
            onSet={(status) =>
              request('POST /console/api/suppliers/:supplierKey/status', { params: { supplierKey }, body: { status } })
            }
            name={supplier.name}
            status={supplier.status}
            choices={SUPPLIER_STATUSES}
          />
        )
      }
    >
      <Loaded query={query} what="Loading the supplier">
        {(response) => (
          <>
            <SupplierFiguresRow figures={response.figures} supplierKey={supplierKey} />
            <Tabs
              value={filters.tab}
              onChange={(tab) => setFilters({ tab: (tab ?? 'settings') as typeof filters.tab })}
              keepMounted={false}
            >
              <Tabs.List mb="md">
                <Tabs.Tab value="settings">Settings</Tabs.Tab>
                <Tabs.Tab value="keys">Keys</Tabs.Tab>
                <Tabs.Tab value="users">Users</Tabs.Tab>
                <Tabs.Tab value="changes">Recent changes</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="settings">
                <WithTried id={filters.draft}>
                  {(tried) => (
                    <SupplierEditor
                      key={supplierKey}
                      response={response}
                      overlay={tried?.fragment?.suppliers?.[0] ?? {}}
                    />
                  )}
                </WithTried>
              </Tabs.Panel>
              <Tabs.Panel value="keys">
                <Credentials owner={{ kind: 'suppliers', key: supplierKey }} word="key" />
                <div style={{ height: 16 }} />
                <Allowed to="credentials" otherwise="see the signing secret">
                  <OwnerSecret owner={{ kind: 'suppliers', key: supplierKey }} />
                </Allowed>
              </Tabs.Panel>
              <Tabs.Panel value="users">
                <UsersTab owner={{ kind: 'suppliers', key: supplierKey }} />
              </Tabs.Panel>
              <Tabs.Panel value="changes">
                <RecentChanges kind="supplier" thing={supplierKey} />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function SupplierFiguresRow({
  figures,
  supplierKey,
}: {
  readonly figures: ShownSupplier['figures'];
  readonly supplierKey: string;
}): ReactNode {
  const { submitted, routed, acceptanceRate, avgScore } = figures;
  const days = `in ${FIGURE_DAYS} days`;
  return (
    <Figures>
      <Figure
        name="Submitted"
        value={formatNumber(submitted)}
        note={days}
        link={{ to: '/leads', search: { supplier: supplierKey } }}
      />
      <Figure
        name="Sold"
        value={formatNumber(routed)}
        note={days}
        link={{ to: '/leads', search: { supplier: supplierKey, state: 'routed' } }}
      />
      <Figure name="Share sold" value={submitted === 0 ? '—' : formatShare(acceptanceRate / 100)} note={days} />
      <Figure name="Average score" value={submitted === 0 ? '—' : formatNumber(avgScore)} note="of 100" />
    </Figures>
  );
}

function SupplierEditor({
  response,
  overlay,
}: {
  readonly response: ShownSupplier;
  readonly overlay: Partial<SupplierForm>;
}): ReactNode {
  const draft = useDraft<SupplierForm>(response.supplier, response.version, overlay);
  return (
    <EditFrame draft={draft} input={supplierInput(draft, false)} root={ROOT} label="Settings of the supplier">
      {(faults) => <SupplierFields draft={draft} faults={faults} isNew={false} />}
    </EditFrame>
  );
}

export function NewSupplierPage(): ReactNode {
  const [{ draft }] = useFilters(NEW_FILTERS);
  const query = useMarketplace();
  return (
    <Page title="New supplier" description={<PageLink to="/suppliers">Suppliers</PageLink>}>
      <Loaded query={query}>
        {({ version }) => (
          <WithTried id={draft}>
            {(tried) => <NewSupplier version={version} overlay={newSupplierFrom(tried)} />}
          </WithTried>
        )}
      </Loaded>
    </Page>
  );
}

function NewSupplier({
  version,
  overlay,
}: {
  readonly version: number;
  readonly overlay: Partial<SupplierForm>;
}): ReactNode {
  const navigate = useNavigate();
  const { timeZone } = useConsoleSession();
  const draft = useDraft<SupplierForm>({ ...newSupplier, timeZone }, version, overlay);
  return (
    <EditFrame
      draft={draft}
      input={supplierInput(draft, true)}
      root={ROOT}
      label="New supplier"
      onApplied={() =>
        void navigate({
          to: '/suppliers/$supplierKey',
          params: { supplierKey: draft.values.key.trim() },
          search: { tab: 'keys' },
        })
      }
    >
      {(faults) => <SupplierFields draft={draft} faults={faults} isNew />}
    </EditFrame>
  );
}

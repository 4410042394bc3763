// The marketplace page: the settings that apply to all, the configuration file, and recent changes.
import { Tabs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { ShownMarketplace } from '../../../src/console/configuration.schema.ts';
import { choiceFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { type MarketplaceForm, useMarketplace } from './configuration-api.ts';
import { useDraft } from './draft.ts';
import { WithTried } from '../simulations/simulation-queries.tsx';
import { EditFrame } from './edit-frame.tsx';
import { FileEditor } from './file-editor.tsx';
import { MarketplaceFields } from './marketplace-form.tsx';
import { RecentChanges } from '../changes/recent-changes.tsx';

const FILTERS = { tab: choiceFilter(['settings', 'file', 'changes']), draft: textFilter };

export function MarketplacePage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  return (
    <Page
      title="Marketplace"
      description="Settings that apply to all suppliers and partners, and the whole configuration as one file."
    >
      <Tabs
        value={filters.tab}
        onChange={(tab) => setFilters({ tab: (tab ?? 'settings') as typeof filters.tab })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          <Tabs.Tab value="file">Whole file</Tabs.Tab>
          <Tabs.Tab value="changes">Recent changes</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settings">
          <WithTried id={filters.draft}>
            {(tried) => <Settings overlay={tried?.fragment?.marketplace ?? {}} />}
          </WithTried>
        </Tabs.Panel>
        <Tabs.Panel value="file">
          <WithTried id={filters.draft}>{(tried) => <FileEditor tried={tried} />}</WithTried>
        </Tabs.Panel>
        <Tabs.Panel value="changes">
          <RecentChanges kind="marketplace" />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Settings({ overlay }: { readonly overlay: Partial<MarketplaceForm> }): ReactNode {
  const query = useMarketplace();
  return (
    <Loaded query={query} what="Loading the settings">
      {(response) => <SettingsEditor response={response} overlay={overlay} />}
    </Loaded>
  );
}

function SettingsEditor({
  response,
  overlay,
}: {
  readonly response: ShownMarketplace;
  readonly overlay: Partial<MarketplaceForm>;
}): ReactNode {
  const draft = useDraft<MarketplaceForm>(response.marketplace, response.version, overlay);
  const queries = useQueryClient();
  return (
    <EditFrame
      draft={draft}
      input={{ fragment: { marketplace: draft.changed } }}
      root="marketplace"
      label="Settings of the marketplace"
      // Look, currency and time zone of all pages come with the session.
      onApplied={() => void queries.invalidateQueries({ queryKey: ['session'] })}
    >
      {(faults) => <MarketplaceFields draft={draft} faults={faults} />}
    </EditFrame>
  );
}

// The operators' page of notices: what was sent to whom, sending again, and the settings of the operators' own notices.
import { Button, Select, Tabs, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { ShownMarketplace } from '../../../src/console/configuration.schema.ts';
import type { ListedNotice } from '../../../src/notices/notice-list.schema.ts';
import type { Column } from '../../ui/data-table.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { choiceFilter, cursorFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { labelIn } from '../../ui/set-filters.ts';
import { NoticeFields, type Threshold } from '../../ui/notice-fields.tsx';
import { NOTICE_FILTER_WORDS, NoticeFilterFields, NoticeTable } from '../../ui/notice-list.tsx';
import { KIND_WORDS } from '../../ui/notice-words.ts';
import { notify, notifyFailure } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { Allowed } from '../allowed.tsx';
import { type MarketplaceForm, useMarketplace } from '../configuration/configuration-api.ts';
import { useDraft } from '../configuration/draft.ts';
import { EditFrame } from '../configuration/edit-frame.tsx';
import { memberOf, valuesOf } from '../configuration/members.ts';
import { listFile } from '../list-file.ts';
import { request } from '../console-api.ts';

const FILTERS = {
  tab: choiceFilter(['list', 'settings']),
  kind: textFilter,
  state: textFilter,
  recipient: choiceFilter(['', 'operator', 'partner', 'supplier']),
  key: textFilter,
  before: cursorFilter,
};
const RECIPIENTS = [
  { value: '', label: 'All' },
  { value: 'operator', label: 'Operators' },
  { value: 'partner', label: 'Partners' },
  { value: 'supplier', label: 'Suppliers' },
];
const WORDS = { ...NOTICE_FILTER_WORDS, recipient: ['To', labelIn(RECIPIENTS)], key: ['Key'] } as const;

export function NoticesPage(): ReactNode {
  const [{ tab }, setFilters] = useFilters(FILTERS);
  return (
    <Page
      title="Notices"
      description={
        <>
          Notices to partners, suppliers and operators, and the settings of those to operators. <ZoneNote />.
        </>
      }
      actions={<TestButton />}
    >
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => setFilters({ tab: FILTERS.tab.read(value ?? undefined) })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="list">Sent</Tabs.Tab>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="list">
          <List />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <Settings />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function TestButton(): ReactNode {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      await request('POST /console/api/notices/test');
      notify('A test is on its way to each channel of the operators.');
      await queries.invalidateQueries({ queryKey: ['notices'] });
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Allowed to="operate">
      <Button variant="default" loading={isBusy} onClick={() => void send()}>
        Send a test
      </Button>
    </Allowed>
  );
}

function List(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const { tab: _tab, ...search } = filters;
  const query = useQuery({
    queryKey: ['notices', search],
    queryFn: ({ signal }) =>
      request('GET /console/api/notices', { query: { ...search, state: search.state as '' }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <NoticeFilterFields filters={filters} kinds={Object.keys(KIND_WORDS)} change={setFilters}>
        <Select
          label="To"
          data={RECIPIENTS}
          value={filters.recipient}
          allowDeselect={false}
          onChange={(chosen) => setFilters({ recipient: FILTERS.recipient.read(chosen ?? undefined), key: '' })}
        />
        <TextInput
          label="Key of the partner or supplier"
          disabled={filters.recipient !== 'partner' && filters.recipient !== 'supplier'}
          placeholder="Choose a recipient first"
          value={filters.key}
          onChange={({ currentTarget }) => setFilters({ key: currentTarget.value })}
        />
      </NoticeFilterFields>
      <FilterBar list="notices" filters={FILTERS} values={filters} words={WORDS} onChange={setFilters} />
      <Loaded query={query} what="Loading notices">
        {(list) => (
          <NoticeTable
            list={list}
            isStale={query.isPlaceholderData}
            filters={filters}
            change={setFilters}
            fileOf={listFile('notices', search)}
            further={FURTHER}
          />
        )}
      </Loaded>
    </>
  );
}

function recipientWords({ recipientKind, recipientKey }: ListedNotice): string {
  return recipientKind === 'operator' ? 'operators' : `${recipientKind} ${recipientKey}`;
}

function Again({ notice: { id, title, state, sends } }: { readonly notice: ListedNotice }): ReactNode {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  if (state === 'raised' || sends.some((send) => send.state === 'waiting')) return null;
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      await request('POST /console/api/notices/:noticeId/resend', { params: { noticeId: id } });
      notify('It is sent again.');
      await queries.invalidateQueries({ queryKey: ['notices'] });
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Allowed to="operate">
      <Button
        size="compact-sm"
        variant="default"
        loading={isBusy}
        aria-label={`Send again: ${title}`}
        onClick={() => void send()}
      >
        Send again
      </Button>
    </Allowed>
  );
}

const FURTHER: readonly Column<ListedNotice>[] = [
  { key: 'to', title: 'To', cell: recipientWords },
  { key: 'again', title: 'Actions', cell: (notice) => <Again notice={notice} /> },
];

function Settings(): ReactNode {
  const query = useMarketplace();
  return (
    <Loaded query={query} what="Loading the settings">
      {(response) => <SettingsEditor response={response} />}
    </Loaded>
  );
}

const FACTORS: ReadonlySet<string> = new Set(['acceptanceFactor', 'sellThroughFactor']);

function SettingsEditor({ response }: { readonly response: ShownMarketplace }): ReactNode {
  const draft = useDraft<MarketplaceForm>(response.marketplace, response.version);
  const { notices } = draft.values;
  const thresholds = Object.keys(notices.thresholds).map((name): Threshold => {
    const path = `notices.thresholds.${name}` as 'notices.thresholds.silentHours';
    const { title = name, description } = memberOf('marketplace', path);
    return { name, label: title, description, decimals: FACTORS.has(name) ? 2 : 0 };
  });
  return (
    <EditFrame
      draft={draft}
      input={{ fragment: { marketplace: draft.changed } }}
      root="marketplace"
      label="Settings of notices to operators"
    >
      {(faults) => (
        <>
          <NoticeFields
            values={notices}
            kinds={valuesOf('marketplace', 'notices.off')}
            thresholds={thresholds}
            errorOf={(path) => faults.of(`notices.${path}`)}
            onChange={(part) => draft.set('notices', { ...notices, ...part } as typeof notices)}
            emailsHint="Without one, operators get no email."
            zoneHint="That of the marketplace"
          />
          <TextInput
            label="Address of the service"
            description="As people open it, such as https://leads.example.com. Links in notices begin with it."
            type="url"
            value={notices.publicUrl ?? ''}
            error={faults.of('notices.publicUrl')}
            onChange={({ currentTarget }) =>
              draft.set('notices', { ...notices, publicUrl: currentTarget.value === '' ? null : currentTarget.value })
            }
          />
        </>
      )}
    </EditFrame>
  );
}

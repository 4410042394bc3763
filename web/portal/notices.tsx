// A partner's or supplier's page of notices: what it got, and what it wants to get, where and when.
import { Button, Group, Stack, Tabs } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import type { NoticeSettings } from '../../src/portal/notices.schema.ts';
import { FilterBar } from '../ui/filter-bar.tsx';
import { choiceFilter, cursorFilter, textFilter, useFilters } from '../ui/filters.ts';
import { NoticeFields, type NoticeValues, type Threshold } from '../ui/notice-fields.tsx';
import { NOTICE_FILTER_WORDS, NoticeFilterFields, NoticeTable } from '../ui/notice-list.tsx';
import { notify } from '../ui/notify.tsx';
import { Page } from '../ui/page.tsx';
import { RequestError } from '../ui/request.ts';
import { Failure, Loaded } from '../ui/states.tsx';
import { ZoneNote } from '../ui/zone.tsx';
import { partnerListFile, supplierListFile } from './list-file.ts';
import { request } from './portal-api.ts';

type Owner = 'buyer' | 'supplier';

const FILTERS = { tab: choiceFilter(['list', 'settings']), kind: textFilter, state: textFilter, before: cursorFilter };

const EXPIRY = { name: 'expiryDays', label: 'Days before a credential expires' };
const OF: Readonly<Record<Owner, { readonly kinds: readonly string[]; readonly thresholds: readonly Threshold[] }>> = {
  buyer: {
    kinds: [
      ...['invoice.issued', 'invoice.reminder', 'invoice.overdue', 'payment.received', 'funds.low', 'offer.paused'],
      'offer.rejections_paused',
      ...['cap.reached', 'budget.low', 'claim.decided', 'endpoint.disabled', 'endpoint.failing'],
      ...['endpoint.recovered', 'credential.expiring'],
    ],
    thresholds: [
      { name: 'fundsBelow', label: 'Funds below', decimals: 2 },
      { name: 'budgetLeftPercent', label: 'Budget left, percent' },
      EXPIRY,
    ],
  },
  supplier: {
    kinds: ['statement.issued', 'endpoint.failing', 'endpoint.recovered', 'credential.expiring'],
    thresholds: [EXPIRY],
  },
};

export function PartnerNoticesPage(): ReactNode {
  return <NoticesPage owner="buyer" />;
}

export function SupplierNoticesPage(): ReactNode {
  return <NoticesPage owner="supplier" />;
}

function NoticesPage({ owner }: { readonly owner: Owner }): ReactNode {
  const [{ tab }, setFilters] = useFilters(FILTERS);
  return (
    <Page
      title="Notices"
      description={
        <>
          Notices to you, and which of them you want, where and when. <ZoneNote />.
        </>
      }
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
          <List owner={owner} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <Settings owner={owner} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function List({ owner }: { readonly owner: Owner }): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const { tab: _tab, ...search } = filters;
  const query = useQuery({
    queryKey: ['notices', owner, search],
    queryFn: ({ signal }) =>
      request(`GET /portal/api/${owner}/notices`, { query: { ...search, state: search.state as '' }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      <NoticeFilterFields filters={filters} kinds={OF[owner].kinds} change={setFilters} />
      <FilterBar list="notices" filters={FILTERS} values={filters} words={NOTICE_FILTER_WORDS} onChange={setFilters} />
      <Loaded query={query} what="Loading notices">
        {(list) => (
          <NoticeTable
            list={list}
            isStale={query.isPlaceholderData}
            filters={filters}
            change={setFilters}
            fileOf={(owner === 'buyer' ? partnerListFile : supplierListFile)('notices', search)}
          />
        )}
      </Loaded>
    </Stack>
  );
}

function Settings({ owner }: { readonly owner: Owner }): ReactNode {
  const query = useQuery({
    queryKey: ['notice-settings', owner],
    queryFn: ({ signal }) => request(`GET /portal/api/${owner}/notices/settings`, { signal }),
  });
  return (
    <Loaded query={query} what="Loading the settings">
      {(current) => <Form key={JSON.stringify(current.settings)} owner={owner} current={current} />}
    </Loaded>
  );
}

function Form({ owner, current }: { readonly owner: Owner; readonly current: NoticeSettings }): ReactNode {
  const { settings, accountEmails, timeZone } = current;
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<NoticeValues>(settings);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const errors = error instanceof RequestError ? error.faults : [];
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const body = JSON.parse(JSON.stringify(values)) as Record<string, never>;
      const saved = await request(`POST /portal/api/${owner}/notices/settings`, { body });
      queries.setQueryData(['notice-settings', owner], saved);
      notify('Saved.');
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      ref={form}
      aria-label="Settings of notices"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack>
        <NoticeFields
          values={values}
          {...OF[owner]}
          errorOf={(path) =>
            errors
              .filter(({ field }) => field === path || field.startsWith(`${path}.`))
              .map(({ message }) => message)
              .join('. ') || undefined
          }
          onChange={(part) => setValues({ ...values, ...part })}
          emailsHint={
            accountEmails.length === 0
              ? 'Without one, you get no email.'
              : `Without one, emails go to ${accountEmails.join(', ')}.`
          }
          zoneHint={timeZone}
        />
        {error !== null && <Failure error={error} title="Nothing was saved" />}
        <Group>
          <Button type="submit" loading={isBusy}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

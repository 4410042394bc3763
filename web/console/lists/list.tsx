// The page of one list: what it does, changes of it, upload, look-up of a value, and its uploads.
import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { ShownList } from '../../../src/scopes/lists.schema.ts';
import { Facts, Section } from '../../ui/facts.tsx';
import { formatNumber } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { ListLookUp, ListUpload, ListUploads, RemoveList } from '../../ui/lists/list-parts.tsx';
import { LIST_KINDS, LIST_USES } from '../../ui/lists/list-words.ts';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/zone.tsx';
import { Allowed, useMay } from '../allowed.tsx';
import { Crumbs } from '../crumbs.tsx';
import { ChangeListForm } from './change-list.tsx';
import { actionsOf, useList } from './list-queries.ts';
import { Owner } from './lists.tsx';

export function ListPage(): ReactNode {
  const { listId = '' } = useParams({ strict: false }) as { readonly listId?: string };
  const query = useList(listId);
  const list = query.data;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['configuration', 'lists'] });
  const actions = actionsOf(listId);
  const may = useMay('configure');
  return (
    <Page
      title={list?.name ?? 'List'}
      description={
        <Crumbs>
          <PageLink to="/lists">Lists</PageLink>
          <span>{list?.key ?? listId}</span>
        </Crumbs>
      }
      actions={
        list !== undefined &&
        may && (
          <RemoveList list={list} actions={actions} onRemoved={() => void navigate({ to: '/lists' }).then(refresh)} />
        )
      }
    >
      <Loaded query={query} what="Loading the list">
        {(shown) => (
          <>
            <About list={shown} />
            <Allowed to="configure" otherwise="upload into a list">
              <ListUpload list={shown} actions={actions} onChanged={refresh} />
            </Allowed>
            <Allowed to="persons">
              <ListLookUp list={shown} actions={actions} mayRemove={may} onChanged={refresh} />
            </Allowed>
            <ListUploads list={shown} />
            {may && (
              <ChangeListForm
                key={JSON.stringify([shown.name, shown.partners, shown.offers])}
                list={shown}
                onChanged={refresh}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ list }: { readonly list: ShownList }): ReactNode {
  const { kind, use, entries, partner, partners, offers, createdAt } = list;
  const names = [...partners.map((key) => `partner ${key}`), ...offers.map((key) => `offer ${key}`)];
  return (
    <Section title="About this list">
      <Text size="sm">{LIST_USES[use].meaning}</Text>
      <Facts
        facts={[
          ['Holds', LIST_KINDS[kind].title],
          ['Use', LIST_USES[use].title],
          ['Entries', formatNumber(entries)],
          ['Owner', <Owner key="owner" partner={partner} />],
          ['Counts for', names.length === 0 ? 'all partners' : names.join(', ')],
          ['Created', <Time key="created" at={createdAt} />],
        ]}
      />
    </Section>
  );
}

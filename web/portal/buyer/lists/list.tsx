// The page of one exclusion list of the partner: upload, look-up of a value, and its uploads.
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Facts, Section } from '../../../ui/facts.tsx';
import { formatNumber } from '../../../ui/formats.ts';
import { PageLink } from '../../../ui/link.tsx';
import { ListLookUp, ListUpload, ListUploads, RemoveList } from '../../../ui/lists/list-parts.tsx';
import { LIST_KINDS } from '../../../ui/lists/list-words.ts';
import { Page } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { Time, ZoneNote } from '../../../ui/zone.tsx';
import { actionsOf, useList } from './list-queries.ts';

export function ListPage(): ReactNode {
  const { listId = '' } = useParams({ strict: false }) as { readonly listId?: string };
  const query = useList(listId);
  const list = query.data;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['account', 'lists'] });
  const actions = actionsOf(listId);
  return (
    <Page
      title={list?.name ?? 'List'}
      description={
        <>
          <PageLink to="/lists">Exclusion lists</PageLink>. <ZoneNote />
        </>
      }
      actions={
        list !== undefined && (
          <RemoveList list={list} actions={actions} onRemoved={() => void navigate({ to: '/lists' }).then(refresh)} />
        )
      }
    >
      <Loaded query={query} what="Loading the list">
        {(shown) => (
          <>
            <Section title="About this list">
              <Facts
                facts={[
                  ['Holds', LIST_KINDS[shown.kind].title],
                  ['Entries', formatNumber(shown.entries)],
                  ['Counts for', shown.offers.length === 0 ? 'all of your offers' : shown.offers.join(', ')],
                  ['Created', <Time key="created" at={shown.createdAt} />],
                ]}
              />
            </Section>
            <ListUpload list={shown} actions={actions} onChanged={refresh} />
            <ListLookUp list={shown} actions={actions} mayRemove onChanged={refresh} />
            <ListUploads list={shown} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

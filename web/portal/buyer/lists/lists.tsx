// The partner's exclusion lists: people whom it has already, and whose leads it does not want to buy.
import { Button, Group, Modal, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import type { ListView } from '../../../../src/scopes/lists.schema.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { pageFilter, useFilters } from '../../../ui/filters.ts';
import { listColumns } from '../../../ui/lists/list-parts.tsx';
import { LIST_KINDS } from '../../../ui/lists/list-words.ts';
import { notify } from '../../../ui/notify.tsx';
import { Page } from '../../../ui/page.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { RequestError } from '../../../ui/request.ts';
import { Empty, Failure, Loaded } from '../../../ui/states.tsx';
import { partnerListFile } from '../../list-file.ts';
import { ZoneNote } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { useOfferStates } from '../overview/offer-states.ts';
import { useLists } from './list-queries.ts';

const FILTERS = { page: pageFilter };
const KINDS = Object.entries(LIST_KINDS).map(([value, { title }]) => ({ value, label: title }));

export function ListsPage(): ReactNode {
  const [{ page }] = useFilters(FILTERS);
  const query = useLists({ search: '', page });
  const [isOpen, setOpen] = useState(false);
  return (
    <Page
      title="Exclusion lists"
      description={
        <>
          Leads on these lists are not sold to you, such as your own customers. No other partner sees them or is
          affected. <ZoneNote />
        </>
      }
      actions={<Button onClick={() => setOpen(true)}>New list</Button>}
    >
      <Loaded query={query} what="Loading lists">
        {({ data, total, pageSize }) => (
          <>
            <DataTable
              caption="Exclusion lists"
              columns={listColumns}
              rows={data}
              rowKey={({ listId }) => listId}
              isStale={query.isPlaceholderData}
              list={{
                name: 'lists',
                at: String(page),
                isLater: page > 1,
                fileOf: partnerListFile('lists', { page, pageSize }),
              }}
              empty={
                <Empty title="No lists yet">
                  Create a list and upload the phone numbers or email addresses of your customers. They can be hashed on
                  your computer first.
                </Empty>
              }
            />
            <Pager page={page} pageSize={pageSize} total={total} unit="lists" />
          </>
        )}
      </Loaded>
      <NewList isOpen={isOpen} onClose={() => setOpen(false)} />
    </Page>
  );
}

function NewList({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<ListView['kind']>('phone');
  const [offers, setOffers] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const known = useOfferStates().data?.offers ?? [];
  const create = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const named = offers.length === 0 ? {} : { offers: [...offers] };
      const body = { key: keyOf(name), name: name.trim(), kind, ...named };
      const { listId } = await request('POST /portal/api/buyer/lists', { body });
      await queries.invalidateQueries({ queryKey: ['account', 'lists'] });
      notify('The list is created. Upload its entries now.');
      await navigate({ to: '/lists/$listId', params: { listId } });
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const nameFault = error instanceof RequestError && error.faults.some(({ field }) => ['key', 'name'].includes(field));
  return (
    <Modal opened={isOpen} onClose={onClose} title="New list" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            value={name}
            autoComplete="off"
            maxLength={60}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={nameFault ? 'Begin with a letter or digit.' : null}
            data-autofocus
          />
          <Select
            label="Holds"
            data={KINDS}
            value={kind}
            allowDeselect={false}
            onChange={(next) => setKind((next ?? 'phone') as ListView['kind'])}
          />
          {known.length > 1 && (
            <MultiSelect
              label="Offers"
              description="None: it counts for all of your offers."
              data={known.map(({ offerKey, name: offerName }) => ({ value: offerKey, label: offerName }))}
              value={[...offers]}
              onChange={setOffers}
            />
          )}
          <Text size="sm" c="dimmed">
            A lead on the list is left to other partners.
          </Text>
          {error !== null && !nameFault && <Failure error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy} disabled={keyOf(name) === ''}>
              Create list
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** `Our customers, 2026` → `our-customers-2026` */
function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63);
}

// The form for a new list: name, kind, use, and the partners and offers that it counts for.
import { Button, Group, MultiSelect, Radio, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import type { ListView, NewList } from '../../../src/scopes/lists.schema.ts';
import { Section } from '../../ui/facts.tsx';
import { PageLink } from '../../ui/link.tsx';
import { LIST_KINDS, LIST_USES } from '../../ui/lists/list-words.ts';
import { notify } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { RequestError } from '../../ui/request.ts';
import { Failure } from '../../ui/states.tsx';
import { NotYours, useMay } from '../allowed.tsx';
import { useOffers, usePartners } from '../configuration/configuration-api.ts';
import { capital } from '../configuration/draft.ts';
import { ChoiceField, FIELD_ORDER, KeyAndName } from '../configuration/fields.tsx';
import { request } from '../console-api.ts';

const KINDS = Object.entries(LIST_KINDS).map(([value, { title }]) => ({ value, label: title }));
const USES = Object.keys(LIST_USES) as ListView['use'][];

export function NewListPage(): ReactNode {
  const may = useMay('configure');
  return (
    <Page title="New list" description={<PageLink to="/lists">Lists</PageLink>}>
      {may ? <NewListForm /> : <NotYours what="Creating lists" />}
    </Page>
  );
}

type Draft = Pick<NewList, 'key' | 'name' | 'kind' | 'use'> & {
  readonly owner: string;
  readonly partners: readonly string[];
  readonly offers: readonly string[];
};

const NOTHING: Draft = { key: '', name: '', kind: 'phone', use: 'suppress', owner: '', partners: [], offers: [] };

function NewListForm(): ReactNode {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(NOTHING);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const set = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  const faults = error instanceof RequestError ? error.faults : [];
  const errorOf = (path: string): string | undefined => {
    const found = faults.find(({ field }) => field.split(/[.[]/)[0] === path);
    return found === undefined ? undefined : capital(found.message);
  };
  const create = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const list = await request('POST /console/api/lists', { body: bodyOf(draft) });
      await queries.invalidateQueries({ queryKey: ['configuration', 'lists'] });
      notify('The list is created. Upload its entries now.');
      await navigate({ to: '/lists/$listId', params: { listId: list.listId } });
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
      aria-label="New list"
      noValidate
    >
      <Stack gap="lg">
        <Section title="General">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <KeyAndName values={draft} set={(member, value) => set({ [member]: value })} errorOf={errorOf} isNew />
            <ChoiceField
              label="Holds"
              description="Cannot be changed later."
              value={draft.kind}
              choices={KINDS}
              onChange={(kind) => set({ kind })}
            />
          </SimpleGrid>
        </Section>
        <Section title="Use">
          <Radio.Group
            label="What happens to a lead that is on the list"
            value={draft.use}
            onChange={(use) => set({ use })}
            error={errorOf('use') ?? null}
          >
            <Stack gap="xs" mt="xs">
              {USES.map((use) => (
                <Radio key={use} value={use} label={LIST_USES[use].title} description={LIST_USES[use].meaning} />
              ))}
            </Stack>
          </Radio.Group>
          <Targets draft={draft} set={set} errorOf={errorOf} />
        </Section>
        {error !== null && faults.every(({ field }) => errorOf(field) === undefined) && <Failure error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy}>
            Create list
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The name of a list that has none is its key, and members that its use does not take stay away. */
function bodyOf({ owner, partners, offers, ...draft }: Draft): NewList {
  const { key, name, kind, use } = draft;
  return {
    ...{ key: key.trim(), name: name.trim() === '' ? key.trim() : name.trim(), kind, use },
    ...(use === 'exclude' && owner !== '' ? { partner: owner } : {}),
    ...(use === 'suppress' || partners.length === 0 ? {} : { partners: [...partners] }),
    ...(use === 'exclude' && offers.length > 0 ? { offers: [...offers] } : {}),
  };
}

// As many as a page of the service's lists can have.
const CHOICES = 100;

function Targets({
  draft: { use, owner, partners, offers },
  set,
  errorOf,
}: {
  readonly draft: Draft;
  readonly set: (part: Partial<Draft>) => void;
  readonly errorOf: (path: string) => string | undefined;
}): ReactNode {
  const [partnerSearch, setPartnerSearch] = useState('');
  const [offerSearch, setOfferSearch] = useState('');
  const known = usePartners({ search: partnerSearch, pageSize: CHOICES }).data?.data ?? [];
  const knownOffers = useOffers({ search: offerSearch, pageSize: CHOICES }).data?.data ?? [];
  if (use === 'suppress') return <Text size="sm">It counts for all suppliers and partners.</Text>;
  const choices = known.map(({ key, name }) => ({ value: key, label: name }));
  const missing = partners.filter((key) => !known.some((one) => one.key === key));
  const missingOffers = offers.filter((key) => !knownOffers.some((one) => one.key === key));
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <MultiSelect
        label="Partners"
        description={use === 'sold' ? 'None: it counts for all.' : 'All of their offers.'}
        data={[...choices, ...missing.map((key) => ({ value: key, label: key }))]}
        value={[...partners]}
        onChange={(next) => set({ partners: next })}
        onSearchChange={setPartnerSearch}
        searchable
        inputWrapperOrder={FIELD_ORDER}
        error={errorOf('partners') ?? null}
      />
      {use === 'exclude' && (
        <>
          <MultiSelect
            label="Offers"
            description="In addition to the partners."
            data={[
              ...knownOffers.map(({ key, name }) => ({ value: key, label: `${name} (${key})` })),
              ...missingOffers,
            ]}
            value={[...offers]}
            onChange={(next) => set({ offers: next })}
            onSearchChange={setOfferSearch}
            searchable
            inputWrapperOrder={FIELD_ORDER}
            error={errorOf('offers') ?? null}
          />
          <Select
            label="Owner"
            description="A partner sees and changes its own lists in its portal."
            data={[{ value: '', label: 'Marketplace' }, ...choices]}
            value={owner}
            onChange={(next) => set({ owner: next ?? '' })}
            allowDeselect={false}
            inputWrapperOrder={FIELD_ORDER}
            error={errorOf('partner') ?? null}
          />
        </>
      )}
    </SimpleGrid>
  );
}

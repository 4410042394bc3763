// The form for a new list: name, kind, use, and the partners and offers that it counts for.
import { Button, Group, Radio, SimpleGrid, Stack } from '@mantine/core';
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
import { capital } from '../configuration/draft.ts';
import { ChoiceField, KeyAndName } from '../configuration/fields.tsx';
import { request } from '../console-api.ts';
import { type ListTargets, TargetFields } from './list-targets.tsx';

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

type Draft = Pick<NewList, 'key' | 'name' | 'kind'> & ListTargets;

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
          <TargetFields targets={draft} set={set} errorOf={errorOf} isNew />
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

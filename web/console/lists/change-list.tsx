// The form that changes a list's name, and the partners and offers that it counts for.
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { ChangeList, ShownList } from '../../../src/scopes/lists.schema.ts';
import { Section } from '../../ui/facts.tsx';
import { notify } from '../../ui/notify.tsx';
import { RequestError } from '../../ui/request.ts';
import { Failure } from '../../ui/states.tsx';
import { capital } from '../configuration/draft.ts';
import { FIELD_ORDER } from '../configuration/fields.tsx';
import { request } from '../console-api.ts';
import { type ListTargets, TargetFields } from './list-targets.tsx';

type Draft = ListTargets & { readonly name: string };

/** Keyed by the values that it starts from: a change from elsewhere replaces the form. */
export function ChangeListForm({
  list,
  onChanged,
}: {
  readonly list: ShownList;
  readonly onChanged: () => void;
}): ReactNode {
  const { name, use, partner, partners, offers } = list;
  const [draft, setDraft] = useState<Draft>({ name, use, owner: partner ?? '', partners, offers });
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const change = changesOf(list, draft);
  const faults = error instanceof RequestError ? error.faults : [];
  const errorOf = (path: string): string | undefined => {
    const found = faults.find(({ field }) => field.split(/[.[]/)[0] === path);
    return found === undefined ? undefined : capital(found.message);
  };
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await request('POST /console/api/lists/:listId/change', { params: { listId: list.listId }, body: change });
      notify('The list is changed.');
      onChanged();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title="Change">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        aria-label="Change the list"
        noValidate
      >
        <Stack gap="sm">
          <TextInput
            label="Name"
            value={draft.name}
            maxLength={100}
            onChange={({ currentTarget }) => setDraft((before) => ({ ...before, name: currentTarget.value }))}
            inputWrapperOrder={FIELD_ORDER}
            error={errorOf('name') ?? null}
            maw={420}
          />
          <TargetFields
            targets={draft}
            set={(part) => setDraft((before) => ({ ...before, ...part }))}
            errorOf={errorOf}
            isNew={false}
          />
          {error !== null && faults.every(({ field }) => errorOf(field) === undefined) && <Failure error={error} />}
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={isBusy} disabled={Object.keys(change).length === 0}>
              Change list
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

/** Only what differs from the list. */
function changesOf(list: ShownList, { name, partners, offers }: Draft): ChangeList {
  const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join();
  return {
    ...(name.trim() === list.name || name.trim() === '' ? {} : { name: name.trim() }),
    ...(isSame(partners, list.partners) ? {} : { partners: [...partners] }),
    ...(isSame(offers, list.offers) ? {} : { offers: [...offers] }),
  };
}

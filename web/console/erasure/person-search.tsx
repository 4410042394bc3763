// The search for a person by lead, email address or phone number, with its progress.
import { Button, Group, Loader, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { Section } from '../../ui/facts.tsx';
import { count } from '../../ui/formats.ts';
import { RequestError } from '../../ui/request.ts';
import { Time } from '../../ui/zone.tsx';
import type { Search, Input } from './erasure-search.ts';

type By = 'id' | 'email' | 'phone';

const FIELDS = {
  id: { label: 'Lead or delivery id', description: 'lead_… or dlv_…', placeholder: 'lead_' },
  email: {
    label: 'Email address',
    description: 'Finds every spelling of the same mailbox',
    placeholder: 'jordan@example.com',
  },
  phone: {
    label: 'Phone number',
    description: 'In any format; with country code outside North America, such as +44 20 7946 0958',
    placeholder: '(555) 555-0123',
  },
} as const satisfies Record<By, object>;

export function ContactSearch({
  lead,
  isBusy,
  onSearch,
  onStop,
  search,
}: {
  /** The lead id in the URL, or ''. */
  readonly lead: string;
  readonly isBusy: boolean;
  readonly onSearch: (input: Input) => void;
  readonly onStop: () => void;
  readonly search: Search | null;
}): ReactNode {
  const [by, setBy] = useState<By>('id');
  const [text, setText] = useState(lead);
  const [fault, setFault] = useState<string | null>(null);
  const begin = (event: { preventDefault(): void }): void => {
    event.preventDefault();
    const value = text.trim();
    setFault(value === '' ? 'Enter a search term.' : null);
    if (value === '') return;
    onSearch(by === 'id' ? { id: value } : by === 'email' ? { email: value } : { phone: value });
  };
  const refused = search?.error instanceof RequestError ? search.error.faults[0] : undefined;
  return (
    <Section title="Find a person">
      <form onSubmit={begin} noValidate>
        <Stack>
          <Radio.Group
            label="Search by"
            value={by}
            onChange={(value) => {
              setBy(value);
              setText('');
              setFault(null);
            }}
          >
            <Group gap="lg" mt={4}>
              <Radio value="id" label="Lead or delivery" />
              <Radio value="email" label="Email address" />
              <Radio value="phone" label="Phone number" />
            </Group>
          </Radio.Group>
          <Group align="flex-end">
            <TextInput
              {...FIELDS[by]}
              value={text}
              error={fault ?? (refused === undefined ? null : `It ${refused.message}.`)}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              flex="1 1 260px"
            />
            <Button type="submit" loading={isBusy}>
              Find
            </Button>
          </Group>
        </Stack>
      </form>
      <Stack role="status" gap="xs">
        {search !== null && <Outcome search={search} />}
      </Stack>
      {isBusy && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={onStop}>
            Stop search
          </Button>
        </Group>
      )}
    </Section>
  );
}

function Outcome({ search }: { readonly search: Search }): ReactNode {
  const { isBusy, leads, lookedUntil, erasedBefore, error } = search;
  if (error !== null) return null;
  const found = leads.length === 0 ? 'no lead' : count(leads.length, 'lead');
  return (
    <>
      {isBusy ? (
        <Group gap="sm">
          <Loader size="xs" aria-hidden="true" />
          <Text size="sm">
            Searching all leads
            {lookedUntil !== null && (
              <>
                , searched until <Time at={lookedUntil} kind="day" />
              </>
            )}
            : {found} found …
          </Text>
        </Group>
      ) : (
        <Text>
          {lookedUntil === null
            ? `Found ${found} of this person.`
            : `Search stopped: ${found} found so far. There may be more.`}
        </Text>
      )}
      {erasedBefore > 0 && (
        <Text size="sm" c="dimmed">
          {count(erasedBefore, 'lead')} of this person were erased earlier; the proof of consent is kept.
        </Text>
      )}
    </>
  );
}

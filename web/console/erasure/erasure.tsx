// Takes a person out of everything that is stored: find the leads, see what is there and what stays, type the word.
import { Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { Section } from '../../ui/facts.tsx';
import { textFilter, useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { RequestError } from '../../ui/request.ts';
import { Failure } from '../../ui/states.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { EraseFound } from './erase-found.tsx';
import type { ErasureSearch, Found, StoredLead } from '../../../src/console/erasure.schema.ts';
import { LEADS_AT_ONCE, type Search, type Input } from './erasure-api.ts';
import { ContactSearch } from './person-search.tsx';
import { request } from '../console-api.ts';
import { NotYours, useMay } from '../allowed.tsx';

const FILTERS = { lead: textFilter };

export function ErasurePage(): ReactNode {
  return useMay('persons') ? <Erasure /> : <NotYours what="Finding and erasing persons" />;
}

function Erasure(): ReactNode {
  // A lead may stand in the address; an e-mail address or a number never does.
  const [{ lead }] = useFilters(FILTERS);
  const [search, setSearch] = useState<Search | null>(null);
  const running = useRef<AbortController | null>(null);
  const begin = (input: Input): void => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    void look(input, controller.signal, setSearch);
  };
  const stop = (): void => running.current?.abort();
  const latest = useRef(begin);
  useEffect(() => {
    latest.current = begin;
  });
  useEffect(() => {
    if (lead !== '') latest.current({ id: lead });
    return () => running.current?.abort();
  }, [lead]);
  return (
    <Page
      title="Personal data"
      description={
        <>
          Takes a person out of everything that is stored here, when they ask for it. <ZoneNote />.
        </>
      }
    >
      <ContactSearch lead={lead} isBusy={search?.isBusy === true} onSearch={begin} onStop={stop} search={search} />
      {search !== null && search.error !== null && !isAboutInput(search.error) && (
        <Failure error={search.error} title="The search did not end" onRetry={() => begin(search.input)} />
      )}
      {search !== null && search.leads.length > 0 && <EraseFound key={JSON.stringify(search.input)} search={search} />}
      <WhatGoes years={search?.consentYears ?? null} />
    </Page>
  );
}

/** Told at the field. */
function isAboutInput(error: unknown): boolean {
  return error instanceof RequestError && error.faults.length > 0;
}

async function look(
  input: Input,
  signal: AbortSignal,
  set: (change: (before: Search | null) => Search | null) => void,
): Promise<void> {
  const fresh: Search = {
    input,
    isBusy: true,
    leads: [],
    consentYears: null,
    lookedUntil: null,
    erasedBefore: 0,
    error: null,
  };
  set(() => fresh);
  // Of a search that another one has taken the place of nothing is shown any more.
  const change = (part: Partial<Search>): void =>
    set((before) => (before?.input === input ? { ...before, ...part } : before));
  const leads: StoredLead[] = [];
  try {
    let after: string | null = null;
    do {
      const body: ErasureSearch = after === null ? input : { ...input, after };
      const part: Found = await request('POST /console/api/erasure/search', { body });
      for (let at = 0; at < part.found.length; at += LEADS_AT_ONCE) {
        const leadIds = part.found.slice(at, at + LEADS_AT_ONCE);
        const stored = await request('POST /console/api/erasure/stored', { body: { leadIds } });
        leads.push(...stored.data);
        change({ leads: [...leads], consentYears: stored.consentYears });
      }
      if (part.erasedBefore !== null) change({ erasedBefore: part.erasedBefore });
      change({ lookedUntil: part.lookedUntil });
      after = part.next;
    } while (after !== null && !signal.aborted);
  } catch (error) {
    change({ error });
  } finally {
    change({ isBusy: false });
  }
}

function WhatGoes({ years }: { readonly years: number | null }): ReactNode {
  return (
    <Section title="What goes and what stays">
      <Stack gap="xs">
        <Text>
          <strong>Goes for good:</strong> name, e-mail address, phone number and every other field of the lead, the body
          as the supplier sent it, what partners’ endpoints answered, kept mail, the words in returns and disputes, what
          is still to be sent, and the terms by which partners search.
        </Text>
        <Text>
          <strong>Stays:</strong> that there was a lead, from which supplier and when; deliveries, charges, credits and
          invoices, because accounts must add up; the decision on returns and disputes, without what people wrote;
          counts in statistics.
        </Text>
        <Text>
          <strong>Kept apart:</strong> the proof that the person agreed to be called (the wording, when, from which
          address and form), without name, phone and e-mail. It is what answers a complaint, and it is found again only
          by somebody who knows the number or address. It is kept{' '}
          {years === null ? 'as long as the marketplace’s settings say' : `for ${years} years`}.
        </Text>
        <Text>
          <strong>Out of reach:</strong> the copy of whoever got the lead, and of the supplier who sent it. You are told
          who they are; each of those partners sees in its audit log that the delivery was erased.
        </Text>
        <Text>
          A lead that still waits for a buyer is rejected, and a delivery that is under way fails: nothing of the person
          is sent any more.
        </Text>
      </Stack>
    </Section>
  );
}

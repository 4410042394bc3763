// The page that finds a person's leads and erases their personal data.
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
import { LEADS_AT_ONCE, type Search, type Input } from './erasure-search.ts';
import { ContactSearch } from './person-search.tsx';
import { request } from '../console-api.ts';
import { NotYours, useMay } from '../allowed.tsx';

const FILTERS = { lead: textFilter };

export function ErasurePage(): ReactNode {
  return useMay('persons') ? <Erasure /> : <NotYours what="Erasing personal data" />;
}

function Erasure(): ReactNode {
  // The URL may contain a lead id, but never an email address or phone number.
  const [{ lead }] = useFilters(FILTERS);
  const [search, setSearch] = useState<Search | null>(null);
  const running = useRef<AbortController | null>(null);
  const begin = (input: Input): void => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    void runSearch(input, controller.signal, setSearch);
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
          Erases a person’s data from all records on request. <ZoneNote />.
        </>
      }
    >
      <ContactSearch lead={lead} isBusy={search?.isBusy === true} onSearch={begin} onStop={stop} search={search} />
      {search !== null && search.error !== null && !isAboutInput(search.error) && (
        <Failure error={search.error} title="The search failed" onRetry={() => begin(search.input)} />
      )}
      {search !== null && search.leads.length > 0 && <EraseFound key={JSON.stringify(search.input)} search={search} />}
      <ErasureScope years={search?.consentYears ?? null} />
    </Page>
  );
}

/** Errors about the input are shown at the field. */
function isAboutInput(error: unknown): boolean {
  return error instanceof RequestError && error.faults.length > 0;
}

async function runSearch(
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
  // Ignores results of a search that was replaced by another one.
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

function ErasureScope({ years }: { readonly years: number | null }): ReactNode {
  return (
    <Section title="Erased and kept data">
      <Stack gap="xs">
        <Text>
          <strong>Erased:</strong> name, email address, phone number and every other field of the lead, the body as
          received, responses of partners’ endpoints, stored mail, free text of returns and disputes, queued messages,
          and partners’ search terms.
        </Text>
        <Text>
          <strong>Kept:</strong> the existence of the lead with its supplier and time; deliveries, charges, credits and
          invoices, because accounts must add up; decisions on returns and disputes without free text; counts in
          statistics.
        </Text>
        <Text>
          <strong>Stored separately:</strong> the proof of consent (wording, time, IP address and form), without name,
          phone and email. It is needed to answer complaints, and can be found only with the phone number or email
          address. It is kept {years === null ? 'for the time in the marketplace settings' : `for ${years} years`}.
        </Text>
        <Text>
          <strong>Not erased:</strong> copies that partners and the supplier have. Their names are shown after erasing;
          each of these partners sees the erasure in its audit log.
        </Text>
        <Text>
          A lead that is waiting for a buyer is rejected, and a pending delivery fails, so no more personal data is
          sent.
        </Text>
      </Stack>
    </Section>
  );
}

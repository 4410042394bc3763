// The found leads of a person: the stored data of each, the choice, erasing, and the result.
import { Alert, Button, Checkbox, Group, List, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';

import { Facts, Section } from '../../ui/facts.tsx';
import { count, formatNumber, formatPhone } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { Failure } from '../../ui/states.tsx';
import { Time } from '../../ui/zone.tsx';
import { request } from '../console-api.ts';
import type { Search } from './erasure-search.ts';
import type { Erased, Erasure, StoredLead } from '../../../src/console/erasure.schema.ts';
import { CONFIRMATION } from './erasure-search.ts';

const REASON_LENGTH_MAX = 200;

export function EraseFound({ search: { leads, isBusy: isSearching } }: { readonly search: Search }): ReactNode {
  const queries = useQueryClient();
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [word, setWord] = useState('');
  const [reason, setReason] = useState('');
  const [progress, setProgress] = useState<{ readonly done: number; readonly of: number } | null>(null);
  const [erased, setErased] = useState<readonly Erased[]>([]);
  const [error, setError] = useState<unknown>(null);
  const result = useRef<HTMLDivElement>(null);
  const gone = new Set(erased.map(({ leadId }) => leadId));
  const left = leads.filter(({ leadId, erasedAt }) => erasedAt === null && !leftOut.has(leadId) && !gone.has(leadId));
  const isBusy = progress !== null;
  const isReady = word === CONFIRMATION && left.length > 0 && !isBusy && !isSearching;

  const erase = async (event: { preventDefault(): void }): Promise<void> => {
    event.preventDefault();
    if (!isReady) return;
    setError(null);
    const body: Erasure = { confirmation: CONFIRMATION, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) };
    try {
      for (const [index, { leadId }] of left.entries()) {
        setProgress({ done: index, of: left.length });
        const one = await request('POST /console/api/erasure/leads/:leadId', { params: { leadId }, body });
        setErased((before) => [...before, one]);
      }
      setWord('');
      // The field and the button disappear when no lead is left.
      result.current?.focus();
    } catch (failure) {
      setError(failure);
    } finally {
      setProgress(null);
      void queries.invalidateQueries();
    }
  };
  return (
    <Section title="Stored data">
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {leads.map((lead) => (
          <Lead
            key={lead.leadId}
            lead={lead}
            isGone={gone.has(lead.leadId)}
            isChosen={!leftOut.has(lead.leadId)}
            onChoose={(isChosen) => setLeftOut(changed(leftOut, lead.leadId, isChosen))}
            isOnly={leads.length === 1}
          />
        ))}
      </Stack>
      {error !== null && <Failure error={error} title="Not all leads were erased" />}
      <Stack role="status" gap="xs" ref={result} tabIndex={-1} style={{ outline: 'none' }}>
        {progress !== null && (
          <>
            <Text size="sm">
              Erasing: {formatNumber(progress.done)} of {count(progress.of, 'lead')} done …
            </Text>
            <Progress value={(100 * progress.done) / progress.of} animated aria-label="Progress of erasing" />
          </>
        )}
        {progress === null && erased.length > 0 && <Result erased={erased} />}
      </Stack>
      {(left.length > 0 || isBusy) && (
        <form onSubmit={(event) => void erase(event)}>
          <Stack>
            <TextInput
              label="Reason for the audit log"
              description="Optional. Must not contain personal data: the audit log cannot be erased."
              value={reason}
              maxLength={REASON_LENGTH_MAX}
              onChange={(event) => setReason(event.currentTarget.value)}
              autoComplete="off"
            />
            <TextInput
              label={`Type “${CONFIRMATION}” to erase the personal data in ${left.length === 1 ? 'this lead' : `these ${formatNumber(left.length)} leads`}`}
              description="This cannot be undone."
              value={word}
              onChange={(event) => setWord(event.currentTarget.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <Group>
              <Button type="submit" color="red.9" disabled={!isReady} loading={isBusy}>
                Erase {count(left.length, 'lead')}
              </Button>
              {isSearching && (
                <Text size="sm" c="dimmed">
                  The search is still running.
                </Text>
              )}
            </Group>
          </Stack>
        </form>
      )}
    </Section>
  );
}

function changed(leftOut: ReadonlySet<string>, leadId: string, isChosen: boolean): ReadonlySet<string> {
  const next = new Set(leftOut);
  if (isChosen) next.delete(leadId);
  else next.add(leadId);
  return next;
}

function Lead({
  lead,
  isGone,
  isChosen,
  isOnly,
  onChoose,
}: {
  readonly lead: StoredLead;
  readonly isGone: boolean;
  readonly isChosen: boolean;
  readonly isOnly: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}): ReactNode {
  const { leadId, person, erasedAt, isTest } = lead;
  const name = person?.fullName ?? (erasedAt === null ? 'Rejected submission' : 'Erased earlier');
  const title = isGone ? leadId : `${name}${isTest ? ' (test lead)' : ''}`;
  return (
    <Stack
      component="li"
      gap="xs"
      p="sm"
      style={{ border: '1px solid var(--mantine-color-default-border)', borderRadius: 8 }}
    >
      <Group justify="space-between" gap="xs">
        {isOnly || erasedAt !== null || isGone ? (
          <Text fw={650} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Text>
        ) : (
          <Checkbox
            checked={isChosen}
            onChange={(event) => onChoose(event.currentTarget.checked)}
            label={title}
            aria-label={`Erase ${title}, received ${lead.receivedAt}`}
            styles={{ label: { fontWeight: 650, overflowWrap: 'anywhere' } }}
          />
        )}
        <Text size="sm" component="div">
          {isGone ? (
            'Erased now'
          ) : (
            <PageLink to="/leads/$leadId" params={{ leadId }}>
              View lead
            </PageLink>
          )}
        </Text>
      </Group>
      {!isGone && <StoredFacts lead={lead} />}
    </Stack>
  );
}

function StoredFacts({ lead }: { readonly lead: StoredLead }): ReactNode {
  const { person, hasBody, deliveries, attempts, claims, consentStoredAt, erasedAt, receivedAt, supplierName } = lead;
  return (
    <Facts
      columns={3}
      facts={[
        ...(person === null
          ? []
          : [
              ['Email', person.email] as const,
              ['Phone', person.phone === null ? null : formatPhone(person.phone)] as const,
              ['Fields', `${formatNumber(person.fields)} with a value`] as const,
            ]),
        ['Received', <Time key="received" at={receivedAt} />],
        ['Supplier', supplierName],
        ['Body as received', hasBody ? 'stored' : 'not stored'],
        [
          'Delivered to',
          deliveries.length === 0
            ? 'No partner'
            : deliveries
                .map(
                  ({ partnerName, deliveryRef, status }) => `${partnerName} (${deliveryRef}, ${status.toLowerCase()})`,
                )
                .join(', '),
        ],
        ['Delivery log', attempts === 0 ? 'None' : count(attempts, 'attempt')],
        ['Returns and disputes', claims === 0 ? 'none' : `${count(claims, 'claim')} with free text`],
        ['Proof of consent', consentStoredAt === null ? 'none' : 'Stored separately, kept without personal data'],
        ...(erasedAt === null ? [] : [['Erased', <Time key="erased" at={erasedAt} />] as const]),
      ]}
    />
  );
}

function Result({ erased }: { readonly erased: readonly Erased[] }): ReactNode {
  const suppliers = [...new Set(erased.map(({ supplierName }) => supplierName))];
  const partners = [...new Set(erased.flatMap(({ deliveries }) => deliveries.map(({ partnerName }) => partnerName)))];
  return (
    <Alert variant="outline" color="pine" title={`Personal data erased from ${count(erased.length, 'lead')}`}>
      <Text size="sm">Others still have copies. Ask them to erase these as well:</Text>
      <List size="sm">
        {suppliers.map((name) => (
          <List.Item key={`supplier ${name}`}>{name}, the supplier</List.Item>
        ))}
        {partners.map((name) => (
          <List.Item key={`partner ${name}`}>{name}, a partner that received it</List.Item>
        ))}
      </List>
      <Text size="sm">
        The audit log records the erasure with author and reason. The proof of consent is kept without personal data.
      </Text>
    </Alert>
  );
}

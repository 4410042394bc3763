// The partner's billing page: balance and limits, invoices, ledger.
import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Billing } from '../../../../sdk/typescript/client.ts';
import { Figure, Figures, Section } from '../../../ui/facts.tsx';
import { pageFilter, textFilter, useFilters } from '../../../ui/filters.ts';
import { formatMoney } from '../../../ui/formats.ts';
import { Page } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { ZoneNote } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { OffersAttention } from '../overview/offers-attention.tsx';
import { useChannels } from '../settings/account.ts';
import { Invoices } from './invoices.tsx';
import { Ledger } from './ledger.tsx';
import { Receipts } from './receipts.tsx';

const FILTERS = { page: pageFilter, invoice: textFilter };
const PAGE_SIZE = 25;

export function BillingPage(): ReactNode {
  const [{ page, invoice }] = useFilters(FILTERS);
  const query = useQuery({
    queryKey: ['billing', page],
    queryFn: ({ signal }) =>
      request('GET /portal/api/v1/buyer/billing', { query: { page, pageSize: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Billing" description={<Description />}>
      <Loaded query={query} what="Loading your billing">
        {(billing) => (
          <Stack gap="lg">
            <OffersAttention />
            <Balance billing={billing} />
            <Section title="Invoices">
              <Invoices invoices={billing.invoices} currency={billing.currency} shown={invoice} />
            </Section>
            {(billing.creditLimit === 0 || billing.receipts.length > 0) && (
              <Section title="Receipts">
                <Receipts receipts={billing.receipts} currency={billing.currency} />
              </Section>
            )}
            <Section title="Ledger">
              <Text size="sm" c="dimmed">
                All charges, credits and payments, newest first. Entries are never changed; mistakes are corrected by
                another entry.
              </Text>
              <Ledger billing={billing} isStale={query.isPlaceholderData} />
            </Section>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Description(): ReactNode {
  const name = useChannels().data?.marketplaceName;
  return (
    <>
      {name !== undefined && `Invoices come from ${name}. `}
      <ZoneNote />
    </>
  );
}

function Balance({ billing }: { readonly billing: Billing }): ReactNode {
  const { currentBalance, creditLimit, held, currency } = billing;
  const money = (amount: number): string => formatMoney(amount, currency);
  return (
    <Figures>
      <Figure name="Balance" value={money(currentBalance)} note={balanceWords(currentBalance)} />
      <Figure
        name="Held"
        value={money(held)}
        note="Reserved for deliveries that are not confirmed yet. Still part of your balance."
      />
      <Figure
        name="Credit limit"
        value={creditLimit === null ? 'None set' : creditLimit === 0 ? 'Prepaid' : money(creditLimit)}
        note={limitWords(creditLimit)}
      />
      <Figure {...availableFigure(billing)} />
    </Figures>
  );
}

function balanceWords(balance: number): string {
  if (balance > 0) return 'Your credit. A negative balance is what you owe.';
  return balance < 0
    ? 'You owe this amount, for leads less credits and payments.'
    : 'You owe nothing and have no credit.';
}

function limitWords(limit: number | null): string {
  if (limit === null) return 'You may owe any amount.';
  return limit === 0 ? 'Leads are paid from your balance.' : 'Your balance may go this far below zero.';
}

function availableFigure({ currentBalance, creditLimit, held, currency }: Billing) {
  const name = 'Available';
  if (creditLimit === null) return { name, value: 'No limit', note: 'Your balance does not limit new leads.' };
  // In cents, because sums of decimals are not exact.
  const available = Math.round((currentBalance + creditLimit - held) * 100) / 100;
  const value = formatMoney(available, currency);
  return {
    name,
    value,
    note:
      available > 0
        ? 'Balance plus credit limit, less held funds. A new lead must cost no more than this.'
        : 'Out of funds: you receive no leads until you make a payment.',
  };
}

// The partner's billing page: balance and limits, invoices, ledger.
import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Billing } from '../../../../sdk/typescript/client.ts';
import { Figure, Figures, Section } from '../../../ui/facts.tsx';
import { pageFilter, textFilter, useFilters } from '../../../ui/filters.ts';
import { LEDGER_FILTERS } from '../../../ui/ledger-filters.tsx';
import { formatMoney } from '../../../ui/formats.ts';
import { Page } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { ZoneNote } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { useOfferStates } from '../overview/offer-states.ts';
import { OffersAttention } from '../overview/offers-attention.tsx';
import { useChannels } from '../settings/account.ts';
import { Invoices } from './invoices.tsx';
import { Ledger, ledgerQuery } from './ledger.tsx';
import { Receipts } from './receipts.tsx';

const FILTERS = { ...LEDGER_FILTERS, page: pageFilter, invoice: textFilter };
const PAGE_SIZE = 25;

export function BillingPage(): ReactNode {
  const [{ page, invoice, ...conditions }, setFilters] = useFilters(FILTERS);
  const asked = ledgerQuery(conditions);
  const query = useQuery({
    queryKey: ['billing', page, asked],
    queryFn: ({ signal }) =>
      request('GET /portal/api/buyer/billing', { query: { page, pageSize: PAGE_SIZE, ...asked }, signal }),
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
              <Ledger
                billing={billing}
                isStale={query.isPlaceholderData}
                conditions={conditions}
                onChange={setFilters}
              />
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
      <AvailableFunds billing={billing} />
      {currentBalance > 0 ? (
        <Figure name="Credit" value={money(currentBalance)} note="What you have paid ahead." />
      ) : (
        <Figure
          name="Balance owed"
          value={money(currentBalance === 0 ? 0 : -currentBalance)}
          note={
            currentBalance < 0
              ? 'For leads, less credits and payments. The ledger shows what you owe with a minus.'
              : 'You owe nothing and have no credit.'
          }
        />
      )}
      <Figure name="Held" value={money(held)} note="Reserved for deliveries that are not confirmed yet." />
      <Figure
        name="Credit limit"
        value={creditLimit === null ? 'None set' : creditLimit === 0 ? 'Prepaid' : money(creditLimit)}
        note={limitWords(creditLimit)}
      />
    </Figures>
  );
}

function limitWords(limit: number | null): string {
  if (limit === null) return 'You may owe any amount.';
  return limit === 0 ? 'Leads are paid from your credit.' : 'You may owe up to this amount.';
}

/** Says the amount below which leads stop, and is red once offers are out of reach. */
function AvailableFunds({ billing }: { readonly billing: Billing }): ReactNode {
  const { currentBalance, creditLimit, held, currency } = billing;
  const active = (useOfferStates().data?.offers ?? []).filter(({ isActive }) => isActive);
  const name = 'Available funds';
  if (creditLimit === null)
    return <Figure name={name} value="No limit" note="Your balance does not limit new leads." />;
  // In cents, because sums of decimals are not exact.
  const available = Math.round((currentBalance + creditLimit - held) * 100) / 100;
  const highest = active.length === 0 ? 0 : Math.max(...active.map(({ price }) => price));
  const isLow = available <= 0 || available < highest;
  return (
    <Figure
      name={name}
      value={
        <Text span inherit {...(isLow ? { c: 'var(--lm-bad)' } : {})}>
          {formatMoney(available, currency)}
        </Text>
      }
      note={fundsWords(available, highest, currency)}
    />
  );
}

function fundsWords(available: number, highest: number, currency: string): string {
  if (available <= 0) return 'Out of funds: you receive no leads until you make a payment.';
  if (highest === 0) return 'Credit limit less balance owed and held funds. A lead must cost no more than this.';
  return `${available < highest ? 'Too low for some offers: an' : 'An'} offer gets no leads while this is below its price. Your highest price is ${formatMoney(highest, currency)}.`;
}

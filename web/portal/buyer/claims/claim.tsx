// The page of one return or dispute.
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { type Author, ClaimTimeline, type Credit, tokenWords } from '../../../ui/claim-timeline.tsx';
import { Facts, Section } from '../../../ui/facts.tsx';
import { formatMoney } from '../../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import { RequestError } from '../../../ui/request.ts';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';
import { ZoneNote } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { useMay, usePortalSession } from '../../session.ts';
import { ClaimFiles } from './claim-files.tsx';
import { ClaimFacts, Withdraw } from './claim-card.tsx';
import type { ClaimDetail as Claim } from '../../../../src/portal/buyer/claims.schema.ts';
import { kindWords } from './claim-words.ts';

export function ClaimPage(): ReactNode {
  const { claimId = '' } = useParams({ strict: false }) as { readonly claimId?: string };
  const query = useQuery({
    queryKey: ['claims', 'one', claimId],
    queryFn: ({ signal }) => request('GET /portal/api/buyer/claims/:claimId', { params: { claimId }, signal }),
  });
  const isMissing = query.error instanceof RequestError && query.error.status === 404;
  return (
    <Page
      title={query.data === undefined ? 'Claim' : `${kindWords[query.data.kind]} of ${query.data.deliveryRef}`}
      description={<ZoneNote />}
      actions={
        <ButtonLink to="/claims" variant="default">
          All claims
        </ButtonLink>
      }
    >
      {isMissing ? (
        <Empty title="Claim not found">The address may be mistyped, or it belongs to another account.</Empty>
      ) : (
        <Loaded query={query} what="Loading the claim">
          {(claim) => <Parts claim={claim} />}
        </Loaded>
      )}
    </Page>
  );
}

const STATUS_MEANINGS: Readonly<Record<Claim['status'], string>> = {
  submitted: 'Waiting for review. You can withdraw it until the review begins.',
  under_review: 'In review. It can no longer be withdrawn.',
  approved: 'Approved: the delivery counts as returned.',
  denied: 'Denied: the delivery stays as it is.',
  withdrawn: 'Withdrawn by you.',
};

function Parts({ claim }: { readonly claim: Claim }): ReactNode {
  const { currency } = usePortalSession();
  const mayBilling = useMay('money');
  const { id, status, deliveryId, deliveryRef, eventType, payout } = claim;
  return (
    <Stack gap="lg">
      <Section title="Status">
        <Facts
          facts={[
            ['Status', <Status key="status">{status}</Status>],
            ['Meaning', STATUS_MEANINGS[status]],
          ]}
        />
        <Withdraw claim={claim} />
      </Section>
      <Section title="Filing">
        <ClaimFacts claim={claim} />
        <ClaimFiles claim={claim} />
      </Section>
      <ClaimTimeline
        steps={claim.timeline}
        authorWords={authorWords}
        renderCredit={(credit) => <CreditWords credit={credit} currency={currency} mayBilling={mayBilling} />}
      />
      <Section title="Delivery">
        <Facts
          facts={[
            [
              'Reference',
              <PageLink key="delivery" to="/deliveries/$deliveryId" params={{ deliveryId }}>
                {deliveryRef}
              </PageLink>,
            ],
            ['Event type', eventType],
            ['Price', formatMoney(payout, currency)],
            ['Claim id', id],
          ]}
        />
      </Section>
    </Stack>
  );
}

function authorWords({ party, name, tokenLabel }: Author): string {
  if (party === 'marketplace') return 'By the marketplace';
  return name === null ? `With ${tokenWords(tokenLabel)}` : `By ${name}`;
}

function CreditWords({
  credit: { amount, invoiceId },
  currency,
  mayBilling,
}: {
  readonly credit: Credit;
  readonly currency: string;
  readonly mayBilling: boolean;
}): ReactNode {
  return (
    <>
      {formatMoney(amount, currency)} to your balance
      {mayBilling && (
        <>
          {': '}
          <PageLink to="/billing" search={{ invoice: invoiceId ?? undefined }}>
            {invoiceId === null ? 'the ledger' : 'the invoice'}
          </PageLink>
        </>
      )}
    </>
  );
}

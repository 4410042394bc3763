// The timeline of a claim under review, with the names of its authors.
import type { ReactNode } from 'react';

import type { ClaimReview } from '../../../src/console/claims.schema.ts';
import { type Author, ClaimTimeline, tokenWords } from '../../ui/claim-timeline.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';

export function ReviewTimeline({
  review: { timeline, currency, partner, partnerName },
}: {
  readonly review: ClaimReview;
}): ReactNode {
  const authorWords = ({ party, name, tokenLabel }: Author): string => {
    if (party === 'marketplace') return `By ${name ?? 'the marketplace'}`;
    if (name !== null) return `By ${name} of ${partnerName}`;
    return `By ${partnerName}, with ${tokenWords(tokenLabel)}`;
  };
  return (
    <ClaimTimeline
      steps={timeline}
      authorWords={authorWords}
      renderCredit={({ amount, entryId, invoiceId }) => (
        <>
          {formatMoney(amount, currency)} to {partnerName} as <code>{entryId}</code>:{' '}
          <PageLink to="/ledger" search={{ partner }}>
            the ledger
          </PageLink>
          {invoiceId !== null && (
            <>
              {', '}
              <PageLink to="/invoices" search={{ invoice: invoiceId }}>
                the invoice
              </PageLink>
            </>
          )}
        </>
      )}
    />
  );
}

// How often a partner's system rejects leads, in all and by offer.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { PartnerResponses as Shown } from '../../../src/console/responses.schema.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { request } from '../console-api.ts';
import { RESPONSE_SPANS, ShareOfResponses } from '../offers/response-share.tsx';

type Row = Shown['total'] & { readonly offer: string | null; readonly name: string };

export function PartnerResponses({ partnerKey }: { readonly partnerKey: string }): ReactNode {
  const query = useQuery({
    queryKey: ['configuration', 'partners', partnerKey, 'responses'],
    queryFn: ({ signal }) =>
      request('GET /console/api/partners/:ownerKey/responses', { params: { ownerKey: partnerKey }, signal }),
  });
  return (
    <Section title="Rejected leads">
      <Loaded query={query} what="Loading the responses">
        {({ total, offers, timeZone }) => (
          <>
            <Text size="sm" c="dimmed">
              Days in {timeZone}, the partner’s time zone. An offer that pauses for rejections does so until the day
              ends.
            </Text>
            <DataTable<Row>
              caption="Rejected leads by offer"
              columns={columns(partnerKey)}
              rows={total.last30Days.responses === 0 ? [] : [{ offer: null, name: 'All offers', ...total }, ...offers]}
              rowKey={({ offer }) => offer ?? ''}
              empty={<Empty title="No responses in 30 days">The partner’s system has decided about no lead.</Empty>}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function columns(partnerKey: string): Array<Column<Row>> {
  return [
    {
      key: 'offer',
      title: 'Offer',
      cell: ({ offer, name }) =>
        offer === null ? (
          name
        ) : (
          <PageLink to="/partners/$partnerKey/offers/$offerKey" params={{ partnerKey, offerKey: offer }}>
            {name}
          </PageLink>
        ),
    },
    ...RESPONSE_SPANS.map(([span, title]): Column<Row> => ({
      key: span,
      title,
      numeric: true,
      cell: (row) => <ShareOfResponses share={row[span]} />,
    })),
  ];
}

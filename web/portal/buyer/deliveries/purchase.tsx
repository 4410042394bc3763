// Why the partner got a lead: the offer as it was at the sale, and its filters beside the lead's values.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { DeliveryDetail } from '../../../../src/portal/buyer/deliveries.schema.ts';
import { Facts } from '../../../ui/facts.tsx';
import { FilterChecks } from '../../../ui/filter-checks.tsx';

const SALES = {
  exclusive: 'Exclusive: no other partner bought it',
  shared: 'Shared: other partners may have bought it as well',
} as const;

export function Purchase({ detail: { purchase, isErased } }: { readonly detail: DeliveryDetail }): ReactNode {
  const { offerKey, offerName, sale, score, filters } = purchase;
  return (
    <Stack gap="sm">
      <Facts
        columns={3}
        facts={[
          ['Offer', offerName ?? offerKey],
          ['Sale', sale === null ? null : SALES[sale]],
          ['Score', score === null ? null : `${score} of 100`],
        ]}
      />
      {filters.length > 0 ? (
        <FilterChecks checks={filters} />
      ) : (
        <Text size="sm" c="dimmed">
          {isErased ? 'Your offer’s filters cannot be compared: the personal data is erased.' : 'No filters to show.'}
        </Text>
      )}
    </Stack>
  );
}

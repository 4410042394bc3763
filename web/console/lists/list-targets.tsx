// The fields for whom a list counts: partners, offers, and of a new list its owner.
import { MultiSelect, Select, SimpleGrid, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { ListView } from '../../../src/scopes/lists.schema.ts';
import { useOffers, usePartners } from '../configuration/configuration-api.ts';
import { FIELD_ORDER } from '../configuration/fields.tsx';

// As many as a page of the service's lists can have.
const CHOICES = 100;

/** Whose list it is can be chosen for a new one only. */
export type ListTargets = {
  readonly use: ListView['use'];
  /** The key of a partner; empty for the marketplace. */
  readonly owner: string;
  readonly partners: readonly string[];
  readonly offers: readonly string[];
};

export function TargetFields({
  targets: { use, owner, partners, offers },
  set,
  errorOf,
  isNew,
}: {
  readonly targets: ListTargets;
  readonly set: (part: Partial<ListTargets>) => void;
  readonly errorOf: (path: string) => string | undefined;
  readonly isNew: boolean;
}): ReactNode {
  const [partnerSearch, setPartnerSearch] = useState('');
  const [offerSearch, setOfferSearch] = useState('');
  const known = usePartners({ search: partnerSearch, pageSize: CHOICES }).data?.data ?? [];
  const knownOffers = useOffers({ search: offerSearch, pageSize: CHOICES }).data?.data ?? [];
  if (use === 'suppress') return <Text size="sm">It counts for all suppliers and partners.</Text>;
  const choices = known.map(({ key, name }) => ({ value: key, label: name }));
  const missing = partners.filter((key) => !known.some((one) => one.key === key));
  const missingOffers = offers.filter((key) => !knownOffers.some((one) => one.key === key));
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <MultiSelect
        label="Partners"
        description={use === 'sold' ? 'None: it counts for all.' : 'All of their offers.'}
        data={[...choices, ...missing.map((key) => ({ value: key, label: key }))]}
        value={[...partners]}
        onChange={(next) => set({ partners: next })}
        onSearchChange={setPartnerSearch}
        searchable
        inputWrapperOrder={FIELD_ORDER}
        error={errorOf('partners') ?? null}
      />
      {use === 'exclude' && (
        <>
          <MultiSelect
            label="Offers"
            description="In addition to the partners."
            data={[
              ...knownOffers.map(({ key, name }) => ({ value: key, label: `${name} (${key})` })),
              ...missingOffers,
            ]}
            value={[...offers]}
            onChange={(next) => set({ offers: next })}
            onSearchChange={setOfferSearch}
            searchable
            inputWrapperOrder={FIELD_ORDER}
            error={errorOf('offers') ?? null}
          />
          {isNew && (
            <Select
              label="Owner"
              description="A partner sees and changes its own lists in its portal."
              data={[{ value: '', label: 'Marketplace' }, ...choices]}
              value={owner}
              onChange={(next) => set({ owner: next ?? '' })}
              allowDeselect={false}
              inputWrapperOrder={FIELD_ORDER}
              error={errorOf('partner') ?? null}
            />
          )}
        </>
      )}
    </SimpleGrid>
  );
}

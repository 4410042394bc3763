// How many leads a week the filters of an offer's form match, while the form is edited.
import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { OfferEstimateInput } from '../../../src/console/offer-estimate.schema.ts';
import { Section } from '../../ui/facts.tsx';
import { Failure } from '../../ui/states.tsx';
import { Allowed } from '../allowed.tsx';
import type { OfferForm } from '../configuration/configuration-api.ts';
import { request } from '../console-api.ts';
import { useConsoleSession } from '../session.ts';
import { estimateWords, sampleWords } from './estimate-words.ts';

/** After the last key, before a request. */
const TYPING_MS = 400;

type Props = { readonly values: OfferForm; readonly isNew: boolean };

export function OfferEstimate(props: Props): ReactNode {
  return (
    <Allowed to="configure">
      <Estimate {...props} />
    </Allowed>
  );
}

function Estimate({ values: { key, vertical, payout, filters }, isNew }: Props): ReactNode {
  const { currency } = useConsoleSession();
  const input = JSON.stringify({ offer: isNew ? null : key, vertical, price: payout, filters });
  const [text] = useDebouncedValue(input, TYPING_MS, { leading: true });
  const query = useQuery({
    queryKey: ['configuration', 'offer-estimate', text],
    queryFn: async ({ signal }) => {
      const body = JSON.parse(text) as OfferEstimateInput;
      return { price: body.price, ...(await request('POST /console/api/offer-estimate', { body, signal })) };
    },
    placeholderData: keepPreviousData,
  });
  return (
    <Section title="Estimate">
      {query.error !== null && <Failure error={query.error} />}
      <Text size="sm" role="status">
        {query.data === undefined ? 'Estimating' : estimateWords(query.data, currency)}
        {query.data !== undefined && (
          <Text span size="xs" c="dimmed" display="block">
            {sampleWords(query.data)}
          </Text>
        )}
      </Text>
    </Section>
  );
}

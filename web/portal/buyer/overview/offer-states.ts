// Which of the partner's offers receive no leads at the moment, as GET /portal/api/buyer/offers answers.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';

import { read } from '../../../ui/request.ts';
import type { Tone } from '../../../ui/status.tsx';

export type Stop = {
  readonly code: string;
  /** `Out of funds: $6.00 available, price $45.00` */
  readonly text: string;
  readonly resetsAt: string | null;
};

export type OfferState = {
  readonly offerKey: string;
  readonly name: string;
  readonly price: number;
  readonly isActive: boolean;
  readonly stop: Stop | null;
};

export type OfferStates = {
  readonly currency: string;
  readonly available: number | null;
  readonly leadsLeft: number | null;
  readonly offers: readonly OfferState[];
};

/** Caps and funds change with every sale; the accounts' live topic tells of settings only. */
const EVERY_MS = 15_000;

export function useOfferStates(): UseQueryResult<OfferStates> {
  return useQuery({
    queryKey: ['account', 'offers'],
    queryFn: ({ signal }) => read<OfferStates>('/portal/api/buyer/offers', signal),
    refetchInterval: EVERY_MS,
  });
}

const WORDS: Readonly<Record<string, readonly [tone: Tone, word: string]>> = {
  offer_closed: ['idle', 'closed'],
  offer_paused: ['warn', 'paused'],
  partner_not_active: ['warn', 'account not active'],
  channel_not_ready: ['bad', 'no delivery address'],
  endpoint_disabled: ['bad', 'webhook disabled'],
  cap_reached: ['warn', 'cap full'],
  budget_reached: ['warn', 'budget used'],
  funds_missing: ['bad', 'out of funds'],
};

export function stopWords(stop: Stop | null): readonly [tone: Tone, word: string] {
  if (stop === null) return ['good', 'active'];
  return WORDS[stop.code] ?? ['warn', 'stopped'];
}

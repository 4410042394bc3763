// The partner's offers that currently receive no leads, with the reason.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';

import type { Offers } from '../../../../src/portal/buyer/stats.schema.ts';
import type { Tone } from '../../../ui/status.tsx';
import { request } from '../../portal-api.ts';

export type Stop = NonNullable<Offers['offers'][number]['stop']>;

/** Caps and funds change with every sale, but the live topic `account` reports changes of settings only. */
const REFETCH_EVERY_MS = 15_000;

export function useOfferStates(): UseQueryResult<Offers> {
  return useQuery({
    queryKey: ['account', 'offers'],
    queryFn: ({ signal }) => request('GET /portal/api/buyer/offers', { signal }),
    refetchInterval: REFETCH_EVERY_MS,
  });
}

const WORDS: Readonly<Record<string, readonly [tone: Tone, word: string]>> = {
  offer_closed: ['idle', 'closed'],
  offer_paused: ['warn', 'paused'],
  partner_not_active: ['warn', 'account not active'],
  channel_not_ready: ['bad', 'no delivery address'],
  endpoint_disabled: ['bad', 'webhook disabled'],
  paused_by_partner: ['warn', 'paused by you'],
  funds_paused: ['bad', 'paused: low balance'],
  rejections_paused: ['bad', 'paused: many rejected'],
  cap_reached: ['warn', 'cap full'],
  budget_reached: ['warn', 'budget used'],
  funds_missing: ['bad', 'out of funds'],
};

export function stopWords(stop: Stop | null): readonly [tone: Tone, word: string] {
  if (stop === null) return ['good', 'active'];
  return WORDS[stop.code] ?? ['warn', 'stopped'];
}

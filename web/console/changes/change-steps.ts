// The steps of a change: what it would do, the change itself, or a try of it against the last days.
import { useQueryClient } from '@tanstack/react-query';

import { newKey, send } from '../../ui/request.ts';
import type { ChangeResult, Wish } from '../configuration/configuration-api.ts';

/** `version` is the one that its author has seen. */
export function previewChange(wish: Wish, version: number | null): Promise<ChangeResult> {
  return send<ChangeResult>('/console/api/configuration/preview', { method: 'POST', body: { ...wish, version } });
}

export function startSimulation(wish: Wish, version: number, days: number): Promise<{ readonly id: string }> {
  const { prune: _closes, ...input } = wish;
  return send('/console/api/simulations', { method: 'POST', body: { ...input, version, days } });
}

export type ReviewedChange = { readonly wish: Wish; readonly result: ChangeResult; readonly idempotencyKey: string };

export function reviewed(wish: Wish, result: ChangeResult): ReviewedChange {
  return { wish, result, idempotencyKey: newKey() };
}

/** Applies what was reviewed, and makes everything that is shown of the configuration stale. */
export function useApply(): (change: ReviewedChange) => Promise<ChangeResult> {
  const queries = useQueryClient();
  return async ({ wish, result, idempotencyKey }) => {
    const body = { ...wish, version: result.version };
    const applied = await send<ChangeResult>('/console/api/configuration/apply', {
      method: 'POST',
      body,
      idempotencyKey,
    });
    await queries.invalidateQueries({ queryKey: ['configuration'] });
    return applied;
  };
}

// Preview, apply, and dry run of a configuration change.
import { useQueryClient } from '@tanstack/react-query';

import type { ChangeResult } from '../../../src/console/changes.schema.ts';
import { newKey } from '../../ui/request.ts';
import type { ConfigurationInput } from '../configuration/configuration-api.ts';
import { request } from '../console-api.ts';

/** `version`: the configuration version that the author has seen. */
export function previewChange(command: ConfigurationInput, version: number | null): Promise<ChangeResult> {
  return request('POST /console/api/configuration/preview', { body: { ...command, version } });
}

export function startSimulation(
  command: ConfigurationInput,
  version: number,
  days: number,
): Promise<{ readonly id: string }> {
  const { prune: _closes, ...input } = command;
  return request('POST /console/api/simulations', { body: { ...input, version, days } });
}

export type ReviewedChange = {
  readonly command: ConfigurationInput;
  readonly result: ChangeResult;
  readonly idempotencyKey: string;
};

export function reviewed(command: ConfigurationInput, result: ChangeResult): ReviewedChange {
  return { command, result, idempotencyKey: newKey() };
}

/** Applies a reviewed change and invalidates all configuration queries. */
export function useApply(): (change: ReviewedChange) => Promise<ChangeResult> {
  const queries = useQueryClient();
  return async ({ command, result, idempotencyKey }) => {
    const body = { ...command, version: result.version };
    const applied = await request('POST /console/api/configuration/apply', { body, idempotencyKey });
    await queries.invalidateQueries({ queryKey: ['configuration'] });
    return applied;
  };
}

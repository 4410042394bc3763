// The steps that set up a new marketplace, and which of them are done.
import { useQuery } from '@tanstack/react-query';

import type { FirstSteps } from '../../../src/console/first-steps.schema.ts';
import { request } from '../console-api.ts';

export type GuideFacts = NonNullable<FirstSteps['steps']>;

export type GuideStep = {
  readonly name: string;
  readonly isDone: boolean;
  /** Leads are sold without it. */
  readonly isOptional?: boolean;
};

/** Often enough to see a lead that was posted a moment ago. */
const REFETCH_EVERY_MS = 3000;

export function useFirstSteps() {
  return useQuery({
    queryKey: ['configuration', 'first-steps'],
    queryFn: ({ signal }) => request('GET /console/api/first-steps', { signal }),
    refetchInterval: ({ state }) => (state.data?.isDone === true ? false : REFETCH_EVERY_MS),
    staleTime: 0,
  });
}

export const STEP_NAMES = [
  'operator',
  'partner',
  'offer',
  'channel',
  'test',
  'supplier',
  'mapping',
  'key',
  'lead',
  'sale',
] as const;
export type StepName = (typeof STEP_NAMES)[number];

export function stepsOf({ isDone, steps }: FirstSteps): Readonly<Record<StepName, GuideStep>> {
  const has = (fact: (facts: GuideFacts) => boolean): boolean => isDone || (steps !== null && fact(steps));
  return {
    operator: { name: 'Your account', isDone: true },
    partner: { name: 'A partner, who buys leads', isDone: has(({ partner }) => partner !== null) },
    offer: { name: 'An offer: what it buys, and for how much', isDone: has(({ offer }) => offer !== null) },
    channel: {
      name: 'A channel, by which it receives leads',
      isDone: has(({ hasChannel }) => hasChannel),
      isOptional: true,
    },
    test: { name: 'A test of its webhook', isDone: has(({ isTested }) => isTested), isOptional: true },
    supplier: { name: 'A supplier, who posts leads', isDone: has(({ supplier }) => supplier !== null) },
    mapping: { name: 'A field mapping', isDone: has(({ hasMapping }) => hasMapping), isOptional: true },
    key: { name: 'A key for the supplier', isDone: has(({ hasKey }) => hasKey) },
    lead: { name: 'The first lead', isDone: has(({ hasLead }) => hasLead) },
    sale: { name: 'The first confirmed delivery', isDone },
  };
}

/** The first one that leads cannot be sold without; null when all are done. */
export function nextStep(steps: Readonly<Record<StepName, GuideStep>>): StepName | null {
  return STEP_NAMES.find((name) => !steps[name].isDone && steps[name].isOptional !== true) ?? null;
}

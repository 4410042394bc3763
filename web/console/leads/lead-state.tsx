// The status of a lead as a label, for the list and the lead's page.
import type { ReactNode } from 'react';

import { Status, type Tone } from '../../ui/status.tsx';
import type { LeadStateName } from '../../../src/console/leads.schema.ts';

const WORDS: Readonly<Record<LeadStateName, readonly [word: string, tone: Tone]>> = {
  received: ['Waiting for routing', 'idle'],
  held: ['Held', 'warn'],
  routed: ['Sold', 'good'],
  no_buyer: ['No buyer', 'bad'],
  duplicate: ['Duplicate', 'bad'],
  suppressed: ['Suppressed', 'bad'],
  invalid: ['Rejected by the checks', 'bad'],
};

export const stateChoices = [
  { value: '', label: 'All' },
  ...Object.entries(WORDS).map(([value, [label]]) => ({ value, label })),
];

/** The status in words, such as `No buyer`. */
export function leadStateText(state: LeadStateName): string {
  return WORDS[state][0];
}

const NOT_DELIVERED = ['Not delivered', 'bad'] as const;

/** A lead is sold as long as one of its deliveries is: the sums of lists count in the same way. */
export function LeadStateWord({
  state,
  isTest,
  sales,
}: {
  readonly state: LeadStateName;
  readonly isTest: boolean;
  readonly sales: ReadonlyArray<{ readonly status: string }>;
}): ReactNode {
  const isLost = state === 'routed' && sales.length > 0 && sales.every(({ status }) => status === 'Failed');
  const [word, tone] = isLost ? NOT_DELIVERED : WORDS[state];
  return <Status tone={isTest ? 'idle' : tone}>{isTest ? `${word} (test)` : word}</Status>;
}

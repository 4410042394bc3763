// Everything that happened to a lead as sentences in the order of time: what the picture shows, for reading from top to bottom.
import { formatMoney } from '../../ui/formats.ts';
import type { LeadStory, StoryAttempt, StoryClaim, StoryEntry } from '../../../src/console/leads.schema.ts';

export type Happening = { readonly at: string; readonly message: string };

type StorySources = Pick<LeadStory, 'events' | 'attempts' | 'ledger' | 'claims' | 'currency'>;

/** Oldest first; what happened at one instant keeps the order of its causes. */
export function inOrder({ events, attempts, ledger, claims, currency }: StorySources): Happening[] {
  return [
    ...events.map(({ at, message }) => ({ at, message })),
    ...attempts.map(ofAttempt),
    ...ledger.map((entry) => ofEntry(entry, currency)),
    ...claims.flatMap(ofClaim),
  ].toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

const ENDINGS: Readonly<Record<string, string>> = {
  scheduled: 'is under way',
  succeeded: 'was taken',
  failed: 'failed',
  exhausted: 'failed and was the last',
};

function ofAttempt({ at, attempt, channel, partner, state, responseCode, error }: StoryAttempt): Happening {
  const response = responseCode === null ? (error ?? '') : `answer ${responseCode}`;
  const why = response === '' ? '' : ` (${response.replace(/\.$/, '')})`;
  return { at, message: `Attempt ${attempt} by ${channel} to ${partner} ${ENDINGS[state] ?? state}${why}` };
}

function ofEntry({ createdAt, partner, type, amount }: StoryEntry, currency: string): Happening {
  const what = type === 'charge' ? 'charged' : type === 'credit' ? 'credited' : `booked as ${type}`;
  return { at: createdAt, message: `${formatMoney(Math.abs(amount), currency)} ${what} to ${partner}` };
}

function ofClaim({ kind, partner, reason, status, filedAt, decidedAt }: StoryClaim): Happening[] {
  const what = kind === 'return' ? 'Return' : 'Dispute';
  const filed = { at: filedAt, message: `${what} filed by ${partner}: ${reason.replaceAll('_', ' ')}` };
  return decidedAt === null ? [filed] : [filed, { at: decidedAt, message: `${what} of ${partner} ${status}` }];
}

// The history of a lead as sentences in chronological order.
import { formatMoney } from '../../ui/formats.ts';
import type { LeadStory, StoryAttempt, StoryClaim, StoryEntry } from '../../../src/console/leads.schema.ts';

export type HistoryEvent = { readonly at: string; readonly message: string };

type StorySources = Pick<LeadStory, 'events' | 'attempts' | 'ledger' | 'claims' | 'currency'>;

/** Oldest first; events of the same instant keep the order of cause and effect. */
export function leadHistory({ events, attempts, ledger, claims, currency }: StorySources): HistoryEvent[] {
  return [
    ...events.map(({ at, message }) => ({ at, message })),
    ...attempts.map(ofAttempt),
    ...ledger.map((entry) => ofEntry(entry, currency)),
    ...claims.flatMap(ofClaim),
  ].toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

const ENDINGS: Readonly<Record<string, string>> = {
  scheduled: 'scheduled',
  succeeded: 'succeeded',
  failed: 'failed',
  exhausted: 'failed, no further attempts',
};

function ofAttempt({ at, attempt, channel, partner, state, responseCode, error }: StoryAttempt): HistoryEvent {
  const response = responseCode === null ? (error ?? '') : `response ${responseCode}`;
  const why = response === '' ? '' : ` (${response.replace(/\.$/, '')})`;
  return { at, message: `Attempt ${attempt} by ${channel} to ${partner} ${ENDINGS[state] ?? state}${why}` };
}

function ofEntry({ createdAt, partner, type, amount }: StoryEntry, currency: string): HistoryEvent {
  const what = type === 'charge' ? 'charged' : type === 'credit' ? 'credited' : `posted as ${type}`;
  return { at: createdAt, message: `${formatMoney(Math.abs(amount), currency)} ${what} to ${partner}` };
}

function ofClaim({ kind, partner, reason, status, filedAt, decidedAt }: StoryClaim): HistoryEvent[] {
  const what = kind === 'return' ? 'Return' : 'Dispute';
  const filed = { at: filedAt, message: `${what} filed by ${partner}: ${reason.replaceAll('_', ' ')}` };
  return decidedAt === null ? [filed] : [filed, { at: decidedAt, message: `${what} of ${partner} ${status}` }];
}

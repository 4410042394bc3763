// The history of a lead as sentences in chronological order.
import { formatMoney, formatTime } from '../../ui/formats.ts';
import type {
  LeadStory,
  StoryAttempt,
  StoryClaim,
  StoryDelivery,
  StoryEntry,
} from '../../../src/console/leads.schema.ts';

export type HistoryEvent = { readonly at: string; readonly message: string };

type StorySources = Pick<LeadStory, 'events' | 'attempts' | 'ledger' | 'claims' | 'currency'> & {
  readonly deliveries: ReadonlyArray<Pick<StoryDelivery, 'partner' | 'partnerName'>>;
};

/** Oldest first; events of the same instant keep the order of cause and effect. Times within a sentence are in `zone`. */
export function leadHistory(story: StorySources, zone: string): HistoryEvent[] {
  const { events, attempts, ledger, claims, currency } = story;
  const nameOf = partnerNames(story);
  return [
    ...events.map(({ at, message }) => ({ at, message: withZone(message, zone) })),
    ...attempts.map((attempt) => ofAttempt(attempt, nameOf(attempt.partner))),
    ...ledger.map((entry) => ofEntry(entry, nameOf(entry.partner), currency)),
    ...claims.flatMap((claim) => ofClaim(claim, nameOf(claim.partner))),
  ].toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

/** Everybody who is charged, asked or sent something has a delivery. */
export function partnerNames({ deliveries }: Pick<StorySources, 'deliveries'>): (partner: string) => string {
  const names = new Map(deliveries.map(({ partner, partnerName }) => [partner, partnerName]));
  return (partner) => names.get(partner) ?? partner;
}

const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

function withZone(message: string, zone: string): string {
  return message.replace(INSTANT, (at) => formatTime(at, zone));
}

const ENDINGS: Readonly<Record<string, string>> = {
  scheduled: 'scheduled',
  succeeded: 'succeeded',
  failed: 'failed',
  exhausted: 'failed, no further attempts',
};

function ofAttempt({ at, attempt, channel, state, responseCode, error }: StoryAttempt, partner: string): HistoryEvent {
  const response = responseCode === null ? (error ?? '') : `response ${responseCode}`;
  const why = response === '' ? '' : ` (${response.replace(/\.$/, '')})`;
  return { at, message: `Attempt ${attempt} by ${channel} to ${partner} ${ENDINGS[state] ?? state}${why}` };
}

function ofEntry({ createdAt, type, amount }: StoryEntry, partner: string, currency: string): HistoryEvent {
  const what = type === 'charge' ? 'charged' : type === 'credit' ? 'credited' : `posted as ${type}`;
  return { at: createdAt, message: `${formatMoney(Math.abs(amount), currency)} ${what} to ${partner}` };
}

function ofClaim({ kind, reason, status, filedAt, decidedAt }: StoryClaim, partner: string): HistoryEvent[] {
  const what = kind === 'return' ? 'Return' : 'Dispute';
  const filed = { at: filedAt, message: `${what} filed by ${partner}: ${reason.replaceAll('_', ' ')}` };
  return decidedAt === null ? [filed] : [filed, { at: decidedAt, message: `${what} of ${partner} ${status}` }];
}

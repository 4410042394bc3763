// Until when what is kept counts as old (contract 7.9; decision 021).
import { DAY_MS } from '../base/time.ts';
import type { MarketplaceSettings } from '../marketplace/settings.ts';

export type RetentionStep =
  | 'leads'
  | 'raw-bodies'
  | 'snippets'
  | 'attempts'
  | 'callbacks'
  | 'decisions'
  | 'outages'
  | 'counters'
  | 'persons'
  | 'consents';

/** In the order in which they run: first what the most depends on. */
export const retentionSteps: readonly RetentionStep[] = [
  'leads',
  'raw-bodies',
  'snippets',
  'attempts',
  'callbacks',
  'decisions',
  'outages',
  'counters',
  'persons',
  'consents',
];

/**
 * Windows of caps: a month's and as long again. Nothing reads them when they are over; only what is still pending may give its place
 * back.
 */
const COUNTER_DAYS = 62;
/** With every leap day. */
const YEAR_DAYS = 366;

type Terms = Pick<MarketplaceSettings, 'retention' | 'dedupDays'>;

/** Days; null is for ever. */
const terms: Readonly<Record<RetentionStep, (terms: Terms) => number | null>> = {
  leads: ({ retention }) => retention.leadDays,
  'raw-bodies': ({ retention }) => retention.rawBodyDays,
  snippets: ({ retention }) => retention.snippetDays,
  attempts: ({ retention }) => retention.attemptDays,
  callbacks: ({ retention }) => retention.attemptDays,
  decisions: ({ retention }) => retention.decisionDays,
  // What explains a decision goes with it.
  outages: ({ retention }) => retention.decisionDays,
  counters: () => COUNTER_DAYS,
  persons: ({ retention, dedupDays }) =>
    retention.personDays === null ? null : Math.max(retention.personDays, dedupDays),
  consents: ({ retention }) => (retention.consentYears === null ? null : retention.consentYears * YEAR_DAYS),
};

/** What came before this is to be forgotten; null where it is kept for ever. */
export function oldBefore(step: RetentionStep, settings: Terms, now: Date): Date | null {
  const days = terms[step](settings);
  return days === null ? null : new Date(now.getTime() - days * DAY_MS);
}

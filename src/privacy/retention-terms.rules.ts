// Computes for each retention step which data has expired (contract 7.9; decision 021).
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

/** In the order in which they run, the most important first. */
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
 * Cap counters: a month and as long again. After its window nothing reads a counter, but a pending delivery may still return its slot.
 */
const COUNTER_DAYS = 62;
/** At least a year, with a leap day. */
const YEAR_DAYS = 366;

type Terms = Pick<MarketplaceSettings, 'retention' | 'dedupDays'>;

/** In days; null is forever. */
const terms: Readonly<Record<RetentionStep, (terms: Terms) => number | null>> = {
  leads: ({ retention }) => retention.leadDays,
  'raw-bodies': ({ retention }) => retention.rawBodyDays,
  snippets: ({ retention }) => retention.snippetDays,
  attempts: ({ retention }) => retention.attemptDays,
  callbacks: ({ retention }) => retention.attemptDays,
  decisions: ({ retention }) => retention.decisionDays,
  // Outages explain decisions, so they are kept as long.
  outages: ({ retention }) => retention.decisionDays,
  counters: () => COUNTER_DAYS,
  persons: ({ retention, dedupDays }) =>
    retention.personDays === null ? null : Math.max(retention.personDays, dedupDays),
  consents: ({ retention }) => (retention.consentYears === null ? null : retention.consentYears * YEAR_DAYS),
};

/** Data from before this time has expired; null if it is kept forever. */
export function oldBefore(step: RetentionStep, settings: Terms, now: Date): Date | null {
  const days = terms[step](settings);
  return days === null ? null : new Date(now.getTime() - days * DAY_MS);
}

// Forgets some of what is old: one slice of one step, small enough to be in nobody's way (decision 021).
import { appendAudit } from '../audit/append-audit.ts';
import { noOrigin } from '../audit/audit-event.ts';
import type { Walk, Walked } from '../base/id-time.ts';
import { forgetCounters } from '../caps/forget-counters.ts';
import { forgetAttempts } from '../deliveries/erasure/forget-attempts.ts';
import { forgetSnippets } from '../deliveries/erasure/forget-snippets.ts';
import { oldPendingSlots } from '../deliveries/old-pending-slots.ts';
import { forgetOutages } from '../endpoints/forget-outages.ts';
import { forgetConsents } from '../leads/forget-consents.ts';
import { blocksOfPersonSales, forgetOldPersonSales } from '../leads/forget-person-sales.ts';
import { forgetRawBodies } from '../leads/forget-raw-bodies.ts';
import { unerasedLeads } from '../leads/unerased-leads.ts';
import { readSettings } from '../marketplace/read-settings.ts';
import { purgeCallbacks } from '../messages/callback-log.ts';
import type { Tx } from '../platform/database/database.ts';
import { forgetDecisions } from '../routing/forget-decisions.ts';
import { erasePersons } from './erase-persons.ts';
import { oldBefore, type RetentionStep } from './retention-terms.rules.ts';
import { saveProgress, selectProgress } from './retention.sql.ts';

export type RetentionSlice = {
  /** Rows that were deleted or emptied. */
  readonly forgotten: number;
  /** To go on with in the next slice; null when the step is done. */
  readonly next: number | null;
};

type Slice = { readonly before: Date; readonly from: number; readonly now: Date };

/** Each a transaction of some tens of milliseconds. */
const LEADS_AT_ONCE = 200;
const ROWS_AT_ONCE = 2000;
const BLOCKS_AT_ONCE = 500;

/** `from` is what the slice before it answered as `next`, 0 at first. What is old is told by the settings as they are now. */
export async function applyRetention(
  tx: Tx,
  { step, from }: { readonly step: RetentionStep; readonly from: number },
  now: Date,
): Promise<RetentionSlice> {
  const { settings } = await readSettings(tx);
  const before = oldBefore(step, settings, now);
  return before === null ? { forgotten: 0, next: null } : slices[step](tx, { before, from, now });
}

const slices: Readonly<Record<RetentionStep, (tx: Tx, slice: Slice) => Promise<RetentionSlice>>> = {
  leads: (tx, { before, now }) =>
    walk(tx, { step: 'leads', before, atOnce: LEADS_AT_ONCE }, (walked) => eraseSome(tx, walked, now)),
  'raw-bodies': (tx, { before }) =>
    walk(tx, { step: 'raw-bodies', before, atOnce: ROWS_AT_ONCE }, (walked) => forgetRawBodies(tx, walked)),
  snippets: (tx, { before }) =>
    walk(tx, { step: 'snippets', before, atOnce: ROWS_AT_ONCE }, (walked) => forgetSnippets(tx, walked)),
  attempts: async (tx, { before }) => rest(await forgetAttempts(tx, before, ROWS_AT_ONCE)),
  callbacks: async (tx, { before }) => rest(await purgeCallbacks(tx, before, ROWS_AT_ONCE)),
  decisions: async (tx, { before }) => rest(await forgetDecisions(tx, before, ROWS_AT_ONCE)),
  outages: async (tx, { before }) => rest(await forgetOutages(tx, before, ROWS_AT_ONCE)),
  consents: async (tx, { before }) => rest(await forgetConsents(tx, before, ROWS_AT_ONCE)),
  async counters(tx, { before }) {
    const keep = await oldPendingSlots(tx, before);
    return rest(await forgetCounters(tx, { before, keep, atOnce: ROWS_AT_ONCE }));
  },
  async persons(tx, { before, from }) {
    const blocks = await blocksOfPersonSales(tx);
    const forgotten = await forgetOldPersonSales(tx, { from, blocks: BLOCKS_AT_ONCE, before });
    const next = from + BLOCKS_AT_ONCE;
    return { forgotten, next: next < blocks ? next : null };
  },
};

/** Where the oldest go first there is more for as long as a slice is full. */
function rest(forgotten: number): RetentionSlice {
  return { forgotten, next: forgotten < ROWS_AT_ONCE ? null : 0 };
}

/** Where rows stay and are emptied, how far it has come is written down: nothing says it of the rows themselves without an index. */
async function walk(
  tx: Tx,
  { step, ...span }: Omit<Walk, 'after'> & { readonly step: RetentionStep },
  forgetSome: (walk: Walk) => Promise<Walked>,
): Promise<RetentionSlice> {
  const [progress] = await tx.query(selectProgress, { step });
  const { last, changed } = await forgetSome({ ...span, after: progress?.lastId ?? null });
  if (last === null) return { forgotten: changed, next: null };
  await tx.query(saveProgress, { step, last });
  return { forgotten: changed, next: 0 };
}

/** One mark in the audit trail for all: who looks for a single lead sees when it was erased at the lead. */
async function eraseSome(tx: Tx, walked: Walk, now: Date): Promise<Walked> {
  const leadIds = await unerasedLeads(tx, walked);
  const last = leadIds.at(-1) ?? null;
  if (last === null) return { last, changed: 0 };
  await erasePersons(tx, { leadIds, audit: null }, now);
  await appendAudit(tx, [
    {
      at: now,
      actor: { type: 'system', name: 'retention' },
      buyerKey: null,
      supplierKey: null,
      action: 'leads.erased',
      target: 'marketplace',
      changes: { leads: { from: null, to: leadIds.length } },
      ...noOrigin,
    },
  ]);
  return { last, changed: leadIds.length };
}

// Forgets some of what is old: one slice of one step, small enough to be in nobody's way (decision 021).
import { appendAudit } from '../audit/append-audit.ts';
import { noOrigin } from '../audit/audit-event.ts';
import type { Walk, Walked } from '../base/id-time.ts';
import { purgeCounters } from '../caps/cap-counters.ts';
import { purgeAttempts, oldPendingSlots, purgeSnippets } from '../deliveries/erasure/retention.ts';
import { purgeOutages } from '../endpoints/health.ts';
import {
  deleteConsents,
  countSaleBlocks,
  purgeIdentitySales,
  purgeRawBodies,
  listUnerasedLeads,
} from '../leads/retention.ts';
import { readSettings } from '../marketplace/read-settings.ts';
import { purgeCallbacks } from '../messages/callback-log.ts';
import type { Tx } from '../platform/database/database.ts';
import { purgeDecisions } from '../routing/purge-decisions.ts';
import { eraseDataSubjects } from './erase-data-subjects.ts';
import { oldBefore, type RetentionStep } from './retention-terms.rules.ts';
import { saveProgress, selectProgress } from './retention.sql.ts';

export type RetentionSlice = {
  /** Rows that were deleted or emptied. */
  readonly purged: number;
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
  return before === null ? { purged: 0, next: null } : slices[step](tx, { before, from, now });
}

const slices: Readonly<Record<RetentionStep, (tx: Tx, slice: Slice) => Promise<RetentionSlice>>> = {
  leads: (tx, { before, now }) =>
    walk(tx, { step: 'leads', before, atOnce: LEADS_AT_ONCE }, (walked) => eraseSome(tx, walked, now)),
  'raw-bodies': (tx, { before }) =>
    walk(tx, { step: 'raw-bodies', before, atOnce: ROWS_AT_ONCE }, (walked) => purgeRawBodies(tx, walked)),
  snippets: (tx, { before }) =>
    walk(tx, { step: 'snippets', before, atOnce: ROWS_AT_ONCE }, (walked) => purgeSnippets(tx, walked)),
  attempts: async (tx, { before }) => rest(await purgeAttempts(tx, before, ROWS_AT_ONCE)),
  callbacks: async (tx, { before }) => rest(await purgeCallbacks(tx, before, ROWS_AT_ONCE)),
  decisions: async (tx, { before }) => rest(await purgeDecisions(tx, before, ROWS_AT_ONCE)),
  outages: async (tx, { before }) => rest(await purgeOutages(tx, before, ROWS_AT_ONCE)),
  consents: async (tx, { before }) => rest(await deleteConsents(tx, before, ROWS_AT_ONCE)),
  async counters(tx, { before }) {
    const keep = await oldPendingSlots(tx, before);
    return rest(await purgeCounters(tx, { before, keep, atOnce: ROWS_AT_ONCE }));
  },
  async persons(tx, { before, from }) {
    const blocks = await countSaleBlocks(tx);
    const purged = await purgeIdentitySales(tx, { from, blocks: BLOCKS_AT_ONCE, before });
    const next = from + BLOCKS_AT_ONCE;
    return { purged, next: next < blocks ? next : null };
  },
};

/** Where the oldest go first there is more for as long as a slice is full. */
function rest(purged: number): RetentionSlice {
  return { purged, next: purged < ROWS_AT_ONCE ? null : 0 };
}

/** Where rows stay and are emptied, how far it has come is written down: nothing says it of the rows themselves without an index. */
async function walk(
  tx: Tx,
  { step, ...span }: Omit<Walk, 'after'> & { readonly step: RetentionStep },
  purgeSome: (walk: Walk) => Promise<Walked>,
): Promise<RetentionSlice> {
  const [progress] = await tx.query(selectProgress, { step });
  const { last, changed } = await purgeSome({ ...span, after: progress?.lastId ?? null });
  if (last === null) return { purged: changed, next: null };
  await tx.query(saveProgress, { step, last });
  return { purged: changed, next: 0 };
}

/** One mark in the audit trail for all: who looks for a single lead sees when it was erased at the lead. */
async function eraseSome(tx: Tx, walked: Walk, now: Date): Promise<Walked> {
  const leadIds = await listUnerasedLeads(tx, walked);
  const last = leadIds.at(-1) ?? null;
  if (last === null) return { last, changed: 0 };
  await eraseDataSubjects(tx, { leadIds, audit: null }, now);
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

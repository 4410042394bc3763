// Deletes expired data: one slice of one retention step per transaction, small enough not to block other work (decision 021).
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
import { readSettings } from '../marketplace/stored-settings.ts';
import { purgeCallbacks } from '../messages/callback-log.ts';
import type { Tx } from '../platform/database/database.ts';
import { purgeDecisions } from '../routing/stored-decisions.ts';
import { eraseDataSubjects } from './erase-data-subjects.ts';
import { oldBefore, type RetentionStep } from './retention-terms.rules.ts';
import { saveProgress, selectProgress } from './retention.sql.ts';

export type RetentionSlice = {
  /** Rows that were deleted or emptied. */
  readonly purged: number;
  /** Where the next slice continues; null when the step is done. */
  readonly next: number | null;
};

type Slice = { readonly before: Date; readonly from: number; readonly now: Date };

/** Sizes that keep a transaction at some tens of milliseconds. */
const LEADS_PER_SLICE = 200;
const ROWS_PER_SLICE = 2000;
const BLOCKS_PER_SLICE = 500;

/** `from` is the `next` of the previous slice, 0 at first. The current settings decide what has expired. */
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
    walk(tx, { step: 'leads', before, atOnce: LEADS_PER_SLICE }, (walked) => eraseSome(tx, walked, now)),
  'raw-bodies': (tx, { before }) =>
    walk(tx, { step: 'raw-bodies', before, atOnce: ROWS_PER_SLICE }, (walked) => purgeRawBodies(tx, walked)),
  snippets: (tx, { before }) =>
    walk(tx, { step: 'snippets', before, atOnce: ROWS_PER_SLICE }, (walked) => purgeSnippets(tx, walked)),
  attempts: async (tx, { before }) => sliceResult(await purgeAttempts(tx, before, ROWS_PER_SLICE)),
  callbacks: async (tx, { before }) => sliceResult(await purgeCallbacks(tx, before, ROWS_PER_SLICE)),
  decisions: async (tx, { before }) => sliceResult(await purgeDecisions(tx, before, ROWS_PER_SLICE)),
  outages: async (tx, { before }) => sliceResult(await purgeOutages(tx, before, ROWS_PER_SLICE)),
  consents: async (tx, { before }) => sliceResult(await deleteConsents(tx, before, ROWS_PER_SLICE)),
  async counters(tx, { before }) {
    const keep = await oldPendingSlots(tx, before);
    return sliceResult(await purgeCounters(tx, { before, keep, atOnce: ROWS_PER_SLICE }));
  },
  async persons(tx, { before, from }) {
    const blocks = await countSaleBlocks(tx);
    const purged = await purgeIdentitySales(tx, { from, blocks: BLOCKS_PER_SLICE, before });
    const next = from + BLOCKS_PER_SLICE;
    return { purged, next: next < blocks ? next : null };
  },
};

/** For steps that delete the oldest rows first: there is more as long as a slice is full. */
function sliceResult(purged: number): RetentionSlice {
  return { purged, next: purged < ROWS_PER_SLICE ? null : 0 };
}

/** For steps that empty rows but keep them: stores how far it has come, because finding emptied rows would need an index. */
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

/** Writes one audit event for all leads; each lead has its own time of erasure. */
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

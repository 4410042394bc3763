// Finds which entries of a partner's account a filter by type and time selects, without an index by time (decision 088): entries are
// numbered in the order in which they were posted, so that a search by halves finds the number at which a day begins.
import type { Tx } from '../platform/database/database.ts';
import { type EntrySet, rangeWithout, type VersionRange } from './entry.rules.ts';
import { selectEntriesBeside, selectEntryTimes, selectVersionsButCharges } from './ledger.sql.ts';
import { accountKey, accountKinds, type TransferType } from './transfer.rules.ts';

/** Null for all; from ≤ posted < until. */
export type EntryFilter = {
  readonly type: TransferType | null;
  readonly from: Date | null;
  readonly until: Date | null;
};

export const ALL_ENTRIES: EntryFilter = { type: null, from: null, until: null };

/**
 * How much later an entry can have been posted than one with a higher number. A transaction takes its time before it locks the account,
 * and clocks of two machines differ a little.
 */
const DISORDER_MS = 15 * 60_000;
/** Times that one step of the search looks at. */
const PROBES = 31;

/** `total` is the version of the account. `tx` must be a snapshot. */
export async function findEntries(
  tx: Tx,
  { buyerKey, total, filter }: { readonly buyerKey: string; readonly total: number; readonly filter: EntryFilter },
): Promise<EntrySet> {
  const { type, from, until } = filter;
  const key = accountKey('buyer', buyerKey);
  const butCharges = { key, accountKeys: accountKinds.map((kind) => accountKey(kind, buyerKey)) };
  if (type !== null && type !== 'charge') {
    const found = await tx.query(selectVersionsButCharges, { ...butCharges, type, from, until, after: 0, upTo: total });
    return { only: found.map(({ version }) => version) };
  }
  const first =
    from === null ? { after: 0, strays: [] } : await edgeAt(tx, { key, total }, { at: from, side: 'beginning' });
  const last =
    until === null ? { upTo: total, strays: [] } : await edgeAt(tx, { key, total }, { at: until, side: 'end' });
  const range = { after: first.after, upTo: last.upTo };
  if (range.after >= range.upTo) return { only: [] };
  const strays = new Set([...first.strays, ...last.strays]);
  if (type === 'charge') {
    // A little more than the days, since entries at their ends are strays by number.
    const near = { from: later(from, -DISORDER_MS), until: later(until, DISORDER_MS) };
    const others = await tx.query(selectVersionsButCharges, { ...butCharges, ...range, ...near, type: null });
    for (const { version } of others) strays.add(version);
  }
  return rangeWithout(
    range,
    [...strays].filter((version) => version > range.after && version <= range.upTo).toSorted((one, two) => one - two),
  );
}

type Account = { readonly key: string; readonly total: number };

/**
 * All entries up to `after` are before the instant, and none behind `upTo` is. Of those between, `strays` are on the wrong side: before the
 * instant where the days begin, not before it where they end.
 */
async function edgeAt(
  tx: Tx,
  account: Account,
  { at, side }: { readonly at: Date; readonly side: 'beginning' | 'end' },
): Promise<VersionRange & { readonly strays: readonly number[] }> {
  const span = await spanAround(tx, account, at);
  const found = await tx.query(selectEntriesBeside, { key: account.key, ...span, at, isBefore: side === 'beginning' });
  return { ...span, strays: found.map(({ version }) => version) };
}

async function spanAround(tx: Tx, account: Account, at: Date): Promise<VersionRange> {
  const after = (await searchFirst(tx, account, new Date(at.getTime() - DISORDER_MS))) - 1;
  const upTo = (await searchFirst(tx, account, new Date(at.getTime() + DISORDER_MS))) - 1;
  return { after, upTo };
}

/** A version with this time or a later one whose predecessor has an earlier one; total + 1 if the last entry is earlier. */
async function searchFirst(tx: Tx, { key, total }: Account, at: Date): Promise<number> {
  let low = 1;
  let high = total + 1;
  while (low < high) {
    const times = await tx.query(selectEntryTimes, { key, versions: probesBetween(low, high - 1) });
    const reached = times.findIndex(({ createdAt }) => createdAt >= at);
    const before = times[reached === -1 ? times.length - 1 : reached - 1];
    const from = times[reached];
    if (before === undefined && from === undefined) return low;
    if (before !== undefined) low = before.version + 1;
    if (from !== undefined) high = from.version;
  }
  return low;
}

/** Evenly spread, the last version among them: a filter through today ends at the first step. */
function probesBetween(low: number, last: number): number[] {
  const size = last - low + 1;
  const count = Math.min(size, PROBES);
  return Array.from({ length: count }, (_item, index) => low - 1 + Math.ceil((size * (index + 1)) / count));
}

function later(at: Date | null, ms: number): Date | null {
  return at === null ? null : new Date(at.getTime() + ms);
}

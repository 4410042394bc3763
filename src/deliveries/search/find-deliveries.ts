// Searches a partner's deliveries, newest first. Rare terms are looked up in the index, with an exact total; common terms are searched
// among the newest deliveries only, so that the time stays bounded.
import type { DeliveryId } from '../../base/ids.ts';
import { fieldMark, MARKED_SCAN_LIMIT } from '../../leads/field-marks.rules.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { DeliveryRow } from '../delivery.ts';
import { countByDay } from '../count-deliveries.ts';
import type { DeliveryQuery } from '../list-deliveries.ts';
import { pageSpan, totalOf, within } from '../page-span.rules.ts';
import type { NarrowingParams } from './narrowing.sql.ts';
import { type ParsedSearch, type TermRange, wordPatterns } from './search-query.rules.ts';
import { gatherClaimed, gatherHits, measureRanges, readFound, walkNarrowed, walkNewest } from './search.sql.ts';

export type FoundPage = {
  readonly total: number;
  /** Null if `total` covers all deliveries; else it covers only deliveries from this instant on. */
  readonly backTo: Date | null;
  readonly rows: readonly DeliveryRow[];
};

/** Terms read for one search: tens of milliseconds. */
const TERMS_MOST = 40_000;
/** Deliveries looked up for one search: about as long again. */
const HITS_MOST = 4000;
/** Deliveries scanned for a common term, newest first, and the number of matches that ends the scan. */
const WALK_MOST = 8000;
const WALK_FOUND_MOST = 1000;

export type SearchBounds = {
  readonly terms: number;
  readonly hits: number;
  readonly walk: number;
  readonly walkFound: number;
};
const BOUNDS: SearchBounds = { terms: TERMS_MOST, hits: HITS_MOST, walk: WALK_MOST, walkFound: WALK_FOUND_MOST };

/** Reads a bounded number of rows, however many deliveries there are. Page and total agree if `tx` is a snapshot. */
export async function findDeliveries(tx: Tx, buyerKey: string, search: SearchQuery): Promise<FoundPage> {
  const { total, backTo, ids } =
    search.query.isOldestFirst === true
      ? await findOldestIds(tx, buyerKey, search)
      : await findIds(tx, buyerKey, search);
  const rows = ids.length === 0 ? [] : await tx.query(readFound, { buyerKey, ids });
  return { total, backTo, rows: search.query.isOldestFirst === true ? rows.toReversed() : rows };
}

type SearchQuery = {
  readonly query: DeliveryQuery;
  /** Null for no search text. */
  readonly parsed: ParsedSearch | null;
  readonly bounds?: SearchBounds;
};

/** A page of the reversed list: the ids of all pages are bounded. */
async function findOldestIds(tx: Tx, buyerKey: string, search: SearchQuery): Promise<PageOfIds> {
  const { page, pageSize } = search.query;
  const all = { ...search.query, page: 1, pageSize: Math.max(HITS_MOST, WALK_FOUND_MOST) };
  const { total, backTo, ids } = await findIds(tx, buyerKey, { ...search, query: all });
  return { total, backTo, ids: ids.toReversed().slice((page - 1) * pageSize, page * pageSize) };
}

/** The ids of all deliveries that the pages of a search show, up to the search's own bounds. */
export async function findAllIds(
  tx: Tx,
  buyerKey: string,
  { query, parsed }: { readonly query: Omit<DeliveryQuery, 'page' | 'pageSize'>; readonly parsed: ParsedSearch | null },
): Promise<{ readonly ids: readonly DeliveryId[]; readonly backTo: Date | null }> {
  const all = { ...query, page: 1, pageSize: Math.max(HITS_MOST, WALK_FOUND_MOST) };
  return findIds(tx, buyerKey, { query: all, parsed });
}

async function findIds(tx: Tx, buyerKey: string, { query, parsed, bounds = BOUNDS }: SearchQuery): Promise<PageOfIds> {
  if (parsed === null) return findNarrowed(tx, buyerKey, { query, bounds });
  const rarest = await rarestRange(tx, buyerKey, { parsed, most: bounds.terms });
  if (rarest === null && parsed.delivery === null) return NOTHING_FOUND;
  const isRare = rarest === null || rarest.terms <= bounds.terms;
  const found = isRare ? await gather(tx, buyerKey, { query, parsed, rarest, bounds }) : null;
  const page = found ?? (rarest === null ? null : await walk(tx, buyerKey, { query, parsed, rarest, bounds }));
  return page ?? NOTHING_FOUND;
}

type Measured = TermRange & { readonly terms: number };
type PageOfIds = { readonly total: number; readonly backTo: Date | null; readonly ids: readonly DeliveryId[] };
const NOTHING_FOUND: PageOfIds = { total: 0, backTo: null, ids: [] };
type Search = {
  readonly query: DeliveryQuery;
  readonly parsed: ParsedSearch;
  readonly rarest: Measured | null;
  readonly bounds: SearchBounds;
};

/** The range with the fewest terms; null if the search has no terms. */
async function rarestRange(
  tx: Tx,
  buyerKey: string,
  { parsed, most }: { readonly parsed: ParsedSearch; readonly most: number },
): Promise<Measured | null> {
  const { kind, ranges } = parsed;
  if (ranges.length === 0) return null;
  const measures = await tx.query(measureRanges[kind], {
    buyerKey,
    lows: ranges.map(({ low }) => low),
    highs: ranges.map(({ high }) => high),
    atMost: most + 1,
  });
  const measured = ranges.map((range, index) => ({ ...range, terms: measures[index]?.terms ?? 0 }));
  return measured.toSorted((one, other) => one.terms - other.terms)[0] ?? null;
}

// Matches no term.
const NOTHING: TermRange = { low: '', high: '' };

/** Null if more deliveries match than may be looked up. */
async function gather(tx: Tx, buyerKey: string, { query, parsed, rarest, bounds }: Search): Promise<PageOfIds | null> {
  const { low, high } = rarest ?? NOTHING;
  const { delivery } = parsed;
  const byId = delivery !== null && 'deliveryId' in delivery ? delivery.deliveryId : null;
  const byRef = delivery !== null && 'refNumber' in delivery ? delivery : null;
  const kinds = [query.eventType ?? null, byRef?.eventType ?? null].filter((kind) => kind !== null);
  if (kinds.length === 2 && kinds[0] !== kinds[1]) return NOTHING_FOUND;
  const [row] = await tx.query(gatherHits[parsed.kind], {
    buyerKey,
    low,
    high,
    patterns: wordPatterns(parsed),
    atMost: bounds.hits + 1,
    byId,
    byRef: byRef?.refNumber ?? null,
    status: query.status,
    eventType: kinds[0] ?? null,
    from: query.from,
    until: query.until,
    ...narrowed(query),
    ...rowsOf(query),
  });
  if (row === undefined || row.hits > bounds.hits) return null;
  return { total: row.total, backTo: null, ids: row.page ?? [] };
}

type NarrowedQuery = { readonly query: DeliveryQuery; readonly bounds: SearchBounds };

/** Few claims lead to their deliveries, with an exact total; everything else is searched among the newest deliveries. */
async function findNarrowed(tx: Tx, buyerKey: string, narrowing: NarrowedQuery): Promise<PageOfIds> {
  const claimed = await gatherByClaims(tx, buyerKey, narrowing);
  if (claimed !== null) return claimed;
  const { query } = narrowing;
  const bounds = { ...narrowing.bounds, walk: Math.min(narrowing.bounds.walk, MARKED_SCAN_LIMIT) };
  return (await walk(tx, buyerKey, { query, bounds, parsed: null, rarest: null })) ?? NOTHING_FOUND;
}

/** Null if the filter is not by claims, or more claims match than may be read. */
async function gatherByClaims(tx: Tx, buyerKey: string, { query, bounds }: NarrowedQuery): Promise<PageOfIds | null> {
  const claim = query.narrowing?.claim ?? null;
  if (claim === null || claim === 'none') return null;
  const [row] = await tx.query(gatherClaimed, {
    buyerKey,
    claimStatuses: claim === 'open' ? ['submitted', 'under_review'] : [claim],
    atMost: bounds.hits + 1,
    status: query.status,
    eventType: query.eventType ?? null,
    from: query.from,
    until: query.until,
    ...narrowed(query),
    ...rowsOf(query),
  });
  if (row === undefined || row.hits > bounds.hits) return null;
  return { total: row.total, backTo: null, ids: row.page ?? [] };
}

/** The counts per day limit the scan to the days that have deliveries. */
async function walk(
  tx: Tx,
  buyerKey: string,
  { query, parsed, rarest, bounds }: Omit<Search, 'parsed'> & { readonly parsed: ParsedSearch | null },
): Promise<PageOfIds | null> {
  const { status, eventType = null } = query;
  const days = await countByDay(tx, buyerKey, query);
  const span = within(pageSpan(days, 0, totalOf(days)), query);
  if (span === null) return null;
  const scan = {
    buyerKey,
    walked: bounds.walk,
    enough: bounds.walkFound,
    from: span.from,
    until: span.until,
    ...narrowed(query),
    ...rowsOf(query),
  };
  const filter = { status, eventType };
  const [row] =
    parsed === null || rarest === null
      ? await tx.query(walkNarrowed(filter), scan)
      : await tx.query(walkNewest[parsed.kind](filter), {
          ...scan,
          low: rarest.low,
          high: rarest.high,
          patterns: wordPatterns(parsed),
        });
  if (row === undefined) return null;
  const { lookedAt, total, backTo, oldestFound, page } = row;
  const isWhole = lookedAt < bounds.walk && total < bounds.walkFound;
  return { total, backTo: isWhole ? null : total < bounds.walkFound ? backTo : oldestFound, ids: page ?? [] };
}

function narrowed({ narrowing = null }: DeliveryQuery): NarrowingParams {
  return {
    offerKey: narrowing?.offerKey ?? null,
    sourceMark: fieldMark('source', narrowing?.source ?? null),
    stateMark: fieldMark('state', narrowing?.state ?? null),
    claimState: narrowing?.claim ?? null,
  };
}

/** The first and last row of the page, from 1; capped at what the database accepts as the bound of an array slice. */
function rowsOf({ page, pageSize }: DeliveryQuery): { readonly first: number; readonly last: number } {
  const first = Math.min((page - 1) * pageSize, 2 ** 30) + 1;
  return { first, last: first + pageSize - 1 };
}

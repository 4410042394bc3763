// Finds leads for the operator, newest first. More indexes would slow down every ingest, so a search without an index scans a bounded range
// at a time and returns where to continue.
import { strict as assert } from 'node:assert';
import { FIRST_ID, firstIdOf, LAST_ID } from '../base/id-time.ts';
import type { LeadId, Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import {
  endOfOldestRange,
  endOfRange,
  type FactMarks,
  idsOfExternalId,
  idsOfLeads,
  type LeadRow,
  leadsByIds,
  type LeadSpan,
  type OldestSpan,
  selectContactLeadPage,
  selectOldestContactLeadPage,
  pageOfLeads,
  pageOfOldestLeads,
} from './find-leads.sql.ts';
import { fieldMark } from './field-marks.rules.ts';
import { filterByContact } from './find-contact-leads.ts';
import type { LeadFields } from './lead-fields.ts';
import { contactPatterns, type ContactQuery } from './contact-query.rules.ts';
import type { LeadState, PublicStatus, FoundLead, SearchableText } from './stored-lead.ts';
import { verticalMark } from './stored-vertical.rules.ts';

export type LeadFilter = {
  /** Null members are no condition. */
  readonly supplierKey: string | null;
  readonly verticalKey: string | null;
  readonly states: readonly LeadState[] | null;
  readonly statuses: readonly PublicStatus[] | null;
  /** from ≤ received < to. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** The code of the US state. */
  readonly usState?: string | null;
  /** As the supplier named it, exactly. */
  readonly source?: string | null;
  /** Sold to this buyer. */
  readonly buyerKey?: string | null;
};

export type LeadRange = {
  readonly leads: readonly FoundLead[];
  /** The lead after which to continue; null at the end. */
  readonly next: LeadId | null;
};

/** Leads scanned per response: some 50 ms. */
const SCAN_LIMIT = 20_000;
/** The same of a search in their fields, each of which takes longer to look at. */
const CONTACT_SCAN_LIMIT = 12_000;

/** One page; it may have fewer than `limit` leads although `next` is set. `before`: the last lead seen, or null for the newest. */
export async function pageLeads(
  tx: Tx,
  { filter, before, limit }: { readonly filter: LeadFilter; readonly before: Uuid | null; readonly limit: number },
  scanLimit = SCAN_LIMIT,
): Promise<LeadRange> {
  const { supplierKey } = filter;
  const span = spanOf(filter, before);
  const page = { ...span, ...conditionsOf(filter), limit, scanLimit };
  const rows =
    supplierKey === null
      ? await tx.query(pageOfLeads.any, page)
      : await tx.query(pageOfLeads.ofSupplier, { ...page, supplierKey });
  const last = rows.at(-1);
  const leads = rows.map(toFoundLead);
  if (last !== undefined && rows.length === limit) return { leads, next: last.leadId };
  return { leads, next: await readRangeEnd(tx, { span, supplierKey, scanLimit }) };
}

/** One page from the oldest lead on. `after`: the last lead seen, or null for the oldest. */
export async function pageOldestLeads(
  tx: Tx,
  { filter, after, limit }: { readonly filter: LeadFilter; readonly after: Uuid | null; readonly limit: number },
  scanLimit = SCAN_LIMIT,
): Promise<LeadRange> {
  const { supplierKey } = filter;
  const span = oldestSpanOf(filter, after);
  const page = { ...span, ...conditionsOf(filter), limit, scanLimit };
  const rows =
    supplierKey === null
      ? await tx.query(pageOfOldestLeads.any, page)
      : await tx.query(pageOfOldestLeads.ofSupplier, { ...page, supplierKey });
  const last = rows.at(-1);
  const leads = rows.map(toFoundLead);
  if (last !== undefined && rows.length === limit) return { leads, next: last.leadId };
  return { leads, next: await readOldestRangeEnd(tx, { span, supplierKey, scanLimit }) };
}

/** Leads scanned for sums: some 100 ms. */
const SUMS_SCAN_LIMIT = 40_000;

/** The ids of the newest leads that `pageLeads` lists, at most `limit`. `isAll`: false if there may be more. */
export async function listLeadIds(
  tx: Tx,
  { filter, limit }: { readonly filter: LeadFilter; readonly limit: number },
  scanLimit = SUMS_SCAN_LIMIT,
): Promise<{ readonly leadIds: readonly LeadId[]; readonly isAll: boolean }> {
  const { supplierKey } = filter;
  const span = spanOf(filter, null);
  const listed = { ...span, ...conditionsOf(filter), limit, scanLimit };
  const rows =
    supplierKey === null
      ? await tx.query(idsOfLeads.any, listed)
      : await tx.query(idsOfLeads.ofSupplier, { ...listed, supplierKey });
  const end = rows.length === limit ? null : await readRangeEnd(tx, { span, supplierKey, scanLimit });
  return { leadIds: rows.map(({ leadId }) => leadId), isAll: rows.length < limit && end === null };
}

/** Reads pages until `limit` leads are found or there are no more. */
export async function listLeads(
  tx: Tx,
  { filter, before, limit }: { readonly filter: LeadFilter; readonly before: Uuid | null; readonly limit: number },
): Promise<FoundLead[]> {
  const leads: FoundLead[] = [];
  for (let behind = before; ;) {
    const part = await pageLeads(tx, { filter, before: behind, limit: limit - leads.length });
    leads.push(...part.leads);
    if (part.next === null || leads.length === limit) return leads;
    behind = part.next;
  }
}

/** The given leads, as far as they pass the filter. */
export async function readLeadsByIds(tx: Tx, ids: readonly LeadId[], filter: LeadFilter): Promise<FoundLead[]> {
  if (ids.length === 0) return [];
  const { supplierKey } = filter;
  const wanted = { ...conditionsOf(filter), leadIds: ids, supplierKey };
  const rows = await tx.query(leadsByIds, { ...spanOf(filter, null), ...wanted });
  return rows.map(toFoundLead);
}

/** Ids of leads with this external id, of any supplier; of many rejected ones the latest. */
export async function findIdsByExternalId(tx: Tx, externalId: string, limit: number): Promise<LeadId[]> {
  const rows = await tx.query(idsOfExternalId, { externalId, limit });
  return rows.map(({ leadId }) => leadId);
}

type LeadSearch = { readonly query: ContactQuery; readonly filter: LeadFilter; readonly limit: number };

/** Leads of one range that match a phone, an email or a name, at most `limit`. */
export async function findLeadsByContact(
  tx: Tx,
  { query, filter, before, limit }: LeadSearch & { readonly before: Uuid | null },
  scanLimit = CONTACT_SCAN_LIMIT,
): Promise<LeadRange> {
  const { supplierKey } = filter;
  const span = spanOf(filter, before);
  const end = await readRangeEnd(tx, { span, supplierKey, scanLimit });
  const rows = await tx.query(selectContactLeadPage, {
    ...{ beforeId: span.beforeId, fromId: end ?? span.fromId },
    ...{ ...likeContact(query), supplierKey, limit },
  });
  const { leads, last } = await readMatches(tx, { query, filter, rows });
  return { leads, next: rows.length === limit ? last : end };
}

/** The same from the oldest lead on. `after`: the last lead seen, or null for the oldest. */
export async function findOldestLeadsByContact(
  tx: Tx,
  { query, filter, after, limit }: LeadSearch & { readonly after: Uuid | null },
  scanLimit = CONTACT_SCAN_LIMIT,
): Promise<LeadRange> {
  const { supplierKey } = filter;
  const span = oldestSpanOf(filter, after);
  const end = await readOldestRangeEnd(tx, { span, supplierKey, scanLimit });
  const rows = await tx.query(selectOldestContactLeadPage, {
    ...{ ...span, lastId: end ?? LAST_ID },
    ...{ ...likeContact(query), supplierKey, limit },
  });
  const { leads, last } = await readMatches(tx, { query, filter, rows });
  return { leads: leads.toReversed(), next: rows.length === limit ? last : end };
}

function likeContact(query: ContactQuery) {
  const { fields, shape, body, digits } = contactPatterns(query);
  return { fieldsShape: shape, fieldsPattern: fields, bodyPattern: body, digitsPattern: digits };
}

type Candidates = {
  readonly query: ContactQuery;
  readonly filter: LeadFilter;
  readonly rows: ReadonlyArray<{ readonly leadId: LeadId } & SearchableText>;
};

/** The candidates that match, newest first. `last`: the last candidate; null if there is none. */
async function readMatches(
  tx: Tx,
  { query, filter, rows }: Candidates,
): Promise<{ readonly leads: readonly FoundLead[]; readonly last: LeadId | null }> {
  const matches = await filterByContact([query], rows);
  const ids = matches.map(({ leadId }) => leadId);
  return { leads: await readLeadsByIds(tx, ids, filter), last: rows.at(-1)?.leadId ?? null };
}

type Range = { readonly span: LeadSpan; readonly supplierKey: string | null; readonly scanLimit: number };

/** The last lead of the range that one response scans; null if that is the whole span. */
async function readRangeEnd(tx: Tx, { span, supplierKey, scanLimit }: Range): Promise<LeadId | null> {
  const [end] =
    supplierKey === null
      ? await tx.query(endOfRange.any, { ...span, scanLimit })
      : await tx.query(endOfRange.ofSupplier, { ...span, scanLimit, supplierKey });
  return end?.leadId ?? null;
}

/** The same from the oldest on. */
async function readOldestRangeEnd(
  tx: Tx,
  { span, supplierKey, scanLimit }: Omit<Range, 'span'> & { readonly span: OldestSpan },
): Promise<LeadId | null> {
  const [end] =
    supplierKey === null
      ? await tx.query(endOfOldestRange.any, { ...span, scanLimit })
      : await tx.query(endOfOldestRange.ofSupplier, { ...span, scanLimit, supplierKey });
  return end?.leadId ?? null;
}

/** The filter for SQL, without what the span and the supplier's index say. */
function conditionsOf({ verticalKey, states, statuses, buyerKey = null, ...facts }: LeadFilter) {
  return { states, statuses, verticalMark: verticalMark(verticalKey), ...marksOf(facts), buyerKey };
}

export function marksOf({ usState = null, source = null }: Pick<LeadFilter, 'usState' | 'source'>): FactMarks {
  return { sourceMark: fieldMark('source', source), stateMark: fieldMark('state', usState) };
}

/** Ids start with the time of receipt. */
export function spanOf({ from, to }: Pick<LeadFilter, 'from' | 'to'>, before: Uuid | null): LeadSpan {
  const end = to === null ? LAST_ID : firstIdOf(to);
  return {
    beforeId: before === null || before > end ? end : before,
    fromId: from === null ? FIRST_ID : firstIdOf(from),
  };
}

/** The same from the oldest on. */
export function oldestSpanOf(filter: Pick<LeadFilter, 'from' | 'to'>, after: Uuid | null): OldestSpan {
  const { beforeId, fromId } = spanOf(filter, null);
  return { beforeId, fromId: after !== null && after > fromId ? after : fromId, seenId: after };
}

function toFoundLead({ fields, ...row }: LeadRow): FoundLead {
  const { leadId, externalId, supplierKey, isTest, state, publicStatus, reason, score, receivedAt, erasedAt } = row;
  const {
    fullName = null,
    state: usState = null,
    source = null,
    vertical = null,
  } = fields === null ? {} : (JSON.parse(fields) as LeadFields);
  assert(fullName === null || typeof fullName === 'string', 'a lead must have a name');
  return {
    leadId,
    externalId,
    supplierKey,
    isTest,
    state,
    publicStatus,
    reason,
    score,
    receivedAt,
    erasedAt,
    fullName,
    usState,
    source,
    vertical,
  };
}

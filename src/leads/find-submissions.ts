// Lists, finds and reads a supplier's own submissions, including rejected ones (contract 3.3, 4.1, 5.8). Never discloses the buyer, the
// price or why a buyer did not take the lead.
import { strict as assert } from 'node:assert';

import { uuidOf, type Uuid, type LeadId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { PublicStatus } from './stored-lead.ts';
import {
  findByExternalId,
  findById,
  findOneByExternalId,
  scanAll,
  scanRejected,
  scanTests,
  selectSubmission,
  sumAll,
  sumRejected,
  sumTests,
} from './submission.sql.ts';
import type { ListedSubmission, StoredSubmission } from './stored-submission.ts';
import { listCallbacks } from '../messages/callback-log.ts';
import type { CompiledFieldMapping } from '../suppliers/field-mapping.rules.ts';
import type { LeadFields } from './lead-fields.ts';
import { MARKED_SCAN_LIMIT } from './field-marks.rules.ts';
import { type LeadFilter, marksOf, oldestSpanOf, spanOf } from './find-leads.ts';
import { missingKeyFields } from './field-guide.rules.ts';
import { readSubmission as readBody } from './submission-reading.rules.ts';

/** A group of the supplier's totals, a public status, or tests, which belong to no group. */
export type SubmissionKind =
  | 'pending'
  | 'routed'
  | 'rejected'
  | 'duplicate'
  | 'no_buyer'
  | 'suppressed'
  | 'invalid'
  | 'test';
export type SubmissionQuery = Pick<LeadFilter, 'from' | 'to' | 'usState' | 'source'> & {
  /** Null for any, including tests. */
  readonly kind: SubmissionKind | null;
  /** One of the errors of `reason`; null for any. */
  readonly reason: string | null;
  /** The last submission of the page before; null for the first page. */
  readonly seen: Uuid | null;
  readonly isOldestFirst: boolean;
  readonly limit: number;
};

export type SubmissionPage = {
  readonly submissions: readonly ListedSubmission[];
  /** `seen` of the next page; null at the end. */
  readonly next: LeadId | null;
  /** If the page is not full although there are further submissions: when the last scanned one was received. Else null. */
  readonly lookedUntil: Date | null;
};

const STATUSES: Readonly<Record<Exclude<SubmissionKind, 'test'>, readonly PublicStatus[]>> = {
  pending: ['Pending'],
  routed: ['Lead Sale', 'Calendar Assigned'],
  rejected: ['Duplicate', 'No Buyer', 'Invalid', 'Suppressed'],
  duplicate: ['Duplicate'],
  no_buyer: ['No Buyer'],
  suppressed: ['Suppressed'],
  invalid: ['Invalid'],
};

/** Submissions scanned per page: some tens of milliseconds. */
const SCAN_LIMIT = 5000;

export async function listSubmissions(tx: Tx, supplierKey: string, query: SubmissionQuery): Promise<SubmissionPage> {
  const { kind, reason, seen, isOldestFirst, limit } = query;
  if (isNone(query)) return { submissions: [], next: null, lookedUntil: null };
  const statuses = kind === null || kind === 'test' ? null : STATUSES[kind];
  const isFiltered = statuses !== null || reason !== null;
  const scanLimit = hasFacts(query) ? MARKED_SCAN_LIMIT : isFiltered ? SCAN_LIMIT : limit;
  const scan = kind === 'test' ? scanTests : kind === 'invalid' ? scanRejected : scanAll;
  const conditions = { supplierKey, scanLimit, limit, ...marksOf(query), statuses, reason };
  const rows = isOldestFirst
    ? await tx.query(scan.oldest, { ...conditions, ...oldestSpanOf(query, seen) })
    : await tx.query(scan.newest, { ...conditions, ...spanOf(query, seen) });
  const submissions = rows.flatMap((row) => (row.isFound ? [toListed(row)] : []));
  const [first] = rows;
  const last = submissions.at(-1);
  if (submissions.length === limit && last !== undefined) {
    return { submissions, next: last.leadId, lookedUntil: null };
  }
  if (first === undefined || first.count < scanLimit) return { submissions, next: null, lookedUntil: null };
  return { submissions, next: first.lastId, lookedUntil: first.lastAt };
}

/** Submissions scanned for sums. */
const SUMS_SCAN_LIMIT = 20_000;

/** Of the submissions that `listSubmissions` lists on all pages, counted up to `limit`. `isAll`: false if there may be more. */
export async function sumSubmissions(
  tx: Tx,
  supplierKey: string,
  query: Omit<SubmissionQuery, 'seen' | 'isOldestFirst'>,
  scanLimit = SUMS_SCAN_LIMIT,
): Promise<{ readonly rows: number; readonly sold: number; readonly isAll: boolean }> {
  const { kind, reason, limit } = query;
  if (isNone(query)) return { rows: 0, sold: 0, isAll: true };
  const statuses = kind === null || kind === 'test' ? null : STATUSES[kind];
  const sum = kind === 'test' ? sumTests : kind === 'invalid' ? sumRejected : sumAll;
  const soldStatuses = STATUSES.routed;
  const range = { supplierKey, ...spanOf(query, null), scanLimit, limit };
  const [row] = await tx.query(sum, { ...range, ...marksOf(query), statuses, reason, soldStatuses });
  assert(row !== undefined, 'a sum has always a row');
  const { scanned, rows, sold } = row;
  return { rows, sold, isAll: scanned < scanLimit && rows < limit };
}

/** Submissions that the checks rejected have no fields. */
function isNone(query: Pick<SubmissionQuery, 'kind' | 'usState' | 'source'>): boolean {
  return query.kind === 'invalid' && hasFacts(query);
}

function hasFacts({ usState = null, source = null }: Pick<SubmissionQuery, 'usState' | 'source'>): boolean {
  return usState !== null || source !== null;
}

export function isSold({ isTest, publicStatus }: ListedSubmission): boolean {
  return !isTest && STATUSES.routed.includes(publicStatus);
}

/** By `lead_…` id, or by the exact external id. At most `limit`. */
export async function findSubmissions(
  tx: Tx,
  supplierKey: string,
  { search, limit }: { readonly search: string; readonly limit: number },
): Promise<readonly ListedSubmission[]> {
  const leadId = uuidOf('lead', search);
  const byId = leadId === null ? [] : await tx.query(findById, { supplierKey, leadId });
  if (byId.length > 0) return byId;
  return tx.query(findByExternalId, { supplierKey, search, limit });
}

/**
 * Finds one lead by id: first as `lead_…` id, then as external id, which may look like one. Null if the supplier has no such lead.
 */
export async function findSubmission(tx: Tx, supplierKey: string, id: string): Promise<ListedSubmission | null> {
  const leadId = uuidOf('lead', id);
  const [byId] = leadId === null ? [] : await tx.query(findById, { supplierKey, leadId });
  if (byId !== undefined) return byId;
  // Trimmed as at ingest; text that the database cannot store has no match.
  const externalId = id.trim();
  if (externalId.includes('\0') || !externalId.isWellFormed()) return null;
  const [byExternalId] = await tx.query(findOneByExternalId, { supplierKey, externalId });
  return byExternalId ?? null;
}

function toListed({ leadId, externalId, isTest, publicStatus, reason, score, receivedAt }: ListedSubmission) {
  return { leadId, externalId, isTest, publicStatus, reason, score, receivedAt };
}

/** Null if the supplier has no such lead. */
export async function readSubmission(
  tx: Tx,
  supplierKey: string,
  { leadId, mapping }: { readonly leadId: LeadId; readonly mapping: CompiledFieldMapping },
): Promise<StoredSubmission | null> {
  const [row] = await tx.query(selectSubmission, { supplierKey, leadId });
  if (row === undefined) return null;
  const { fields: text, ...stored } = row;
  const fields = text === null ? null : (JSON.parse(text) as LeadFields);
  const { rawBody, externalId, isTest, isAccepted, reason } = stored;
  return {
    ...stored,
    reading: readBody({ rawBody, fields, externalId, isTest, refusal: isAccepted ? null : reason }, mapping),
    lacking: fields !== null && stored.publicStatus === 'No Buyer' ? missingKeyFields(fields) : [],
    callbacks: await listCallbacks(tx, supplierKey, leadId),
  };
}

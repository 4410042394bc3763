// Finds a supplier's own submissions, newest first, also those that were refused (contract 3.3, 4.1).
import { LAST_ID } from '../base/id-time.ts';
import { type LeadId, type Uuid, uuidOf } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { PublicStatus } from './settle-leads.ts';
import { findByExternalId, findById, findOneByExternalId, walkAll, walkRefused, walkTests } from './submission.sql.ts';
import type { ListedSubmission } from './stored-submission.ts';

/** As the supplier's totals have them, or one of the public statuses, or tests, which stand in none of these. */
export type SubmissionKind = 'pending' | 'routed' | 'rejected' | 'duplicate' | 'no_buyer' | 'invalid' | 'test';
export type SubmissionQuery = {
  /** Null is any, tests among them. */
  readonly kind: SubmissionKind | null;
  /** One of the words of `reason`; null is any. */
  readonly reason: string | null;
  /** Those that came before this one; null is from the newest on. */
  readonly before: Uuid | null;
  readonly limit: number;
};

export type SubmissionPage = {
  readonly submissions: readonly ListedSubmission[];
  /** Where the next page begins (`before`); null where there is none. */
  readonly next: LeadId | null;
  /** When the last submission came that was looked at, if the page is not full and there are older ones; else null. */
  readonly lookedUntil: Date | null;
};

const STATUSES: Readonly<Record<Exclude<SubmissionKind, 'test'>, readonly PublicStatus[]>> = {
  pending: ['Pending'],
  routed: ['Lead Sale', 'Calendar Assigned'],
  rejected: ['Duplicate', 'No Buyer', 'Invalid'],
  duplicate: ['Duplicate'],
  no_buyer: ['No Buyer'],
  invalid: ['Invalid'],
};

/** At most so many are looked at for one page: some tens of milliseconds. */
const WALK = 5000;

export async function listSubmissions(tx: Tx, supplierKey: string, query: SubmissionQuery): Promise<SubmissionPage> {
  const { kind, reason, before, limit } = query;
  const statuses = kind === null || kind === 'test' ? null : STATUSES[kind];
  const isFiltered = statuses !== null || reason !== null;
  const lookedAtMost = isFiltered ? WALK : limit;
  const walk = kind === 'test' ? walkTests : kind === 'invalid' ? walkRefused : walkAll;
  const beforeId = before ?? LAST_ID;
  const rows = await tx.query(walk, { supplierKey, beforeId, lookedAtMost, limit, statuses, reason });
  const submissions = rows.flatMap((row) => (row.isFound ? [listed(row)] : []));
  const [first] = rows;
  const last = submissions.at(-1);
  if (submissions.length === limit && last !== undefined) {
    return { submissions, next: last.leadId, lookedUntil: null };
  }
  if (first === undefined || first.walked < lookedAtMost) return { submissions, next: null, lookedUntil: null };
  return { submissions, next: first.lastId, lookedUntil: first.lastAt };
}

/** A `lead_…` id, or the supplier's own id letter by letter. At most `limit`. */
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
 * The one lead that an id means: a `lead_…` id of the supplier's own first, else its own external id, which may look like one. Null where
 * the supplier has no such lead.
 */
export async function findSubmission(tx: Tx, supplierKey: string, id: string): Promise<ListedSubmission | null> {
  const leadId = uuidOf('lead', id);
  const [byId] = leadId === null ? [] : await tx.query(findById, { supplierKey, leadId });
  if (byId !== undefined) return byId;
  // As ingest reads it: without blanks around it, and never with what the database would refuse.
  const externalId = id.trim();
  if (externalId.includes('\0') || !externalId.isWellFormed()) return null;
  const [byExternalId] = await tx.query(findOneByExternalId, { supplierKey, externalId });
  return byExternalId ?? null;
}

function listed({ leadId, externalId, isTest, publicStatus, reason, score, receivedAt }: ListedSubmission) {
  return { leadId, externalId, isTest, publicStatus, reason, score, receivedAt };
}

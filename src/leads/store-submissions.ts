// Stores submissions with their routing jobs and counts in one statement, and detects repeats and conflicts (contract 3.4, 3.6).
import type { LeadId } from '../base/ids.ts';
import { confirmStored } from '../platform/database/confirm-stored.ts';
import type { StoredBody } from './refused-body.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import {
  boolArray,
  byteaArray,
  int2Array,
  int8Array,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../platform/database/binary-array.ts';
import { insertSubmission, insertSubmissions } from './insert-submissions.sql.ts';
import { selectByExternalIds } from './lead.sql.ts';
import { SCORE_TENS } from './score-tens.ts';

/** A validated submission as it is stored; `score` is null for a rejected one, with its `reason`. */
export type Submission = StoredBody & {
  readonly leadId: LeadId;
  readonly supplierKey: string;
  readonly externalId: string | null;
  readonly isTest: boolean;
  readonly receivedAt: Date;
  readonly score: number | null;
  /** JSON. */
  readonly scoreFactors: string | null;
  /** 32 bytes as 32 characters. */
  readonly contentHash: string | null;
  /** JSON of LeadFields; null for a rejected submission, which stores the beginning of its raw body instead. */
  readonly fields: string | null;
  /** JSON of ConsentProof; null for a rejected submission. */
  readonly consent: string | null;
  readonly reason: string | null;
};

export type StoreResult =
  | { readonly kind: 'stored' }
  | { readonly kind: 'repeated'; readonly leadId: LeadId; readonly score: number }
  | { readonly kind: 'conflict' };

/** One result per submission, in order. Safe for concurrent callers: the external id is a unique key. */
export async function storeSubmissions(tx: Tx, submissions: readonly Submission[]): Promise<StoreResult[]> {
  const [first] = submissions;
  const stored =
    submissions.length === 1 && first !== undefined && first.score !== null
      ? await storeOne(tx, first, first.score)
      : await storeAll(tx, submissions);
  if (stored === submissions.length) return submissions.map(() => ({ kind: 'stored' }));
  return compareWithStored(tx, submissions);
}

/** Returns the number of stored leads: 0 if there is one with its external id. */
async function storeOne(tx: Tx, submission: Submission, score: number): Promise<number> {
  const {
    leadId,
    supplierKey,
    externalId,
    isTest,
    scoreFactors,
    receivedAt,
    fields,
    rawBody,
    consent: proof,
  } = submission;
  const [row] = await tx.query(insertSubmission, {
    ...{ leadId, supplierKey, externalId, isTest, score, scoreFactors, receivedAt, fields, rawBody, proof },
    contentHash: Buffer.from(submission.contentHash ?? '', 'latin1'),
    tens: SCORE_TENS.map((ten) => (ten === SCORE_TENS.findLast((lower) => lower <= score) ? 1 : 0)),
  });
  return row?.stored ?? 0;
}

async function storeAll(tx: Tx, submissions: readonly Submission[]): Promise<number> {
  const column = <Value>(pick: (submission: Submission) => Value): Value[] => submissions.map(pick);
  const [row] = await tx.query(insertSubmissions, {
    // Long values first: the driver's buffer then grows once or twice instead of six times.
    fields: textArray(column((submission) => submission.fields)),
    rawBodies: textArray(column((submission) => submission.rawBody)),
    scoreFactors: textArray(column((submission) => submission.scoreFactors)),
    leadIds: uuidArray(column((submission) => submission.leadId)),
    supplierKeys: textArray(column((submission) => submission.supplierKey)),
    externalIds: textArray(column((submission) => submission.externalId)),
    isTests: boolArray(column((submission) => submission.isTest)),
    reasons: textArray(column((submission) => submission.reason)),
    scores: int2Array(column((submission) => submission.score)),
    receivedTimes: timestamptzArray(column((submission) => submission.receivedAt)),
    contentHashes: byteaArray(column((submission) => submission.contentHash)),
    proofs: textArray(column((submission) => submission.consent)),
    rawBodyBytes: int8Array(column((submission) => submission.rawBodyBytes)),
  });
  return row?.stored ?? 0;
}

async function compareWithStored(tx: Tx, submissions: readonly Submission[]): Promise<StoreResult[]> {
  const named = submissions.filter((submission) => submission.externalId !== null && submission.score !== null);
  const matches = await tx.query(selectByExternalIds, {
    supplierKeys: named.map((submission) => submission.supplierKey),
    isTests: named.map((submission) => submission.isTest),
    externalIds: named.map((submission) => submission.externalId),
  });
  // A repeat acknowledges what another transaction has stored, and must be as durable as a first response.
  if (matches.length > 0) await confirmStored(tx);
  const byKey = new Map(matches.map((lead) => [naturalKey(lead.supplierKey, lead.isTest, lead.externalId), lead]));
  return submissions.map((submission) => {
    if (submission.externalId === null || submission.score === null) return { kind: 'stored' };
    const lead = byKey.get(naturalKey(submission.supplierKey, submission.isTest, submission.externalId));
    if (lead === undefined || lead.leadId === submission.leadId) return { kind: 'stored' };
    return lead.contentHash.toString('latin1') === submission.contentHash
      ? { kind: 'repeated', leadId: lead.leadId, score: lead.score }
      : { kind: 'conflict' };
  });
}

function naturalKey(supplierKey: string, isTest: boolean, externalId: string): string {
  // A supplier key contains no space, so the key is unambiguous.
  return `${supplierKey} ${isTest ? 'test' : 'live'} ${externalId}`;
}

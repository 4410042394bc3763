// Attaches files to open claims as evidence, lists them and reads their content (contract 6.10).
import { hash } from 'node:crypto';

import { appendAudit } from '../audit/append-audit.ts';
import type { AuditAuthor } from '../audit/audit-event.ts';
import { type ClaimId, type FileId, newUuid } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { ClaimKind } from '../buyers/claim-status.ts';
import { readLead } from '../leads/read-lead.ts';
import type { Tx } from '../platform/database/database.ts';
import { type ClaimFile, cleanFileName, FILES_PER_CLAIM, fileTypeOf } from './claim-file.rules.ts';
import { findClaimFile, insertClaimFile, listClaimFiles, readClaimFileSql } from './claim-file.sql.ts';
import { claimIdOf } from './claim-view.rules.ts';
import { lockClaim } from './stored-claims.ts';

export type NewFile = {
  readonly kind: ClaimKind;
  readonly claimId: ClaimId;
  /** As the sender names it. */
  readonly name: string;
  readonly content: Buffer;
} & AuditAuthor;

export type FileRefusal = 'not_found' | 'claim_closed' | 'file_type_unknown' | 'too_many_files';

/** A content that the claim has already is not stored again; its file is then returned. */
export async function addClaimFile(
  tx: Tx,
  buyerKey: string,
  { kind, claimId, name, content, actor, origin }: NewFile,
  now: Date,
): Promise<Outcome<ClaimFile, FileRefusal>> {
  // Erasure locks the delivery as well, so no file comes after it.
  const claim = await lockClaim(tx, buyerKey, claimId);
  if (claim === null || claim.kind !== kind) return refuse('not_found');
  const isOpen = claim.status === 'submitted' || claim.status === 'under_review';
  if (!isOpen || (await readLead(tx, claim.leadId))?.erasedAt !== null) return refuse('claim_closed');
  const type = fileTypeOf(content);
  if (type === null) return refuse('file_type_unknown');
  const sha256 = hash('sha256', content, 'buffer');
  const [known] = await tx.query(findClaimFile, { buyerKey, claimId, sha256 });
  if (known !== undefined) return done(known);
  const files = await tx.query(listClaimFiles, { buyerKey, claimId });
  if (files.length >= FILES_PER_CLAIM) return refuse('too_many_files');
  const [added] = await tx.query(insertClaimFile, {
    ...{ fileId: newUuid(), claimId, buyerKey, deliveryId: claim.deliveryId, number: files.length + 1 },
    ...{ name: cleanFileName(name, type), type, sizeBytes: content.length, sha256, content, now },
  });
  if (added === undefined) throw new Error('another file was added to a locked claim');
  // Without the name, which may be about the person: the audit log outlives erasure.
  await appendAudit(tx, [
    {
      ...{ at: now, actor, buyerKey, supplierKey: null, action: `${kind}.file_added`, target: claimIdOf(claim) },
      changes: { type: { from: null, to: type }, bytes: { from: null, to: content.length } },
      ...origin,
    },
  ]);
  return done(added);
}

export type OneFile = { readonly claimId: ClaimId; readonly fileId: FileId };

/** In the order in which they were added; empty where the partner has no such claim. */
export function readClaimFiles(tx: Tx, buyerKey: string, claimId: ClaimId): Promise<ClaimFile[]> {
  return tx.query(listClaimFiles, { buyerKey, claimId });
}

/** Null where the partner's claim has no such file. */
export async function readClaimFile(
  tx: Tx,
  buyerKey: string,
  { claimId, fileId }: OneFile,
): Promise<{ readonly name: string; readonly content: Buffer } | null> {
  const [file] = await tx.query(readClaimFileSql, { buyerKey, claimId, fileId });
  return file ?? null;
}

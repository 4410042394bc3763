// SQL on the files of claims.
import type { ClaimId, DeliveryId, FileId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import type { ClaimFile } from './claim-file.rules.ts';

const FILE = `file_id AS "fileId", name, type, size_bytes AS "sizeBytes", added_at AS "addedAt"`;

/** Inserts nothing if the claim has a file with this content, or one with this number. The claim must be locked. */
export const insertClaimFile = statement<
  {
    readonly fileId: FileId;
    readonly claimId: ClaimId;
    readonly buyerKey: string;
    readonly deliveryId: DeliveryId;
    readonly number: number;
    readonly name: string;
    readonly type: string;
    readonly sizeBytes: number;
    readonly sha256: Buffer;
    readonly content: Buffer;
    readonly now: Date;
  },
  ClaimFile
>(
  'claim_files.insert',
  `INSERT INTO claim_file (file_id, claim_id, buyer_key, delivery_id, number, name, type, size_bytes, sha256, content, added_at)
   VALUES ($fileId, $claimId, $buyerKey, $deliveryId, $number, $name, $type, $sizeBytes, $sha256, $content, $now)
   ON CONFLICT DO NOTHING RETURNING ${FILE}`,
);

type OfClaim = { readonly buyerKey: string; readonly claimId: ClaimId };

export const listClaimFiles = statement<OfClaim, ClaimFile>(
  'claim_files.list',
  `SELECT ${FILE} FROM claim_file WHERE claim_id = $claimId AND buyer_key = $buyerKey ORDER BY number`,
);

export const findClaimFile = statement<OfClaim & { readonly sha256: Buffer }, ClaimFile>(
  'claim_files.find',
  `SELECT ${FILE} FROM claim_file WHERE claim_id = $claimId AND buyer_key = $buyerKey AND sha256 = $sha256`,
);

export const readClaimFileSql = statement<OfClaim & { readonly fileId: FileId }, { name: string; content: Buffer }>(
  'claim_files.read',
  `SELECT name, content FROM claim_file WHERE claim_id = $claimId AND buyer_key = $buyerKey AND file_id = $fileId`,
);

export const deleteClaimFilesSql = statement<{ readonly deliveryIds: readonly DeliveryId[] }>(
  'claim_files.delete',
  'DELETE FROM claim_file WHERE delivery_id = ANY($deliveryIds::uuid[])',
);

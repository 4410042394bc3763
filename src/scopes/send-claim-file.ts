// The wire form of files of claims: the list, and a download that no browser opens in place.
import type { FastifyReply } from 'fastify';

import { typeId } from '../base/ids.ts';
import { attachmentHeader, type ClaimFile } from '../claims/claim-file.rules.ts';
import type { ClaimFiles } from '../claims/claim-file.schema.ts';

export function claimFilesView(files: readonly ClaimFile[]): ClaimFiles {
  return {
    data: files.map(({ fileId, name, type, sizeBytes, addedAt }) => ({
      ...{ id: typeId('file', fileId), name, type, bytes: sizeBytes, addedAt: addedAt.toISOString() },
    })),
  };
}

export function sendClaimFile(
  reply: FastifyReply,
  { name, content }: { readonly name: string; readonly content: Buffer },
): FastifyReply {
  return reply
    .header('content-type', 'application/octet-stream')
    .header('content-disposition', attachmentHeader(name))
    .header('content-security-policy', "sandbox; default-src 'none'")
    .send(content);
}

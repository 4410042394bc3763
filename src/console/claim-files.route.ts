// GET /console/api/claims/:id/files and …/files/:fileId: the files that a partner attached to a claim (contract 6.10).
import { Type } from 'typebox';

import { appendAudit } from '../audit/append-audit.ts';
import { requestAuthor } from '../audit/request-author.ts';
import { typeId, uuidOf } from '../base/ids.ts';
import type { Claim } from '../claims/claim.ts';
import { ClaimFilesSchema } from '../claims/claim-file.schema.ts';
import { readClaimFile, readClaimFiles } from '../claims/claim-files.ts';
import { claimIdOf } from '../claims/claim-view.rules.ts';
import { claimFilesView, sendClaimFile } from '../scopes/send-claim-file.ts';
import { showClaim } from '../claims/stored-claims.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { ClaimParams } from './claims.schema.ts';

const FileParams = Type.Object({ id: Type.String(), fileId: Type.String() });

export function registerConsoleClaimFiles(
  scope: App,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): void {
  scope.get(
    '/api/claims/:id/files',
    {
      // The name of a file may be about the person.
      config: { permission: 'read', personMembers: ['name'] },
      schema: { params: ClaimParams, response: { 200: ClaimFilesSchema } },
    },
    async (request, reply) => {
      const files = await database.tx(
        async (tx) => {
          const claim = await claimOf(tx, request.params.id);
          return claim === null ? null : readClaimFiles(tx, claim.buyerKey, claim.claimId);
        },
        { snapshot: true },
      );
      return files === null ? sendProblem(request, reply, NOT_FOUND) : reply.send(claimFilesView(files));
    },
  );
  scope.get(
    '/api/claims/:id/files/:fileId',
    // What is in a file cannot be masked.
    { config: { permission: 'persons' }, schema: { params: FileParams } },
    async (request, reply) => {
      const { id, fileId: text } = request.params;
      const fileId = uuidOf('file', text);
      const { actor, origin } = requestAuthor(request);
      const file = await database.tx(async (tx) => {
        const claim = fileId === null ? null : await claimOf(tx, id);
        if (claim === null || fileId === null) return null;
        const found = await readClaimFile(tx, claim.buyerKey, { claimId: claim.claimId, fileId });
        if (found === null) return null;
        // As every other view of a contact.
        const event = { at: clock.now(), actor, buyerKey: null, supplierKey: null, action: 'person.viewed', ...origin };
        const changes = { claim: { from: null, to: id }, file: { from: null, to: text } };
        await appendAudit(tx, [{ ...event, target: typeId('lead', claim.leadId), changes }]);
        return found;
      });
      return file === null ? sendProblem(request, reply, NOT_FOUND) : sendClaimFile(reply, file);
    },
  );
}

/** The id's prefix must match the kind of the claim, not only its digits. */
async function claimOf(tx: Tx, id: string): Promise<Claim | null> {
  const claimId = uuidOf('return', id) ?? uuidOf('dispute', id);
  const shown = claimId === null ? null : await showClaim(tx, claimId);
  return shown !== null && claimIdOf(shown.claim) === id ? shown.claim : null;
}

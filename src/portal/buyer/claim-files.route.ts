// GET and POST /portal/api/buyer/claims/:claimId/files, and GET …/files/:fileId: the files of a partner's return or dispute.
import { Type } from 'typebox';

import { buyerAuthor } from '../../audit/request-author.ts';
import { uuidOf } from '../../base/ids.ts';
import { ClaimFileQuerySchema, ClaimFilesSchema } from '../../claims/claim-file.schema.ts';
import { FILE_BYTES_MAX, FILES_PER_CLAIM } from '../../claims/claim-file.rules.ts';
import { addClaimFile, type FileRefusal, readClaimFile, readClaimFiles } from '../../claims/claim-files.ts';
import { claimFilesView, sendClaimFile } from '../../scopes/send-claim-file.ts';
import { readClaim } from '../../claims/stored-claims.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { TEXTS_AS_SENT } from '../../platform/http/keywords.schema.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { NOT_FOUND, type Refusal } from '../../platform/http/request-fault.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { parseClaimId } from './claims.route.ts';

export type PortalClaimFilesDependencies = { readonly database: Database; readonly clock: Clock };

const ClaimParams = Type.Object({ claimId: Type.String() });
const FileParams = Type.Object({ claimId: Type.String(), fileId: Type.String() });

export function registerPortalClaimFiles(scope: App, dependencies: PortalClaimFilesDependencies): void {
  registerReads(scope, dependencies);
  void scope.register((inner, _options, done) => {
    const routes = inner as App;
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    registerUpload(routes, dependencies);
    done();
  });
}

function registerReads(scope: App, { database }: PortalClaimFilesDependencies): void {
  scope.get(
    '/api/buyer/claims/:claimId/files',
    { schema: { params: ClaimParams, response: { 200: ClaimFilesSchema } } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const key = parseClaimId(request.params.claimId);
      if (key === null || (await readClaim(database, ownerKey, key)) === null)
        return sendProblem(request, reply, NOT_FOUND);
      return reply.send(claimFilesView(await readClaimFiles(database, ownerKey, key.claimId)));
    },
  );
  scope.get('/api/buyer/claims/:claimId/files/:fileId', { schema: { params: FileParams } }, async (request, reply) => {
    const key = parseClaimId(request.params.claimId);
    const fileId = uuidOf('file', request.params.fileId);
    if (key === null || fileId === null) return sendProblem(request, reply, NOT_FOUND);
    const found = { claimId: key.claimId, fileId };
    const file = await readClaimFile(database, principalOf(request).ownerKey, found);
    return file === null ? sendProblem(request, reply, NOT_FOUND) : sendClaimFile(reply, file);
  });
}

/** The name is a parameter, and the body is the file. */
function registerUpload(scope: App, { database, clock }: PortalClaimFilesDependencies): void {
  scope.post(
    '/api/buyer/claims/:claimId/files',
    {
      config: { binaryBody: true },
      bodyLimit: FILE_BYTES_MAX,
      schema: {
        params: ClaimParams,
        querystring: ClaimFileQuerySchema,
        body: Type.Unsafe<Buffer>({ [TEXTS_AS_SENT]: true }),
        response: { 200: ClaimFilesSchema },
      },
    },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey } = principalOf(request);
      const key = parseClaimId(request.params.claimId);
      if (key === null) return sendProblem(request, reply, NOT_FOUND);
      const { name = '' } = request.query;
      const file = { ...key, name, content: request.body, ...buyerAuthor(request) };
      const outcome = await database.tx(async (tx) => {
        const added = await addClaimFile(tx, ownerKey, file, now);
        return added.ok ? { ok: true as const, files: await readClaimFiles(tx, ownerKey, key.claimId) } : added;
      });
      return outcome.ok
        ? reply.send(claimFilesView(outcome.files))
        : sendProblem(request, reply, refusalOf(outcome.code));
    },
  );
}

function refusalOf(code: FileRefusal): Refusal {
  if (code === 'not_found') return NOT_FOUND;
  if (code === 'claim_closed') return { status: 409, code };
  const message =
    code === 'too_many_files'
      ? `cannot be added: a claim has at most ${FILES_PER_CLAIM} files`
      : 'must be a PNG or JPEG image, a PDF, a WAV or MP3 recording, or plain text';
  return { status: 422, code: 'validation_failed', errors: [{ field: 'file', code, message }] };
}

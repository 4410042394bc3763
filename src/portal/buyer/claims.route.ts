// GET /portal/api/buyer/claims and /claims/:claimId: a partner's returns and disputes in one list.
import { Type } from 'typebox';

import { type ClaimId, uuidOf } from '../../base/ids.ts';
import { claimKinds, type ClaimKind } from '../../buyers/claim-status.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { findClaimsOfBuyer, readClaim } from '../../claims/stored-claims.ts';
import { portalClaim } from './claims-view.rules.ts';
import { ClaimsQuerySchema, ClaimsSchema, PortalClaimSchema } from './claims.schema.ts';

export type PortalClaimsDependencies = { readonly database: Database };

export function registerPortalClaims(scope: App, { database }: PortalClaimsDependencies): void {
  scope.get(
    '/api/buyer/claims',
    { schema: { querystring: ClaimsQuerySchema, response: { 200: ClaimsSchema } } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const { page = 1, pageSize = 25, kind = null, status = null } = request.query;
      const query = { page, pageSize, kind, status };
      const { total, claims } = await database.tx((tx) => findClaimsOfBuyer(tx, ownerKey, query), { snapshot: true });
      const totalPages = Math.ceil(total / pageSize);
      return reply.send({ page, pageSize, total, totalPages, data: claims.map(portalClaim) });
    },
  );
  scope.get(
    '/api/buyer/claims/:claimId',
    { schema: { params: Type.Object({ claimId: Type.String() }), response: { 200: PortalClaimSchema } } },
    async (request, reply) => {
      const key = parseClaimId(request.params.claimId);
      const claim = key === null ? null : await readClaim(database, principalOf(request).ownerKey, key);
      if (claim === null) return sendProblem(request, reply, { status: 404, code: 'not_found' });
      return reply.send(portalClaim(claim));
    },
  );
}

/** Null for any other text, which is then treated like an unknown id. */
export function parseClaimId(id: string): { readonly kind: ClaimKind; readonly claimId: ClaimId } | null {
  for (const kind of claimKinds) {
    const claimId = uuidOf(kind, id);
    if (claimId !== null) return { kind, claimId };
  }
  return null;
}

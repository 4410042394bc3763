// GET /portal/api/buyer/claims and /claims/:claimId: a partner's returns and disputes in one list.
import { Type } from 'typebox';

import { type ClaimId, uuidOf } from '../../base/ids.ts';
import { claimKinds, type ClaimKind } from '../../buyers/claim-status.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { ListSumsSchema } from '../../platform/http/list-sums.schema.ts';
import { LIST_SUMS_MAX, listSums } from '../../platform/http/list-sums.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { claimTimeline } from '../../claims/claim-timeline.rules.ts';
import { labelTokens, readClaimHistory } from '../../claims/read-claim-history.ts';
import { findClaimsOfBuyer, readClaim, sumClaimsOfBuyer } from '../../claims/stored-claims.ts';
import { portalClaim } from './claims-view.rules.ts';
import { ClaimDetailSchema, ClaimFiltersSchema, ClaimsQuerySchema, ClaimsSchema } from './claims.schema.ts';

export type PortalClaimsDependencies = {
  readonly database: Database;
  /** Without row-level security, for the labels of the partner's own tokens. */
  readonly labels: Database;
  readonly currency: () => string;
};

export function registerPortalClaims(scope: App, { database, labels, currency }: PortalClaimsDependencies): void {
  scope.get(
    '/api/buyer/claims',
    { schema: { querystring: ClaimsQuerySchema, response: { 200: ClaimsSchema } } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const { page = 1, pageSize = 25, kind = null, status = null, sort } = request.query;
      const query = { page, pageSize, kind, status, isOldestFirst: sort === 'filed' };
      const { total, claims } = await database.tx((tx) => findClaimsOfBuyer(tx, ownerKey, query), { snapshot: true });
      const totalPages = Math.ceil(total / pageSize);
      return reply.send({ page, pageSize, total, totalPages, data: claims.map(portalClaim) });
    },
  );
  // What the list shows under the same filters, on all of its pages.
  scope.get(
    '/api/buyer/claims/sums',
    { schema: { querystring: ClaimFiltersSchema, response: { 200: ListSumsSchema } } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const { kind = null, status = null } = request.query;
      const query = { kind, status, limit: LIST_SUMS_MAX + 1 };
      const { rows, cents } = await database.tx((tx) => sumClaimsOfBuyer(tx, ownerKey, query));
      return reply.send(listSums({ rows, cents: { credited: cents }, currency: currency() }));
    },
  );
  scope.get(
    '/api/buyer/claims/:claimId',
    { schema: { params: Type.Object({ claimId: Type.String() }), response: { 200: ClaimDetailSchema } } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const key = parseClaimId(request.params.claimId);
      const found = await database.tx(
        async (tx) => {
          const claim = key === null ? null : await readClaim(tx, ownerKey, key);
          return claim === null ? null : readClaimHistory(tx, claim);
        },
        { snapshot: true },
      );
      if (found === null) return sendProblem(request, reply, { status: 404, code: 'not_found' });
      // A single statement needs no explicit transaction.
      const history = await labelTokens(labels, found);
      return reply.send({ ...portalClaim(history.claim), timeline: claimTimeline(history, 'partner') });
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

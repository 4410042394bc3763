// The exclusion lists of a partner in its portal: people whom it has already, and whose leads it does not want to buy (contract 15.5).
import type { FastifyRequest } from 'fastify';

import type { AuditAuthor } from '../../audit/audit-event.ts';
import { partnerAuthor } from '../../audit/request-author.ts';
import { createList } from '../../lists/save-lists.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { problemResponse, respondIdempotently } from '../../platform/http/idempotency.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { readOffersOfBuyer } from '../../routing/stored-offers.ts';
import type { ListParts } from '../../scopes/list-parts.ts';
import { createdResponse, createRefusal, registerListRoutes } from '../../scopes/lists.route.ts';
import { ListSchema, NewOwnListBody } from '../../scopes/lists.schema.ts';

export type PortalListsDependencies = {
  readonly database: Database;
  readonly reads: Database;
  readonly clock: Clock;
  readonly parts: ListParts;
};

const PATH = '/api/buyer/lists';

export function registerPortalLists(scope: App, dependencies: PortalListsDependencies): void {
  const { database, clock } = dependencies;
  scope.post(
    PATH,
    { attachValidation: true, schema: { body: NewOwnListBody, response: { 201: ListSchema } } },
    async (request, reply) => {
      const now = clock.now();
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const { key, name, kind, offers = [] } = request.body;
          const buyerKey = principalOf(request).ownerKey;
          const own = await readOffersOfBuyer(tx, buyerKey);
          const known = {
            partners: new Set([buyerKey]),
            offers: new Map(own.map(({ offerKey }) => [offerKey, buyerKey])),
          };
          const partners = offers.length === 0 ? [buyerKey] : [];
          const definition = { key, name, kind, use: 'exclude', buyerKey, partners, offers } as const;
          const created = await createList(tx, { definition, known, author: authorOf(request) }, now);
          return created.ok
            ? createdResponse(created.value)
            : problemResponse(request, reply, createRefusal(created.code, created.detail));
        },
      });
    },
  );
  registerListRoutes(scope, {
    ...{ ...dependencies, path: PATH, authorOf },
    ownerOf: (request) => ({ buyerKey: principalOf(request).ownerKey }),
  });
}

function authorOf(request: FastifyRequest): AuditAuthor {
  return partnerAuthor(request, 'buyer');
}

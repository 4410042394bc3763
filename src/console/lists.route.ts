// The lists of the operator and of all partners, in the console and in the operator's API (contract 15.1).
import { requestAuthor } from '../audit/request-author.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { createList } from '../lists/save-lists.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { problemResponse, respondIdempotently } from '../platform/http/idempotency.ts';
import { readOffers } from '../routing/stored-offers.ts';
import { notAllowed } from '../scopes/list-exchange.ts';
import { createdResponse, createRefusal, registerListRoutes } from '../scopes/lists.route.ts';
import { ListSchema, NewListBody } from '../scopes/lists.schema.ts';

export type ConsoleListsDependencies = {
  readonly database: Database;
  /** For lists. */
  readonly reads: Database;
  readonly clock: Clock;
};

const PATH = '/api/lists';

export function registerConsoleLists(scope: App, dependencies: ConsoleListsDependencies): void {
  const { database, clock } = dependencies;
  scope.post(
    PATH,
    {
      config: { permission: 'configure' },
      attachValidation: true,
      schema: { body: NewListBody, response: { 201: ListSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const { partner: buyerKey = null, partners = [], offers = [], ...rest } = request.body;
          const buyers = await readBuyers(tx);
          if (buyerKey !== null && !buyers.has(buyerKey)) {
            return problemResponse(request, reply, notAllowed('partner', `There is no partner "${buyerKey}".`));
          }
          // A partner's list is for that partner unless it names offers.
          const named = buyerKey !== null && partners.length + offers.length === 0 ? [buyerKey] : partners;
          const owners = new Map((await readOffers(tx)).map((offer) => [offer.offerKey, offer.buyerKey]));
          const known = { partners: new Set(buyers.keys()), offers: owners };
          const definition = { ...rest, buyerKey, partners: named, offers };
          const created = await createList(tx, { definition, known, author: requestAuthor(request) }, now);
          return created.ok
            ? createdResponse(created.value)
            : problemResponse(request, reply, createRefusal(created.code, created.detail));
        },
      });
    },
  );
  registerListRoutes(scope, {
    ...{ ...dependencies, path: PATH, ownerOf: () => 'all', authorOf: requestAuthor },
    configs: { read: { permission: 'read' }, change: { permission: 'configure' }, check: { permission: 'persons' } },
  });
}

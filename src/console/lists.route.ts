// The lists of the operator and of all partners, in the console and in the operator's API (contract 15.1).
import { requestAuthor } from '../audit/request-author.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { type KnownKeys, targetsOf } from '../lists/list-definition.rules.ts';
import { changeList, createList } from '../lists/save-lists.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { jsonResponse, problemResponse, respondIdempotently } from '../platform/http/idempotency.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { readOffers } from '../routing/stored-offers.ts';
import { listForm } from '../lists/list-view.rules.ts';
import { type ListRoutes, notAllowed, onList } from '../scopes/list-exchange.ts';
import type { ListParts } from '../scopes/list-parts.ts';
import { createdResponse, createRefusal, registerListRoutes } from '../scopes/lists.route.ts';
import { ChangeListBody, ListParams, ListSchema, NewListBody } from '../scopes/lists.schema.ts';

export type ConsoleListsDependencies = {
  readonly database: Database;
  /** For lists. */
  readonly reads: Database;
  readonly clock: Clock;
  readonly parts: ListParts;
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
          const known = await readKnownKeys(tx);
          if (buyerKey !== null && !known.partners.has(buyerKey)) {
            return problemResponse(request, reply, notAllowed('partner', `There is no partner "${buyerKey}".`));
          }
          const definition = { ...rest, buyerKey, ...targetsOf({ buyerKey, partners, offers }) };
          const created = await createList(tx, { definition, known, author: requestAuthor(request) }, now);
          return created.ok
            ? createdResponse(created.value)
            : problemResponse(request, reply, createRefusal(created.code, created.detail));
        },
      });
    },
  );
  const routes: ListRoutes = {
    ...{ ...dependencies, path: PATH, ownerOf: () => 'all', authorOf: requestAuthor },
    configs: { read: { permission: 'read' }, change: { permission: 'configure' }, check: { permission: 'persons' } },
  };
  registerChange(scope, routes);
  registerListRoutes(scope, routes);
}

function registerChange(scope: App, routes: ListRoutes): void {
  scope.post(
    `${PATH}/:listId/change`,
    {
      config: { permission: 'configure' },
      attachValidation: true,
      schema: { params: ListParams, body: ChangeListBody, response: { 200: ListSchema } },
    },
    async (request, reply) =>
      onList(routes, { request, reply }, async (tx, list) => {
        const command = { list, change: request.body, known: await readKnownKeys(tx), author: requestAuthor(request) };
        const changed = await changeList(tx, command, routes.clock.now());
        if (changed.ok) return jsonResponse(200, listForm(changed.value));
        const { code, detail } = changed;
        return problemResponse(request, reply, code === 'list_removed' ? NOT_FOUND : createRefusal(code, detail));
      }),
  );
}

async function readKnownKeys(tx: Tx): Promise<KnownKeys> {
  const partners = new Set((await readBuyers(tx)).keys());
  return { partners, offers: new Map((await readOffers(tx)).map(({ offerKey, buyerKey }) => [offerKey, buyerKey])) };
}

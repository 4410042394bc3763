// GET /api/v1/buyer/leads and /buyer/leads/:deliveryId: the partner's own deliveries, by page or by id (contract 6.2).
import { Type } from 'typebox';

import { uuidOf } from '../base/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { pageLinks } from '../platform/http/page-links.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { principalOf } from '../platform/http/scope.ts';
import { bookingExample, saleExample, DeliveryParams, DeliverySchema } from './delivery.schema.ts';
import { deliveryFilterSchema } from './delivery-filter.schema.ts';
import { readDeliveryFilter } from './delivery-filter.ts';
import { type ClaimBuyer, type ClaimStatusesOf, viewDeliveries, viewDelivery } from './view-deliveries.ts';
import { listDeliveries } from './list-deliveries.ts';

export type BuyerLeadsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => ClaimBuyer;
  readonly claimStatusesOf: ClaimStatusesOf;
};

const QuerySchema = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'A page past the end is empty.' })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Deliveries per page.' })),
  ...deliveryFilterSchema,
});

const PageSchema = Type.Object(
  {
    page: Type.Integer({ minimum: 1 }),
    pageSize: Type.Integer({ minimum: 1, maximum: 100 }),
    total: Type.Integer({ minimum: 0, description: 'The exact number of matching deliveries.' }),
    totalPages: Type.Integer({ minimum: 0 }),
    data: Type.Array(Type.Ref('Delivery')),
  },
  {
    $id: 'DeliveryPage',
    description: 'Deliveries, newest first by deliveredAt, then by deliveryId.',
    examples: [{ page: 1, pageSize: 25, total: 2, totalPages: 1, data: [saleExample, bookingExample] }],
  },
);

export function registerBuyerLeads(scope: App, dependencies: BuyerLeadsDependencies): void {
  scope.addSchema({ ...DeliverySchema, examples: [saleExample, bookingExample] });
  scope.addSchema(PageSchema);
  registerList(scope, dependencies);
  registerOne(scope, dependencies);
}

function registerList(scope: App, { database, clock, buyerOf, claimStatusesOf }: BuyerLeadsDependencies): void {
  scope.get(
    '/api/v1/buyer/leads',
    {
      config: { responseHeaders: ['Link'] },
      attachValidation: true,
      schema: {
        operationId: 'listBuyerLeads',
        summary: 'List your delivered leads',
        description:
          'The leads delivered to you, from the moment each was routed. `Link` leads to the first, previous, next and last page.',
        tags: ['Buyer'],
        querystring: QuerySchema,
        response: {
          200: Type.Ref('DeliveryPage'),
          ...documentedProblems('partner_suspended'),
        },
      },
      // The view has exactly the members of the schema already.
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey } = principalOf(request);
      const { filter } = readDeliveryFilter(request.query, { invalid: request.validationError });
      const { page = 1, pageSize = 25 } = request.query;
      const query = { page, pageSize, ...filter };
      const { total, data } = await database.tx(
        async (tx) => {
          const { total: all, rows } = await listDeliveries(tx, ownerKey, query);
          return { total: all, data: await viewDeliveries(tx, buyerOf(ownerKey), { rows, claimStatusesOf }, now) };
        },
        { snapshot: true },
      );
      const totalPages = Math.ceil(total / pageSize);
      reply.header('link', pageLinks(request.url, { page, totalPages }));
      return reply.send({ page, pageSize, total, totalPages, data });
    },
  );
}

function registerOne(scope: App, { database, clock, buyerOf, claimStatusesOf }: BuyerLeadsDependencies): void {
  scope.get(
    '/api/v1/buyer/leads/:deliveryId',
    {
      schema: {
        operationId: 'getBuyerLead',
        summary: 'Read a delivered lead',
        description: 'The current state of one delivery, with the same members as in the list.',
        tags: ['Buyer'],
        params: DeliveryParams,
        response: { 200: Type.Ref('Delivery'), ...documentedProblems('partner_suspended', 'delivery_not_found') },
      },
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const now = clock.now();
      const buyer = buyerOf(principalOf(request).ownerKey);
      const deliveryId = uuidOf('delivery', request.params.deliveryId);
      const viewed =
        deliveryId === null
          ? null
          : await database.tx((tx) => viewDelivery(tx, buyer, { deliveryId, claimStatusesOf }, now), {
              snapshot: true,
            });
      if (viewed === null) return sendProblem(request, reply, { status: 404, code: 'delivery_not_found' });
      return reply.send(viewed.delivery);
    },
  );
}

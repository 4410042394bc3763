// The console's failed deliveries: the list, and sending one or several again (contract 7.7).
import { requestAuthor } from '../audit/request-author.ts';
import { uuidOf } from '../base/ids.ts';
import { centsOfNumber, wireAmount } from '../base/money.ts';
import type { Clock } from '../platform/clock.ts';
import { type NamedVerticals, verticalName } from '../marketplace/vertical-name.rules.ts';
import type { Database } from '../platform/database/database.ts';
import { repeatTransient } from '../platform/database/retry-transaction.ts';
import type { App } from '../platform/http/app.ts';
import { respondIdempotently, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { ListSumsSchema } from '../platform/http/list-sums.schema.ts';
import { LIST_SUMS_MAX, listSums } from '../platform/http/list-sums.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { readCursor } from '../platform/http/validation.ts';
import { DeliveryParams } from '../deliveries/delivery.schema.ts';
import { type RedeliveryRefusal, requestRedelivery } from '../deliveries/redelivery/request-redelivery.ts';
import {
  groupFailedDeliveries,
  listFailedDeliveries,
  sumFailedDeliveries,
  RETRIED_AT_ONCE,
  retryFailedDeliveries,
} from '../deliveries/redelivery/failed-deliveries.ts';
import { type HandPriceRefusal, priceByHand } from '../routing/price-by-hand.ts';
import { reviveDeliveries } from '../routing/revive-deliveries.ts';
import {
  FailedDeliveriesQuerySchema,
  FailedDeliveriesSchema,
  FailedFiltersSchema,
  PriceBody,
  PricedSchema,
  type Queued,
  type QueuedMany,
  QueuedManySchema,
  QueuedSchema,
  RetryDeliveriesBody,
} from './failed-deliveries.schema.ts';

export type ConsoleFailedDeliveriesDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  /** Called after the commit. */
  readonly onQueued: () => void;
  readonly currency: () => string;
  readonly verticals: () => NamedVerticals;
};

const STATUS = {
  delivery_not_found: 404,
  delivery_not_redeliverable: 409,
  webhook_not_configured: 409,
  endpoint_disabled: 409,
} as const satisfies Record<RedeliveryRefusal, number>;

const PAGE = 50;

export function registerConsoleFailedDeliveries(scope: App, dependencies: ConsoleFailedDeliveriesDependencies): void {
  registerList(scope, dependencies);
  registerSums(scope, dependencies);
  registerRetry(scope, dependencies);
  registerRetryMany(scope, dependencies);
  registerPrice(scope, dependencies);
}

function registerList(scope: App, { database, currency, verticals }: ConsoleFailedDeliveriesDependencies): void {
  scope.get(
    '/api/failed-deliveries',
    {
      // The partner's words in `reason` may name the person, whose name is not in the response.
      config: { permission: 'read', personMembers: ['reason'] },
      schema: {
        querystring: FailedDeliveriesQuerySchema,
        response: { 200: FailedDeliveriesSchema },
      },
    },
    async (request, reply) => {
      const { partner = null, vertical = null, sort } = request.query;
      const after = readCursor('after', request.query.after, (id) => uuidOf('delivery', id));
      const isOldestFirst = sort === 'failed';
      const query = { buyerKey: partner, verticalKey: vertical, after, isOldestFirst, limit: PAGE };
      const [failed, groups] = await database.tx(
        async (tx) => [await listFailedDeliveries(tx, query), after === null ? await groupFailedDeliveries(tx) : []],
        { snapshot: true },
      );
      return reply.send({
        currency: currency(),
        data: failed.map((row) => ({ ...row, vertical: verticalName(row.vertical, verticals()) })),
        next: failed.length === PAGE ? (failed.at(-1)?.deliveryId ?? null) : null,
        groups: groups.map(({ buyerKey, buyerName, latestAt, ...group }) => ({
          partner: buyerKey,
          partnerName: buyerName,
          ...group,
          latestAt: latestAt.toISOString(),
        })),
      });
    },
  );
}

/** What the list shows under the same filters, on all of its pages. */
function registerSums(scope: App, { database, currency }: ConsoleFailedDeliveriesDependencies): void {
  scope.get(
    '/api/failed-deliveries/sums',
    { config: { permission: 'read' }, schema: { querystring: FailedFiltersSchema, response: { 200: ListSumsSchema } } },
    async (request, reply) => {
      const { partner: buyerKey = null, vertical: verticalKey = null } = request.query;
      const { cents, ...sums } = await database.tx((tx) =>
        sumFailedDeliveries(tx, { buyerKey, verticalKey, limit: LIST_SUMS_MAX + 1 }),
      );
      return reply.send(listSums({ ...sums, cents: { lost: cents }, currency: currency() }));
    },
  );
}

function registerRetry(scope: App, dependencies: ConsoleFailedDeliveriesDependencies): void {
  const { database, clock, onQueued } = dependencies;
  scope.post(
    '/api/deliveries/:deliveryId/retry',
    {
      config: { permission: 'operate', emptyBody: true },
      attachValidation: true,
      schema: { params: DeliveryParams, response: { 200: QueuedSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const deliveryId = uuidOf('delivery', request.params.deliveryId);
      const by = requestAuthor(request);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const refuse = (code: RedeliveryRefusal) => problemResponse(request, reply, { status: STATUS[code], code });
          if (deliveryId === null) return refuse('delivery_not_found');
          const input = { deliveryIds: [deliveryId], buyerKey: null, revive: reviveDeliveries, ...by };
          const { queued, skipped } = await requestRedelivery(tx, input, now);
          const [delivery] = queued;
          if (delivery === undefined) return refuse(skipped[0]?.reason ?? 'delivery_not_found');
          const { deliveryRef, status } = delivery;
          return jsonResponse(200, {
            deliveryId: request.params.deliveryId,
            deliveryRef,
            status,
            queued: true,
          } satisfies Queued);
        },
        onCommitted: onQueued,
      });
    },
  );
}

const PRICE_STATUS = {
  delivery_not_found: 404,
  delivery_not_unpriced: 409,
  price_out_of_bounds: 422,
} as const satisfies Record<HandPriceRefusal, number>;

/** Setting the same price again changes nothing, so that a key is not needed. */
function registerPrice(scope: App, { database, clock, onQueued }: ConsoleFailedDeliveriesDependencies): void {
  scope.post(
    '/api/deliveries/:deliveryId/price',
    {
      config: { permission: 'money' },
      schema: { params: DeliveryParams, body: PriceBody, response: { 200: PricedSchema } },
    },
    async (request, reply) => {
      const deliveryId = uuidOf('delivery', request.params.deliveryId);
      const priceCents = centsOfNumber(request.body.price);
      if (priceCents === null || priceCents <= 0) {
        const errors = [
          { field: 'price', code: 'invalid_format', message: 'must be above 0, with two decimals at most' },
        ];
        return sendProblem(request, reply, { status: 422, code: 'validation_failed', errors });
      }
      const now = clock.now();
      const by = requestAuthor(request);
      const outcome =
        deliveryId === null
          ? ({ ok: false, code: 'delivery_not_found' } as const)
          : await repeatTransient(() => database.tx((tx) => priceByHand(tx, { deliveryId, priceCents, ...by }, now)));
      if (!outcome.ok) {
        const { code } = outcome;
        const detail = 'detail' in outcome ? outcome.detail : undefined;
        return sendProblem(request, reply, {
          status: PRICE_STATUS[code],
          code,
          ...(detail === undefined ? {} : { detail }),
        });
      }
      onQueued();
      const { deliveryRef, buyerKey: partner } = outcome.value;
      return reply.send({ deliveryId: request.params.deliveryId, deliveryRef, partner, price: wireAmount(priceCents) });
    },
  );
}

function registerRetryMany(scope: App, dependencies: ConsoleFailedDeliveriesDependencies): void {
  const { database, clock, onQueued } = dependencies;
  scope.post(
    '/api/failed-deliveries/retry',
    {
      config: { permission: 'operate' },
      attachValidation: true,
      schema: {
        body: RetryDeliveriesBody,
        response: { 200: QueuedManySchema },
      },
    },
    async (request, reply) => {
      const now = clock.now();
      const by = requestAuthor(request);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const { partner, reason = null } = request.body;
          const report = await retryFailedDeliveries(
            tx,
            { buyerKey: partner, reason, revive: reviveDeliveries, ...by },
            now,
          );
          return jsonResponse(200, {
            queued: report.queued,
            skipped: [...report.skipped].map(([why, deliveries]) => ({ reason: why, deliveries })),
            isMore: report.taken === RETRIED_AT_ONCE,
          } satisfies QueuedMany);
        },
        onCommitted: onQueued,
      });
    },
  );
}

// GET /api/v1/buyer/events: the events of the partner's webhook in order, for partners that poll (contract 6.3).
import { Type } from 'typebox';

import { typeId, type Uuid } from '../../base/ids.ts';
import { done } from '../../base/outcome.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { documentedProblems } from '../../platform/http/problem-schema.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { invalidQuery } from '../../platform/http/validation.ts';
import { EVENTS_LIMIT_MAX, type BuyerEventRow } from './buyer-event.sql.ts';
import { saleExample } from '../delivery.schema.ts';
import type { ClaimBuyer } from '../view-deliveries.ts';
import { soldView } from '../delivery-view.rules.ts';
import { eventCursor, numberOfCursor } from './event-cursor.rules.ts';
import { EVENTS_KEPT_DAYS, listBuyerEvents } from './buyer-events.ts';
import { orNull } from '../../platform/http/values.schema.ts';

export type BuyerEventsDependencies = {
  readonly database: Database;
  readonly buyerOf: (buyerKey: string) => ClaimBuyer;
  readonly reviewsOf: ReviewsOf;
};

/** The data of events about claims by subject; unknown subjects are missing. */
export type ReviewsOf = (tx: Tx, buyerKey: string, subjectIds: readonly Uuid[]) => Promise<ReadonlyMap<Uuid, object>>;

const LIMIT = 100;

const QuerySchema = Type.Object({
  after: Type.Optional(
    Type.String({
      description: 'The `next` of the previous page. Without it, the page starts with the oldest stored event.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: EVENTS_LIMIT_MAX,
      default: LIMIT,
      description: 'The maximum number of events.',
    }),
  ),
});

const EventPageSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        eventId: Type.String({
          description: 'The `webhook-id` of its webhook',
          examples: ['dlv_01m7wyk0h2emp81qch4dvtyn6a'],
        }),
        type: Type.Enum(['lead.delivered', 'return.reviewed', 'dispute.reviewed'], {
          description: 'The type of the event. Ignore unknown types: more may be added',
        }),
        timestamp: Type.String({ format: 'date-time', description: 'When it happened, UTC' }),
        data: orNull(
          Type.Object(
            {},
            {
              additionalProperties: true,
              description:
                'The same data as in the webhook of this type. For lead.delivered, the Delivery as of the sale, without the contact’s data if the delivery failed or the lead was erased since. Null if it is no longer kept',
            },
          ),
        ),
      }),
      { description: 'In the order in which the events happened' },
    ),
    next: Type.String({ description: 'The value of `after` for the next request', examples: ['evc_1a3f09c7'] }),
    hasMore: Type.Boolean({ description: 'Whether there are more events now' }),
  },
  {
    $id: 'EventPage',
    description: 'A page of your feed of events.',
    examples: [
      {
        data: [
          {
            eventId: saleExample.deliveryId,
            type: 'lead.delivered',
            timestamp: saleExample.deliveredAt,
            data: saleExample,
          },
        ],
        next: 'evc_1a3f09c7',
        hasMore: false,
      },
    ],
  },
);

export function registerBuyerEvents(scope: App, dependencies: BuyerEventsDependencies): void {
  const { database, buyerOf, reviewsOf } = dependencies;
  scope.addSchema(EventPageSchema);
  scope.get(
    '/api/v1/buyer/events',
    {
      schema: {
        operationId: 'listBuyerEvents',
        summary: 'Read your events in order',
        description: `All events that your webhook receives, also if you have no webhook: each event once, without gaps. Store \`next\` and send it with the next request; an empty page means that nothing new happened. Events are kept for ${EVENTS_KEPT_DAYS} days.`,
        tags: ['Buyer'],
        querystring: QuerySchema,
        response: { 200: Type.Ref('EventPage'), ...documentedProblems('partner_suspended', 'cursor_expired') },
      },
      // The view has exactly the members of the schema already.
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const { after, limit = LIMIT } = request.query;
      const number = after === undefined ? null : numberOfCursor(ownerKey, after);
      if (after !== undefined && number === null) throw unknownCursor();
      const page = await database.tx(
        async (tx) => {
          const listed = await listBuyerEvents(tx, ownerKey, { after: number, limit });
          if (!listed.ok) return listed;
          const { events, next, hasMore } = listed.value;
          const data = await eventViews(tx, events, { reviewsOf, buyer: buyerOf(ownerKey) });
          return done({ data, next: eventCursor(ownerKey, next), hasMore });
        },
        { snapshot: true },
      );
      if (page.ok) return reply.send(page.value);
      if (page.code === 'cursor_unknown') throw unknownCursor();
      return sendProblem(request, reply, { status: 410, code: page.code });
    },
  );
}

type Reading = { readonly buyer: ClaimBuyer; readonly reviewsOf: ReviewsOf };

async function eventViews(tx: Tx, events: readonly BuyerEventRow[], { buyer, reviewsOf }: Reading): Promise<object[]> {
  const { returnPolicy: policy, timeZone } = buyer;
  const deliveries = new Map(
    events.flatMap(({ delivery }) =>
      delivery === null ? [] : [[delivery.deliveryId, soldView(delivery, { policy, timeZone })] as const],
    ),
  );
  const subjects = events.flatMap(({ type, subjectId }) => (type === 'lead.delivered' ? [] : [subjectId]));
  const reviews = subjects.length === 0 ? deliveries : await reviewsOf(tx, buyer.buyerKey, subjects);
  return events.map(({ type, subjectId, at }) => ({
    eventId: typeId(type === 'lead.delivered' ? 'delivery' : 'event', subjectId),
    type,
    timestamp: at.toISOString(),
    data: (type === 'lead.delivered' ? deliveries : reviews).get(subjectId) ?? null,
  }));
}

function unknownCursor() {
  return invalidQuery([{ field: 'after', code: 'invalid_format', message: 'must be the `next` of an earlier answer' }]);
}

// GET /portal/api/buyer/deliveries and one of them: the list of GET leads with a search, and what the page of a delivery shows beside
// what the public API has.
import { type Static, type TSchema, Type } from 'typebox';

import { uuidOf } from '../../base/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { searchTextOf } from '../../platform/http/search-header.ts';
import { deliveryFilterSchema, readDeliveryFilter } from '../../deliveries/delivery-filter.ts';
import { DeliveryParams } from '../../deliveries/delivery-params.ts';
import type { DeliveryRow } from '../../deliveries/delivery-row.ts';
import { type StandingBuyer, type StandingsOf, viewDeliveries } from '../../deliveries/delivery-standing.ts';
import { shownFields } from '../../deliveries/delivery-view.rules.ts';
import { findDeliveries, type FoundPage } from '../../deliveries/search/find-deliveries.ts';
import { judgeRedelivery } from '../../deliveries/redelivery/judge-redelivery.ts';
import { type DeliveryQuery, listDeliveries } from '../../deliveries/list-deliveries.ts';
import { readSearch, SEARCH_LENGTH_MAX } from '../../deliveries/search/search-query.rules.ts';
import { viewDelivery } from '../../deliveries/view-delivery.ts';

export type PortalDeliveriesDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => StandingBuyer;
  readonly standingsOf: StandingsOf;
};

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const QuerySchema = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  ...deliveryFilterSchema,
  eventType: Type.Optional(Type.Enum(['Lead Sale', 'Calendar Assigned'])),
});

const PageSchema = Type.Object({
  page: Type.Integer(),
  pageSize: Type.Integer(),
  total: Type.Integer(),
  totalPages: Type.Integer(),
  /** Where a search finds nearly everything: `total` is of the deliveries from this instant on. Null where it is of all. */
  backTo: orNull(Type.String({ format: 'date-time' })),
  /** Whether too little of a phone number was given to look for. */
  tooShort: Type.Boolean(),
  data: Type.Array(Type.Ref('Delivery')),
});

const text = orNull(Type.String());
const RedeliverySchema = Type.Object({
  allowed: Type.Boolean(),
  /** The code that asking for it would be refused with. */
  code: text,
});

const DetailSchema = Type.Object({
  delivery: Type.Ref('Delivery'),
  isErased: Type.Boolean(),
  /** What the export has of it, and no more: the wording may name the supplier. `given` is null where nothing of the person is shown. */
  consent: Type.Object({ given: orNull(Type.Boolean()), at: text, version: text, leadIp: text, sourceUrl: text }),
  campaign: Type.Object({ source: text, medium: text, campaign: text, term: text, content: text }),
  redelivery: RedeliverySchema,
});
type Detail = Static<typeof DetailSchema>;

export function registerPortalDeliveries(scope: App, dependencies: PortalDeliveriesDependencies): void {
  registerList(scope, dependencies);
  registerOne(scope, dependencies);
}

function registerList(scope: App, { database, clock, buyerOf, standingsOf }: PortalDeliveriesDependencies): void {
  scope.get(
    '/api/buyer/deliveries',
    { attachValidation: true, schema: { querystring: QuerySchema, response: { 200: PageSchema } } },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey } = principalOf(request);
      const { timeZone } = buyerOf(ownerKey);
      const { filter } = readDeliveryFilter(request.query, { invalid: request.validationError, timeZone });
      const { page = 1, pageSize = 25, eventType = null } = request.query;
      const search = searchTextOf(request, SEARCH_LENGTH_MAX);
      const query = { page, pageSize, ...filter, eventType };
      const reading = search === null ? null : readSearch(search);
      if (reading !== null && !reading.ok) {
        return reply.send({ page, pageSize, total: 0, totalPages: 0, backTo: null, tooShort: true, data: [] });
      }
      const { total, backTo, data } = await database.tx(
        async (tx) => {
          const found = await read(tx, ownerKey, { query, wish: reading?.wish ?? null });
          return { ...found, data: await viewDeliveries(tx, buyerOf(ownerKey), { ...found, standingsOf }, now) };
        },
        { snapshot: true },
      );
      const totalPages = Math.ceil(total / pageSize);
      const shown = { page, pageSize, total, totalPages, backTo: backTo?.toISOString() ?? null, tooShort: false };
      return reply.send({ ...shown, data });
    },
  );
}

type Wish = Parameters<typeof findDeliveries>[2]['wish'];

async function read(
  tx: Tx,
  buyerKey: string,
  { query, wish }: { readonly query: DeliveryQuery; readonly wish: Wish | null },
): Promise<FoundPage> {
  if (wish !== null) return findDeliveries(tx, buyerKey, { query, wish });
  return { ...(await listDeliveries(tx, buyerKey, query)), backTo: null };
}

function registerOne(scope: App, { database, clock, buyerOf, standingsOf }: PortalDeliveriesDependencies): void {
  scope.get(
    '/api/buyer/deliveries/:deliveryId',
    { schema: { params: DeliveryParams, response: { 200: DetailSchema } } },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey } = principalOf(request);
      const deliveryId = uuidOf('delivery', request.params.deliveryId);
      const detail =
        deliveryId === null
          ? null
          : await database.tx(
              async (tx): Promise<Detail | null> => {
                const viewed = await viewDelivery(tx, buyerOf(ownerKey), { deliveryId, standingsOf }, now);
                if (viewed === null) return null;
                const { row, delivery } = viewed;
                const [judged] = await judgeRedelivery(tx, ownerKey, [deliveryId]);
                const redelivery = { allowed: judged?.ok === true, code: judged?.ok === false ? judged.reason : null };
                return { delivery, isErased: row.fields === null, ...beside(row), redelivery };
              },
              { snapshot: true },
            );
      if (detail === null) return sendProblem(request, reply, { status: 404, code: 'delivery_not_found' });
      return reply.send(detail);
    },
  );
}

/** What the object of a delivery does not say of its lead, or says among other things. */
function beside(row: Pick<DeliveryRow, 'status' | 'fields' | 'erasedConsent'>): Pick<Detail, 'consent' | 'campaign'> {
  const fields = shownFields(row);
  const isKnown = row.fields !== null || row.erasedConsent !== null;
  return {
    consent: {
      given: isKnown ? fields.tcpaConsent : null,
      at: fields.consentTimestamp,
      version: fields.consentVersion,
      leadIp: fields.leadIp,
      sourceUrl: fields.sourceFormUrl,
    },
    campaign: {
      source: fields.utmSource,
      medium: fields.utmMedium,
      campaign: fields.utmCampaign,
      term: fields.utmTerm,
      content: fields.utmContent,
    },
  };
}

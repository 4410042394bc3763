// GET /portal/api/buyer/deliveries and /deliveries/:deliveryId: the list of GET leads with a search, and the details of one delivery
// that the public API does not have.
import { typeId, uuidOf } from '../../base/ids.ts';
import { readVerticalsBought } from '../../buyers/own-columns.ts';
import { type Purchase, readPurchase } from '../../claims/own-data.ts';
import type { Clock } from '../../platform/clock.ts';
import { type NamedVerticals, verticalName } from '../../marketplace/vertical-name.rules.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { ListSumsSchema } from '../../platform/http/list-sums.schema.ts';
import { LIST_SUMS_MAX, listSums } from '../../platform/http/list-sums.ts';
import { searchTextOf } from '../../platform/http/search-header.ts';
import { SEARCH_LENGTH_MAX } from '../../deliveries/delivery-filter.schema.ts';
import { readNarrowing } from '../../deliveries/narrowing.ts';
import { readDeliveryFilter } from '../../deliveries/delivery-filter.ts';
import { DeliveryParams } from '../../deliveries/delivery.schema.ts';
import type { DeliveryRow } from '../../deliveries/delivery.ts';
import {
  type ClaimBuyer,
  type ClaimStatusesOf,
  viewDeliveries,
  viewDelivery,
} from '../../deliveries/view-deliveries.ts';
import { shownFields } from '../../deliveries/delivery-view.rules.ts';
import { findDeliveries, type FoundPage } from '../../deliveries/search/find-deliveries.ts';
import { judgeRedelivery } from '../../deliveries/redelivery/request-redelivery.ts';
import { type DeliveryQuery, listDeliveries } from '../../deliveries/list-deliveries.ts';
import { sumDeliveries } from '../../deliveries/sum-deliveries.ts';
import { readSearch } from '../../deliveries/search/search-query.rules.ts';
import {
  DeliveriesQuerySchema,
  DeliveriesSchema,
  type DeliveryDetail,
  DeliveryDetailSchema,
  DeliveryFilterQuerySchema,
} from './deliveries.schema.ts';

export type PortalDeliveriesDependencies = {
  readonly database: Database;
  /** For the list. */
  readonly reads: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => ClaimBuyer;
  readonly claimStatusesOf: ClaimStatusesOf;
  /** By key. */
  readonly verticals: () => NamedVerticals;
  readonly currency: () => string;
};

export function registerPortalDeliveries(scope: App, dependencies: PortalDeliveriesDependencies): void {
  registerList(scope, dependencies);
  registerSums(scope, dependencies);
  registerOne(scope, dependencies);
}

function registerList(
  scope: App,
  { reads, clock, buyerOf, claimStatusesOf, verticals }: PortalDeliveriesDependencies,
): void {
  scope.get(
    '/api/buyer/deliveries',
    { attachValidation: true, schema: { querystring: DeliveriesQuerySchema, response: { 200: DeliveriesSchema } } },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey } = principalOf(request);
      const { timeZone } = buyerOf(ownerKey);
      const { filter } = readDeliveryFilter(request.query, { invalid: request.validationError, timeZone });
      const { page = 1, pageSize = 25, eventType = null, sort } = request.query;
      const search = searchTextOf(request, SEARCH_LENGTH_MAX);
      const narrowing = readNarrowing(request.query);
      const query = { page, pageSize, ...filter, eventType, narrowing, isOldestFirst: sort === 'deliveredAt' };
      const reading = search === null ? null : readSearch(search);
      if (reading !== null && !reading.ok) {
        return reply.send({
          page,
          pageSize,
          total: 0,
          totalPages: 0,
          backTo: null,
          tooShort: true,
          data: [],
          verticals: {},
        });
      }
      const { total, backTo, data, rows, isMixed } = await reads.tx(
        async (tx) => {
          const found = await read(tx, ownerKey, { query, parsed: reading?.parsed ?? null });
          const bought = await readVerticalsBought(tx, ownerKey);
          return {
            ...found,
            isMixed: bought.length > 1,
            data: await viewDeliveries(tx, buyerOf(ownerKey), { ...found, claimStatusesOf }, now),
          };
        },
        { snapshot: true },
      );
      const totalPages = Math.ceil(total / pageSize);
      const shown = { page, pageSize, total, totalPages, backTo: backTo?.toISOString() ?? null, tooShort: false };
      return reply.send({ ...shown, data, verticals: isMixed ? verticalNames(rows, verticals()) : {} });
    },
  );
}

/** What the list shows under the same filters and search, on all of its pages. */
function registerSums(scope: App, { reads, buyerOf, currency }: PortalDeliveriesDependencies): void {
  scope.get(
    '/api/buyer/deliveries/sums',
    { attachValidation: true, schema: { querystring: DeliveryFilterQuerySchema, response: { 200: ListSumsSchema } } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const { timeZone } = buyerOf(ownerKey);
      const { filter } = readDeliveryFilter(request.query, { invalid: request.validationError, timeZone });
      const search = searchTextOf(request, SEARCH_LENGTH_MAX);
      const reading = search === null ? null : readSearch(search);
      if (reading !== null && !reading.ok)
        return reply.send(listSums({ rows: 0, cents: { spent: 0 }, currency: currency() }));
      const query = { ...filter, eventType: request.query.eventType ?? null, narrowing: readNarrowing(request.query) };
      const parsed = reading?.parsed ?? null;
      const { cents, ...sums } = await reads.tx(
        (tx) => sumDeliveries(tx, ownerKey, { query, parsed, atMost: LIST_SUMS_MAX + 1 }),
        {
          snapshot: true,
        },
      );
      return reply.send(listSums({ ...sums, cents: { spent: cents }, currency: currency() }));
    },
  );
}

function verticalNames(rows: readonly DeliveryRow[], verticals: NamedVerticals): Record<string, string> {
  return Object.fromEntries(
    rows.flatMap((row) => {
      const name = verticalName(shownFields(row).vertical, verticals);
      return name === null ? [] : [[typeId('delivery', row.deliveryId), name]];
    }),
  );
}

type Input = Parameters<typeof findDeliveries>[2]['parsed'];

async function read(
  tx: Tx,
  buyerKey: string,
  { query, parsed }: { readonly query: DeliveryQuery; readonly parsed: Input | null },
): Promise<FoundPage> {
  if (parsed !== null || (query.narrowing ?? null) !== null) return findDeliveries(tx, buyerKey, { query, parsed });
  return { ...(await listDeliveries(tx, buyerKey, query)), backTo: null };
}

function registerOne(
  scope: App,
  { database, clock, buyerOf, claimStatusesOf, verticals }: PortalDeliveriesDependencies,
): void {
  scope.get(
    '/api/buyer/deliveries/:deliveryId',
    { schema: { params: DeliveryParams, response: { 200: DeliveryDetailSchema } } },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey } = principalOf(request);
      const deliveryId = uuidOf('delivery', request.params.deliveryId);
      const detail =
        deliveryId === null
          ? null
          : await database.tx(
              async (tx): Promise<DeliveryDetail | null> => {
                const viewed = await viewDelivery(tx, buyerOf(ownerKey), { deliveryId, claimStatusesOf }, now);
                if (viewed === null) return null;
                const { row, delivery } = viewed;
                const purchase = await readPurchase(tx, ownerKey, deliveryId);
                if (purchase === null) return null;
                const [judged] = await judgeRedelivery(tx, ownerKey, [deliveryId]);
                const redelivery = { allowed: judged?.ok === true, code: judged?.ok === false ? judged.reason : null };
                const vertical = verticalName(shownFields(row).vertical, verticals());
                return {
                  delivery,
                  isErased: row.fields === null,
                  vertical,
                  ...beside(row),
                  purchase: purchaseView(purchase),
                  redelivery,
                };
              },
              { snapshot: true },
            );
      if (detail === null) return sendProblem(request, reply, { status: 404, code: 'delivery_not_found' });
      return reply.send(detail);
    },
  );
}

function purchaseView({ filters, ...rest }: Purchase): DeliveryDetail['purchase'] {
  return { ...rest, filters: filters.map((check) => ({ ...check })) };
}

/** Details of the lead that the public delivery object omits or does not separate. */
function beside(
  row: Pick<DeliveryRow, 'status' | 'fields' | 'erasedConsent'>,
): Pick<DeliveryDetail, 'ownFields' | 'consent' | 'campaign'> {
  const fields = shownFields(row);
  const isKnown = row.fields !== null || row.erasedConsent !== null;
  return {
    ownFields: Object.entries(fields.own ?? {}).flatMap(([name, { hidden, label = name, type, value }]) =>
      hidden === true ? [] : [{ name, label, type, value }],
    ),
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

// The console's offers: the list with sales figures, and one offer as in the marketplace file with its current usage and its past prices.
import { wireAmount } from '../base/money.ts';
import { offerFigures } from '../reports/sales-figures.ts';
import { readBuyer } from '../buyers/read-buyers.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { PAGE_SIZE } from '../platform/http/list.schema.ts';
import { sendProblem } from '../platform/http/problem.ts';
import type { Refusal } from '../platform/http/request-fault.ts';
import { readOfferUsage } from '../reports/offer-usage.ts';
import { readPriceChanges } from '../reports/price-changes.ts';
import { cachedSpans } from '../routing/availability.rules.ts';
import { listOffers, readOffers } from '../routing/stored-offers.ts';
import { offerForm } from '../routing/offer-form.rules.ts';
import { limitsForm, offerInForce } from '../routing/own-limits.rules.ts';
import type { Offer } from '../routing/offer.ts';
import {
  type OfferOnConsole,
  OfferParams,
  type OfferPrices,
  OfferPricesSchema,
  OffersQuerySchema,
  OffersSchema,
  type ShownOffer,
  ShownOfferSchema,
} from './offers.schema.ts';

const PRICE_CHANGES_MAX = 100;
const NOT_FOUND: Refusal = { status: 404, code: 'not_found', detail: 'There is no such offer.' };

export type ConsoleOffersDependencies = {
  readonly database: Database;
  readonly clock: Clock;
};

export function registerConsoleOffers(scope: App, dependencies: ConsoleOffersDependencies): void {
  registerList(scope, dependencies);
  registerOne(scope, dependencies);
  registerPrices(scope, dependencies);
}

function registerList(scope: App, { database, clock }: ConsoleOffersDependencies): void {
  scope.get(
    '/api/offers',
    {
      config: { permission: 'read' },
      schema: {
        querystring: OffersQuerySchema,
        response: { 200: OffersSchema },
      },
    },
    async (request, reply) => {
      const { search = null, status = null, partner: buyerKey = null, page = 1, pageSize = PAGE_SIZE } = request.query;
      const response = await database.tx(
        async (tx) => {
          const { total, offers } = await listOffers(tx, { search, status, buyerKey, page, pageSize });
          const figures = await offerFigures(tx, offers, clock.now());
          const data = offers.map((offer) => ({ ...formOf(offer), figures: figures(offer.offerKey) }));
          return { data, page, pageSize, total };
        },
        { snapshot: true },
      );
      return reply.send(response);
    },
  );
}

function registerOne(scope: App, { database, clock }: ConsoleOffersDependencies): void {
  const spanOf = cachedSpans();
  scope.get(
    '/api/offers/:offerKey',
    {
      config: { permission: 'read' },
      schema: { params: OfferParams, response: { 200: ShownOfferSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const found = await database.tx(
        async (tx): Promise<ShownOffer | null> => {
          const { version } = await readSettings(tx);
          const [offer] = await readOffers(tx, [request.params.offerKey]);
          const buyer = offer === undefined ? null : await readBuyer(tx, offer.buyerKey);
          if (offer === undefined || buyer === null) return null;
          const figures = (await offerFigures(tx, [offer], now))(offer.offerKey);
          const usage = await readOfferUsage(tx, { offer: offerInForce(offer), buyer, spanOf }, now);
          return { version, offer: formOf(offer), timeZone: buyer.timeZone, figures, usage };
        },
        { snapshot: true },
      );
      return found === null ? sendProblem(request, reply, NOT_FOUND) : reply.send(found);
    },
  );
}

function registerPrices(scope: App, { database }: ConsoleOffersDependencies): void {
  scope.get(
    '/api/offers/:offerKey/prices',
    {
      config: { permission: 'read' },
      schema: { params: OfferParams, response: { 200: OfferPricesSchema } },
    },
    async (request, reply) => {
      const found = await database.tx(
        async (tx): Promise<OfferPrices | null> => {
          const [offer] = await readOffers(tx, [request.params.offerKey]);
          if (offer === undefined) return null;
          const changes = await readPriceChanges(tx, offer.offerKey, PRICE_CHANGES_MAX);
          return {
            priceBefore: changes.at(-1)?.from ?? wireAmount(offer.payoutCents),
            changes: changes.map((change) => ({ ...change, at: change.at.toISOString() })),
          };
        },
        { snapshot: true },
      );
      return found === null ? sendProblem(request, reply, NOT_FOUND) : reply.send(found);
    },
  );
}

function formOf(offer: Offer): OfferOnConsole {
  const pause = offer.rejectionsPause;
  return {
    ...offerForm(offer),
    partner: offer.buyerKey,
    ownLimits: offer.ownLimits === null ? null : limitsForm(offer.ownLimits),
    rejectionsPause: pause === null ? null : { since: pause.since.toISOString(), until: pause.until.toISOString() },
  };
}

// What partners' systems said about leads, by partner and offer, and lifting the pause of an offer (contract 13.7).
import { requestAuthor } from '../audit/request-author.ts';
import { readBuyer } from '../buyers/read-buyers.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { jsonResponse, problemResponse, respondIdempotently } from '../platform/http/idempotency.ts';
import { sendProblem } from '../platform/http/problem.ts';
import type { Refusal } from '../platform/http/request-fault.ts';
import { readOfferShares, readPartnerShares } from '../reports/read-responses.ts';
import type { ResponseShares } from '../reports/response-shares.rules.ts';
import { pauseRule } from '../routing/rejections-pause.rules.ts';
import { liftRejectionsPause } from '../routing/rejections-pause.ts';
import { readOffers, readOffersOfBuyer } from '../routing/stored-offers.ts';
import {
  LiftedPauseSchema,
  OfferKeyParams,
  type OfferResponses,
  OfferResponsesSchema,
  PartnerKeyParams,
  type PartnerResponses,
  PartnerResponsesSchema,
} from './responses.schema.ts';

const NO_PARTNER: Refusal = { status: 404, code: 'not_found', detail: 'There is no such partner.' };
const NO_OFFER: Refusal = { status: 404, code: 'not_found', detail: 'There is no such offer.' };

export type ResponsesDependencies = {
  readonly database: Database;
  readonly reads: Database;
  readonly clock: Clock;
  /** Reloads the configuration in this process; never rejects. */
  readonly reload: () => Promise<void>;
};

export function registerConsoleResponses(scope: App, dependencies: ResponsesDependencies): void {
  registerPartner(scope, dependencies);
  registerOffer(scope, dependencies);
  registerLift(scope, dependencies);
}

function registerPartner(scope: App, { reads, clock }: ResponsesDependencies): void {
  scope.get(
    '/api/partners/:ownerKey/responses',
    {
      config: { permission: 'read' },
      schema: { params: PartnerKeyParams, response: { 200: PartnerResponsesSchema } },
    },
    async (request, reply) => {
      const found = await reads.tx(
        async (tx): Promise<PartnerResponses | null> => {
          const buyer = await readBuyer(tx, request.params.ownerKey);
          if (buyer === null) return null;
          const { buyerKey, timeZone } = buyer;
          const { total, offers } = await readPartnerShares(tx, buyerKey, { timeZone, now: clock.now() });
          const names = new Map((await readOffersOfBuyer(tx, buyerKey)).map(({ offerKey, name }) => [offerKey, name]));
          const named = [...offers].map(([offer, shares]) => ({ offer, name: names.get(offer) ?? offer, ...shares }));
          return { timeZone, total, offers: named.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
        },
        { snapshot: true },
      );
      return found === null ? sendProblem(request, reply, NO_PARTNER) : reply.send(found);
    },
  );
}

function registerOffer(scope: App, { reads, clock }: ResponsesDependencies): void {
  scope.get(
    '/api/offers/:key/responses',
    {
      config: { permission: 'read' },
      schema: { params: OfferKeyParams, response: { 200: OfferResponsesSchema } },
    },
    async (request, reply) => {
      const found = await reads.tx(
        async (tx): Promise<OfferResponses | null> => {
          const [offer] = await readOffers(tx, [request.params.key]);
          const buyer = offer === undefined ? null : await readBuyer(tx, offer.buyerKey);
          if (offer === undefined || buyer === null) return null;
          const { timeZone } = buyer;
          const shares: ResponseShares = await readOfferShares(tx, offer.offerKey, { timeZone, now: clock.now() });
          const rule = pauseRule(offer, (await readSettings(tx)).settings.rejections);
          const pause = offer.rejectionsPause;
          return {
            timeZone,
            ...shares,
            rule,
            pause: pause === null ? null : { since: pause.since.toISOString(), until: pause.until.toISOString() },
          };
        },
        { snapshot: true },
      );
      return found === null ? sendProblem(request, reply, NO_OFFER) : reply.send(found);
    },
  );
}

function registerLift(scope: App, { database, clock, reload }: ResponsesDependencies): void {
  scope.post(
    '/api/offers/:key/rejections-pause/lift',
    {
      config: { permission: 'operate', emptyBody: true },
      schema: { params: OfferKeyParams, response: { 200: LiftedPauseSchema } },
      attachValidation: true,
    },
    async (request, reply) => {
      const now = clock.now();
      const lift = { offerKey: request.params.key, ...requestAuthor(request) };
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const outcome = await liftRejectionsPause(tx, lift, now);
          return outcome.ok
            ? jsonResponse(200, { offer: lift.offerKey, wasPaused: outcome.value.wasPaused })
            : problemResponse(request, reply, NO_OFFER);
        },
        onCommitted: reload,
      });
    },
  );
}

// POST /console/api/offer-estimate: how many leads a week the filters of an offer's form match, from the latest leads. Nothing is stored.
import { centsOf } from '../base/money.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { filtersOfForm } from '../routing/offer-form.rules.ts';
import { estimateOffer } from '../simulation/estimate-offer.ts';
import { CHANGE_BYTES } from './changes.schema.ts';
import { OfferEstimateBody, OfferEstimateSchema } from './offer-estimate.schema.ts';

export type OfferEstimateDependencies = { readonly reads: Database; readonly clock: Clock };

export function registerOfferEstimate(scope: App, { reads, clock }: OfferEstimateDependencies): void {
  scope.post(
    '/api/offer-estimate',
    {
      config: { permission: 'configure' },
      bodyLimit: CHANGE_BYTES,
      schema: { body: OfferEstimateBody, response: { 200: OfferEstimateSchema } },
    },
    async (request, reply) => {
      const { offer: offerKey, vertical, price, filters } = request.body;
      const offer = {
        ...{ offerKey, vertical, filters: filtersOfForm(filters) },
        payoutCents: price === null ? null : centsOf(price),
      };
      return reply.send(await reads.tx((tx) => estimateOffer(tx, offer, clock.now()), { snapshot: true }));
    },
  );
}

// GET /portal/api/buyer/deliveries/:deliveryId/filing: whether a return or dispute may be filed, its deadline, the monthly cap, the
// required proof, and the delivery's existing claims.
import { uuidOf } from '../../base/ids.ts';
import { DeliveryParams } from '../../deliveries/delivery.schema.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { FilingBuyer } from '../../claims/judge-filing.ts';
import { FilingSchema } from './filing.schema.ts';
import { filingView } from './filing-view.ts';
import { previewWithOwnData } from '../../claims/own-data.ts';

export type PortalFilingDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => FilingBuyer;
  readonly personPepper: Buffer;
};

export function registerPortalFiling(
  scope: App,
  { database, clock, buyerOf, personPepper }: PortalFilingDependencies,
): void {
  scope.get(
    '/api/buyer/deliveries/:deliveryId/filing',
    { schema: { params: DeliveryParams, response: { 200: FilingSchema } } },
    async (request, reply) => {
      const now = clock.now();
      const buyer = buyerOf(principalOf(request).ownerKey);
      const deliveryId = uuidOf('delivery', request.params.deliveryId);
      const preview =
        deliveryId === null
          ? null
          : await database.tx((tx) => previewWithOwnData(tx, buyer, { deliveryId, personPepper }, now), {
              snapshot: true,
            });
      if (preview === null) return sendProblem(request, reply, { status: 404, code: 'delivery_not_found' });
      return reply.send(filingView(preview));
    },
  );
}

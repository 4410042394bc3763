// GET /portal/api/buyer/deliveries/:deliveryId/filing: whether a return or dispute may be filed, its deadline, the monthly cap, the
// required proof, and the delivery's existing claims.
import { typeId, uuidOf } from '../../base/ids.ts';
import { deliveryRef } from '../../deliveries/delivery.ts';
import { DeliveryParams } from '../../deliveries/delivery.schema.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { problemCatalogue } from '../../platform/http/problem-catalogue.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { checkReasons, type ReasonCheck } from '../../claims/own-data.ts';
import type { FilingBuyer } from '../../claims/judge-filing.ts';
import { portalClaim } from './claims-view.rules.ts';
import { type Filing, type FilingOption as FilingOptionView, FilingSchema } from './filing.schema.ts';
import { type FilingOption, type FilingPreview, previewFiling } from '../../claims/preview-filing.ts';
import { notReturnable, type ReasonCode } from '../../claims/reason.rules.ts';

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
          : await database.tx(
              async (tx) => {
                const found = await previewFiling(tx, buyer, deliveryId, now);
                if (found === null) return null;
                const { delivery } = found;
                return { ...found, checks: await checkReasons(tx, buyer.buyerKey, { delivery, personPepper }) };
              },
              { snapshot: true },
            );
      if (preview === null) return sendProblem(request, reply, { status: 404, code: 'delivery_not_found' });
      return reply.send(filingView(preview));
    },
  );
}

type Checked = FilingPreview & { readonly checks: ReadonlyMap<ReasonCode, ReasonCheck> };

function filingView({ delivery, options, reasons, cap, claims, checks }: Checked): Filing {
  return {
    deliveryId: typeId('delivery', delivery.deliveryId),
    deliveryRef: deliveryRef(delivery.eventType, delivery.refNumber),
    eventType: delivery.eventType,
    return: optionView(options.return),
    dispute: optionView(options.dispute),
    reasons: reasons.map((reason) => ({ ...reason, ownData: checkView(checks.get(reason.code)) })),
    notReturnable: [...notReturnable],
    cap: {
      month: cap.month.slice(0, 'YYYY-MM'.length),
      limit: cap.limit,
      used: cap.used,
      // The cap may have been lowered since, below the number used.
      remaining: Math.max(0, cap.limit - cap.used),
    },
    claims: claims.map(portalClaim),
  };
}

function checkView(check: ReasonCheck | undefined): Filing['reasons'][number]['ownData'] {
  if (check === undefined) return null;
  return check.about === 'duplicate' ? check : { ...check, checks: check.checks.map((one) => ({ ...one })) };
}

function optionView({ refusal: code, until }: FilingOption): FilingOptionView {
  if (code === null) return { allowed: true, refusal: null, until: until.toISOString() };
  const { meaning, remedy } = problemCatalogue[code];
  return { allowed: false, refusal: { code, meaning, remedy }, until: until.toISOString() };
}

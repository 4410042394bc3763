// Builds the portal's view of whether a delivery may be returned or disputed.
import { typeId } from '../../base/ids.ts';
import type { CapUse } from '../../claims/month-cap.ts';
import type { CheckedPreview, ReasonCheck } from '../../claims/own-data.ts';
import type { FilingOption } from '../../claims/preview-filing.ts';
import type { FilingRefusal } from '../../claims/filing.rules.ts';
import { notReturnable } from '../../claims/reason.rules.ts';
import { deliveryRef } from '../../deliveries/delivery.ts';
import { problemCatalogue } from '../../platform/http/problem-catalogue.ts';
import { portalClaim } from './claims-view.rules.ts';
import type { Filing, FilingOption as FilingOptionView } from './filing.schema.ts';

export function filingView({ delivery, options, reasons, cap, claims, checks }: CheckedPreview): Filing {
  return {
    deliveryId: typeId('delivery', delivery.deliveryId),
    deliveryRef: deliveryRef(delivery.eventType, delivery.refNumber),
    eventType: delivery.eventType,
    return: optionView(options.return),
    dispute: optionView(options.dispute),
    reasons: reasons.map((reason) => ({ ...reason, ownData: checkView(checks.get(reason.code)) })),
    notReturnable: [...notReturnable],
    cap: capView(cap),
    claims: claims.map(portalClaim),
  };
}

function checkView(check: ReasonCheck | undefined): Filing['reasons'][number]['ownData'] {
  if (check === undefined) return null;
  return check.about === 'duplicate' ? check : { ...check, checks: check.checks.map((one) => ({ ...one })) };
}

export function capView({ month, limit, used }: CapUse): Filing['cap'] {
  // The cap may have been lowered since, below the number used.
  return { month: month.slice(0, 'YYYY-MM'.length), limit, used, remaining: Math.max(0, limit - used) };
}

function optionView({ refusal: code, until }: FilingOption): FilingOptionView {
  if (code === null) return { allowed: true, refusal: null, until: until.toISOString() };
  return { allowed: false, refusal: refusalView(code), until: until.toISOString() };
}

/** With a detail of this refusal in place of the meaning of its code. */
export function refusalView(code: FilingRefusal, detail?: string): NonNullable<FilingOptionView['refusal']> {
  const { meaning, remedy } = problemCatalogue[code];
  return { code, meaning: detail ?? meaning, remedy };
}
